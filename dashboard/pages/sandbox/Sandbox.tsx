// The sandbox bank: its clock, its users, and files of one's own entries.
import { useQuery } from '@tanstack/react-query';
import { Bones } from '../../parts/Bones.tsx';
import { Card } from '../../parts/Card.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { Page } from '../../parts/Page.tsx';
import { sandboxQuery } from '../../service/sandbox.ts';
import { usePlace } from '../../shell/place.ts';
import { Clock } from './Clock.tsx';
import { LoadFile } from './LoadFile.tsx';
import { TestUsers } from './TestUsers.tsx';

export const Sandbox = () => {
  const { organization, may } = usePlace();
  const found = useQuery(sandboxQuery(organization.id));
  return (
    <Page
      title="Sandbox tools"
      note="A bank that is made up, with users for every case. All Sandbox applications of this service share it."
    >
      {found.isError && (
        <Failure error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
      )}
      {found.isPending && (
        <Card>
          <Bones lines={4} />
        </Card>
      )}
      {found.data && (
        <div className="columns even">
          <Clock sandbox={found.data} />
          {may('developer') && <LoadFile />}
        </div>
      )}
      {may('developer') && (
        <Notice>
          To break a connection’s credentials, open the connection and choose “Break credentials”.
        </Notice>
      )}
      {!found.isError && <TestUsers sandbox={found.data} />}
    </Page>
  );
};
