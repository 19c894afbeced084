// The steps from a new application to its first connection.
import { Link } from 'wouter';
import type { Application } from '../../api/applications.ts';
import { Card } from '../../components/Card.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';

export const FirstSteps = ({ application }: { application: Application }) => {
  const { root } = useOrgContext();
  const base = `${root}/applications/${application.id}`;
  return (
    <Card title={`${application.name} has no connection yet`} description="Four steps to the first one.">
      <ol className="steps">
        <li>
          <span>
            <Link to={`${base}/settings`}>Allow the address of your page</Link> as an origin of the widget.
          </span>
        </li>
        <li>
          <span>
            <Link to={`${base}/api-keys`}>Create an API key</Link> for your backend.
          </span>
        </li>
        <li>
          <span>
            <Link to={`${base}/code`}>Add the code to your page</Link> and open the widget.
          </span>
        </li>
        <li>
          <span>
            {application.environment === 'sandbox' ? (
              <>
                Sign in at the sandbox bank as one of the <Link to={`${root}/sandbox`}>test users</Link>.
              </>
            ) : (
              'Connect your own bank account.'
            )}
          </span>
        </li>
      </ol>
    </Card>
  );
};
