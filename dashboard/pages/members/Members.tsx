// Lists an organization's members and their roles. Only owners see invitations and can change anything.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Member, membersQuery } from '../../api/members.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { UserPlus } from '../../components/icons.tsx';
import { Page } from '../../components/Page.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { roleLabels } from '../../labels/roles.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { Company } from './Company.tsx';
import { Invitations } from './Invitations.tsx';
import { InviteMember } from './InviteMember.tsx';
import { MemberMenu } from './MemberMenu.tsx';
import { OrganizationName } from './OrganizationName.tsx';
import { RequirePasskeys } from './RequirePasskeys.tsx';

export const Members = () => {
  const { organization, session, hasRole } = useOrgContext();
  const query = useQuery(membersQuery(organization.id));
  const [isInviting, setInviting] = useState(false);
  const inviteButton = hasRole('owner') && (
    <Button primary onPress={() => setInviting(true)}>
      <UserPlus size={16} aria-hidden="true" />
      Invite a member
    </Button>
  );
  const ownerCount = query.data?.filter(({ role }) => role === 'owner').length ?? 0;
  return (
    <Page title="Members" description={`Who has access to ${organization.name}.`} actions={inviteButton}>
      {query.isError ? (
        <QueryError query={query} />
      ) : (
        <Card flush>
          <Table
            label="Members"
            columns={columnsFor({ selfId: session.member.id, isOwner: hasRole('owner'), ownerCount })}
            rows={query.data}
            keyOf={({ id }) => id}
            skeletonRows={3}
          />
        </Card>
      )}
      {hasRole('owner') && <Invitations onInvite={() => setInviting(true)} />}
      {hasRole('owner') && <OrganizationName />}
      {hasRole('owner') && <RequirePasskeys />}
      {hasRole('owner') && <Company />}
      <InviteMember isOpen={isInviting} onClose={() => setInviting(false)} />
    </Page>
  );
};

type ColumnContext = { selfId: string; isOwner: boolean; ownerCount: number };

const columnsFor = ({ selfId, isOwner, ownerCount }: ColumnContext): Column<Member>[] => [
  {
    heading: 'Name',
    cell: ({ id, name, email }) => (
      <span className="row" style={{ flexWrap: 'nowrap' }}>
        <Avatar name={name} round />
        <span className="two-lines">
          <strong>
            {name}
            {id === selfId && <span className="muted"> (you)</span>}
          </strong>
          <span className="small muted">{email}</span>
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
              isLastOwner={member.role === 'owner' && ownerCount === 1}
            />
          ),
        },
      ]
    : []),
];
