// The steps from a new application to its first connection, ticked off by what has happened.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Application, apiKeysQuery } from '../../api/applications.ts';
import { linkSessionStatisticsQuery } from '../../api/linkSessions.ts';
import { Card } from '../../components/Card.tsx';
import { Check } from '../../components/icons.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';

export const FirstSteps = ({ application }: { application: Application }) => {
  const { root } = useOrgContext();
  const base = `${root}/applications/${application.id}`;
  const { data: apiKeys = [] } = useQuery(apiKeysQuery(application.id));
  const { data: statistics } = useQuery(linkSessionStatisticsQuery(application.id, 30));
  return (
    <Card title={`${application.name} has no connection yet`} description="Four steps to the first one.">
      <ol className="steps">
        <Step isDone={application.origins.length > 0 || application.nativeAllowed}>
          <Link to={`${base}/settings`}>Allow the address of your page</Link> as an origin of the widget.
        </Step>
        <Step isDone={apiKeys.some(({ state }) => state === 'active')}>
          <Link to={`${base}/api-keys`}>Create an API key</Link> for your backend.
        </Step>
        <Step isDone={(statistics?.opened ?? 0) > 0}>
          <Link to={`${base}/code`}>Add the code to your page</Link> and open the widget.
        </Step>
        {/* With a connection, the overview has no first steps. */}
        <Step isDone={false}>
          {application.environment === 'sandbox' ? (
            <>
              Sign in at the sandbox bank as one of the <Link to={`${root}/sandbox`}>test users</Link>.
            </>
          ) : (
            'Connect your own bank account.'
          )}
        </Step>
      </ol>
    </Card>
  );
};

const Step = ({ isDone, children }: { isDone: boolean; children: ReactNode }) => (
  <li className={isDone ? 'done' : undefined}>
    {isDone && <Check size={16} aria-label="Done" role="img" className="step-mark" />}
    <span>{children}</span>
  </li>
);
