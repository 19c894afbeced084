// Lists the member's sessions, with buttons to end them.
import { useQuery } from '@tanstack/react-query';
import { endOtherSessions, endSession, sessionsQuery } from '../../api/account.ts';
import { errorMessage, type Schemas } from '../../api/apiClient.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { Notice } from '../../components/Notice.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { browserName } from './browserName.ts';

type MemberSession = Schemas['MemberSession'];

const methodLabels: Record<MemberSession['method'], string> = {
  password: 'Password',
  passkey: 'Passkey',
  oidc: 'Company account',
  invitation: 'Invitation',
};

export const Sessions = () => {
  const query = useQuery(sessionsQuery);
  const invalidates = [['me', 'sessions']];
  const endingOne = useApiMutation(endSession, { invalidates });
  const endingOthers = useApiMutation(endOtherSessions, { invalidates });
  const error = endingOne.error ?? endingOthers.error;
  const hasOthers = query.data?.some(({ isCurrent }) => !isCurrent);
  const endOthersButton = hasOthers && (
    <Button compact isPending={endingOthers.isPending} onPress={() => endingOthers.mutate(undefined)}>
      End all other sessions
    </Button>
  );
  return (
    <Card title="Sessions" description="Where you are signed in." actions={endOthersButton} flush>
      <QueryError query={query} flush />
      {error && (
        <div className="card-body">
          <Notice tone="bad">{errorMessage(error)}</Notice>
        </div>
      )}
      {!query.isError && (
        <Table
          label="Sessions"
          columns={columnsFor((id) => endingOne.mutate(id))}
          rows={query.data}
          keyOf={({ id }) => id}
          skeletonRows={2}
        />
      )}
    </Card>
  );
};

const columnsFor = (onEnd: (id: string) => void): Column<MemberSession>[] => [
  {
    heading: 'Browser',
    cell: ({ browser, address, isCurrent }) => (
      <span className="two-lines">
        <span className="row">
          <strong>{browserName(browser)}</strong>
          {isCurrent && <Badge tone="good">Current</Badge>}
        </span>
        <span className="small muted">{address}</span>
      </span>
    ),
  },
  { heading: 'Signed in with', cell: ({ method }) => methodLabels[method] },
  { heading: 'Signed in', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { heading: 'Last used', cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} /> },
  {
    heading: 'Actions',
    hideHeading: true,
    end: true,
    cell: ({ id, browser, isCurrent }) =>
      !isCurrent && (
        <Button compact aria-label={`End the session in ${browserName(browser)}`} onPress={() => onEnd(id)}>
          End
        </Button>
      ),
  },
];
