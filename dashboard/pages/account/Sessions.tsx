// Where one is signed in, and an end to it.
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { When } from '../../parts/When.tsx';
import { endOtherSessions, endSession, ownSessionsQuery } from '../../service/account.ts';
import { inWords, type Shape } from '../../service/conversation.ts';
import { useChange } from '../../service/queries.ts';
import { browserName } from './browserName.ts';

type OwnSession = Shape['OwnSession'];

const methods: Record<OwnSession['method'], string> = {
  password: 'Password',
  passkey: 'Passkey',
  openid: 'Company account',
  invitation: 'Invitation',
};

export const Sessions = () => {
  const found = useQuery(ownSessionsQuery);
  const refreshes = [['me', 'sessions']];
  const ending = useChange(endSession, { refreshes });
  const endingOthers = useChange(endOtherSessions, { refreshes });
  const failed = ending.error ?? endingOthers.error;
  const others = found.data?.some(({ isThis }) => !isThis);
  const endOthers = others && (
    <Button compact isPending={endingOthers.isPending} onPress={() => endingOthers.mutate(undefined)}>
      End all others
    </Button>
  );
  return (
    <Card title="Sessions" note="Where you are signed in." actions={endOthers} flush>
      {found.isError && (
        <div className="card-body">
          <Failure error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
        </div>
      )}
      {failed && (
        <div className="card-body">
          <Notice tone="bad">{inWords(failed)}</Notice>
        </div>
      )}
      {!found.isError && (
        <Table
          label="Sessions"
          columns={columnsFor((id) => ending.mutate(id))}
          rows={found.data}
          keyOf={({ id }) => id}
          expects={2}
        />
      )}
    </Card>
  );
};

const columnsFor = (onEnd: (id: string) => void): Column<OwnSession>[] => [
  {
    heading: 'Browser',
    cell: ({ browser, address, isThis }) => (
      <span className="two">
        <span className="row">
          <strong>{browserName(browser)}</strong>
          {isThis && <Badge tone="good">This one</Badge>}
        </span>
        <span className="small soft">{address}</span>
      </span>
    ),
  },
  { heading: 'Signed in with', cell: ({ method }) => methods[method] },
  { heading: 'Signed in', cell: ({ createdAt }) => <When at={createdAt} /> },
  { heading: 'Last used', cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
  {
    heading: 'Actions',
    quiet: true,
    end: true,
    cell: ({ id, browser, isThis }) =>
      !isThis && (
        <Button compact aria-label={`End the session in ${browserName(browser)}`} onPress={() => onEnd(id)}>
          End
        </Button>
      ),
  },
];
