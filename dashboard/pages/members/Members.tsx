// Who belongs to an organization and in which role. Only owners see invitations and can change anything.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Member, membersQuery } from '../../api/members.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { UserPlus } from '../../components/icons.tsx';
import { Page } from '../../components/Page.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { roleLabels } from '../../labels/roles.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { Invitations } from './Invitations.tsx';
import { InviteMember } from './InviteMember.tsx';
import { MemberMenu } from './MemberMenu.tsx';
import { OrganizationName } from './OrganizationName.tsx';

export const Members = () => {
  const { organization, session, hasRole } = useOrgContext();
  const found = useQuery(membersQuery(organization.id));
  const [isInviting, setInviting] = useState(false);
  const invite = hasRole('owner') && (
    <Button primary onPress={() => setInviting(true)}>
      <UserPlus size={16} aria-hidden="true" />
      Invite a member
    </Button>
  );
  const owners = found.data?.filter(({ role }) => role === 'owner').length ?? 0;
  return (
    <Page
      title="Members"
      description={`Who can see and change what belongs to ${organization.name}.`}
      actions={invite}
    >
      {found.isError ? (
        <ErrorNotice error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
      ) : (
        <Card flush>
          <Table
            label="Members"
            columns={columnsFor({ selfId: session.member.id, isOwner: hasRole('owner'), owners })}
            rows={found.data}
            keyOf={({ id }) => id}
            skeletonRows={3}
          />
        </Card>
      )}
      {hasRole('owner') && <Invitations onInvite={() => setInviting(true)} />}
      {hasRole('owner') && <OrganizationName />}
      <InviteMember isOpen={isInviting} onClose={() => setInviting(false)} />
    </Page>
  );
};

type ColumnContext = { selfId: string; isOwner: boolean; owners: number };

const columnsFor = ({ selfId, isOwner, owners }: ColumnContext): Column<Member>[] => [
  {
    heading: 'Name',
    cell: ({ id, name, email }) => (
      <span className="row" style={{ flexWrap: 'nowrap' }}>
        <Avatar name={name} round />
        <span className="two">
          <strong>
            {name}
            {id === selfId && <span className="soft"> (you)</span>}
          </strong>
          <span className="small soft">{email}</span>
        </span>
      </span>
    ),
  },
  { heading: 'Role', cell: ({ role }) => roleLabels[role].label },
  { heading: 'Joined', cell: ({ joinedAt }) => <Timestamp at={joinedAt} dateOnly /> },
  { heading: 'Last seen', cell: ({ lastSeenAt }) => <Timestamp at={lastSeenAt} /> },
  ...(isOwner
    ? [
        {
          heading: 'Actions',
          hideHeading: true,
          end: true,
          cell: (member: Member) => (
            <MemberMenu
              member={member}
              isSelf={member.id === selfId}
              isLastOwner={member.role === 'owner' && owners === 1}
            />
          ),
        },
      ]
    : []),
];
