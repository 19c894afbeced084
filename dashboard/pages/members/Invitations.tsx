// Invitations that nobody has accepted yet.
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { When } from '../../parts/When.tsx';
import { inWords } from '../../service/conversation.ts';
import { type Invitation, invitationsQuery, withdrawInvitation } from '../../service/members.ts';
import { useChange } from '../../service/queries.ts';
import { usePlace } from '../../shell/place.ts';
import { roleWords } from '../../texts/roles.ts';

export const Invitations = ({ onInvite }: { onInvite: () => void }) => {
  const { organization } = usePlace();
  const found = useQuery(invitationsQuery(organization.id));
  const withdrawing = useChange((id: string) => withdrawInvitation(organization.id, id), {
    refreshes: [['invitations', organization.id]],
  });
  if (found.data?.length === 0) {
    return (
      <Card title="Open invitations">
        <p className="soft">Nobody is invited at the moment.</p>
        <div className="actions">
          <Button compact onPress={onInvite}>
            Invite a member
          </Button>
        </div>
      </Card>
    );
  }
  return (
    <Card
      title="Open invitations"
      note="A lost link cannot be shown again: invite the same email anew."
      flush
    >
      {found.isError && (
        <div className="card-body">
          <Failure error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
        </div>
      )}
      {withdrawing.error && (
        <div className="card-body">
          <Notice tone="bad">{inWords(withdrawing.error)}</Notice>
        </div>
      )}
      {!found.isError && (
        <Table
          label="Open invitations"
          columns={columnsFor((id) => withdrawing.mutate(id))}
          rows={found.data}
          keyOf={({ id }) => id}
          expects={1}
        />
      )}
    </Card>
  );
};

const columnsFor = (onWithdraw: (id: string) => void): Column<Invitation>[] => [
  { heading: 'Email', cell: ({ email }) => <strong>{email}</strong> },
  { heading: 'Role', cell: ({ role }) => roleWords[role].label },
  { heading: 'Made', cell: ({ createdAt }) => <When at={createdAt} /> },
  { heading: 'Expires', cell: ({ expiresAt }) => <When at={expiresAt} /> },
  {
    heading: 'Actions',
    quiet: true,
    end: true,
    cell: ({ id, email }) => (
      <Button compact aria-label={`Withdraw the invitation of ${email}`} onPress={() => onWithdraw(id)}>
        Withdraw
      </Button>
    ),
  },
];
