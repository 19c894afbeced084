// The sandbox tools: clock, test users, and transaction upload.
import { useQuery } from '@tanstack/react-query';
import { sandboxQuery } from '../../api/sandbox.ts';
import { Card } from '../../components/Card.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Page } from '../../components/Page.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { LoadFile } from './LoadFile.tsx';
import { SandboxClock } from './SandboxClock.tsx';
import { TestUsers } from './TestUsers.tsx';

export const Sandbox = () => {
  const { organization, hasRole } = useOrgContext();
  const query = useQuery(sandboxQuery(organization.id));
  return (
    <Page
      title="Sandbox tools"
      description="A simulated bank with test users for every case. All Sandbox applications of this organization share it."
    >
      <QueryError query={query} />
      {query.isPending && (
        <Card>
          <Skeleton lines={4} />
        </Card>
      )}
      {query.data && (
        <div className="columns even">
          <SandboxClock sandbox={query.data} />
          {hasRole('developer') && <LoadFile />}
        </div>
      )}
      {hasRole('developer') && (
        <Notice>
          To break a connection’s credentials, open the connection and choose “Break credentials”.
        </Notice>
      )}
      {!query.isError && <TestUsers sandbox={query.data} />}
    </Page>
  );
};
