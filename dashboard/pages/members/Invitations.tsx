// Lists pending invitations, with buttons to revoke them.
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '../../api/apiClient.ts';
import { type Invitation, invitationsQuery, revokeInvitation } from '../../api/members.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { Notice } from '../../components/Notice.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { roleLabels } from '../../labels/roles.ts';
import { useOrgContext } from '../../shell/orgContext.ts';

export const Invitations = ({ onInvite }: { onInvite: () => void }) => {
  const { organization } = useOrgContext();
  const query = useQuery(invitationsQuery(organization.id));
  const revoking = useApiMutation((id: string) => revokeInvitation(organization.id, id), {
    invalidates: [['invitations', organization.id]],
  });
  if (query.data?.length === 0) {
    return (
      <Card title="Open invitations">
        <p className="muted">No open invitations.</p>
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
      description="Links can’t be shown again. If one is lost, invite the same email again."
      flush
    >
      <QueryError query={query} flush />
      {revoking.error && (
        <div className="card-body">
          <Notice tone="bad">{errorMessage(revoking.error)}</Notice>
        </div>
      )}
      {!query.isError && (
        <Table
          label="Open invitations"
          columns={columnsFor((id) => revoking.mutate(id))}
          rows={query.data}
          keyOf={({ id }) => id}
          skeletonRows={1}
        />
      )}
    </Card>
  );
};

const columnsFor = (onRevoke: (id: string) => void): Column<Invitation>[] => [
  { heading: 'Email', cell: ({ email }) => <strong>{email}</strong> },
  { heading: 'Role', cell: ({ role }) => roleLabels[role].label },
  { heading: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { heading: 'Expires', cell: ({ expiresAt }) => <Timestamp at={expiresAt} /> },
  {
    heading: 'Actions',
    hideHeading: true,
    end: true,
    cell: ({ id, email }) => (
      <Button compact aria-label={`Revoke the invitation for ${email}`} onPress={() => onRevoke(id)}>
        Revoke
      </Button>
    ),
  },
];
