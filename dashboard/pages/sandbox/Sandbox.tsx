// The sandbox bank: its clock, its users, and files of one's own entries.
import { useQuery } from '@tanstack/react-query';
import { sandboxQuery } from '../../api/sandbox.ts';
import { Card } from '../../components/Card.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Page } from '../../components/Page.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { LoadFile } from './LoadFile.tsx';
import { SandboxClock } from './SandboxClock.tsx';
import { TestUsers } from './TestUsers.tsx';

export const Sandbox = () => {
  const { organization, hasRole } = useOrgContext();
  const found = useQuery(sandboxQuery(organization.id));
  return (
    <Page
      title="Sandbox tools"
      description="A bank that is made up, with users for every case. All Sandbox applications of this service share it."
    >
      {found.isError && (
        <ErrorNotice error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
      )}
      {found.isPending && (
        <Card>
          <Skeleton lines={4} />
        </Card>
      )}
      {found.data && (
        <div className="columns even">
          <SandboxClock sandbox={found.data} />
          {hasRole('developer') && <LoadFile />}
        </div>
      )}
      {hasRole('developer') && (
        <Notice>
          To break a connection’s credentials, open the connection and choose “Break credentials”.
        </Notice>
      )}
      {!found.isError && <TestUsers sandbox={found.data} />}
    </Page>
  );
};
