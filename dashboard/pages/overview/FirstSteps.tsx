// The steps from a new application to its backend's first request, checked off once done.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Application, Overview } from '../../api/applications.ts';
import { Card } from '../../components/Card.tsx';
import { Check } from '../../components/icons.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { hasConnection } from './health.ts';

type FirstStepsProps = { application: Application; overview: Overview };

export const FirstSteps = ({ application, overview }: FirstStepsProps) => {
  const { root } = useOrgContext();
  const base = `${root}/applications/${application.id}`;
  const { hasApiKey, widgetOpened, requestSent } = overview.firstSteps;
  return (
    <Card title={`Set up ${application.name}`} description={summaryOf(overview)}>
      <ol className="steps">
        <Step isDone={application.origins.length > 0 || application.nativeAllowed}>
          <Link to={`${base}/settings`}>Add your page’s address</Link> to the allowed origins.
        </Step>
        <Step isDone={hasApiKey}>
          <Link to={`${base}/api-keys`}>Create an API key</Link> for your backend.
        </Step>
        <Step isDone={widgetOpened}>
          <Link to={`${base}/code`}>Add the code to your page</Link> and open the widget.
        </Step>
        <Step isDone={hasConnection(overview)}>
          {application.environment === 'sandbox' ? (
            <>
              Sign in to the sandbox bank as one of the <Link to={`${root}/sandbox`}>test users</Link>.
            </>
          ) : (
            'Connect your own bank account.'
          )}
        </Step>
        <Step isDone={requestSent}>
          <Link to={`${base}/code`}>Read the accounts</Link> from your backend.
        </Step>
      </ol>
    </Card>
  );
};

const summaryOf = (overview: Overview): string =>
  hasConnection(overview)
    ? 'A bank is connected. Your backend has not sent a request yet.'
    : 'No bank is connected yet.';

const Step = ({ isDone, children }: { isDone: boolean; children: ReactNode }) => (
  <li className={isDone ? 'done' : undefined}>
    {isDone && <Check size={16} aria-label="Done" role="img" className="step-mark" />}
    <span>{children}</span>
  </li>
);
