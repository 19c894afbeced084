// Who belongs to an organization and in which role. Only owners see invitations and can change anything.
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { Mark } from '../../parts/Mark.tsx';
import { Page } from '../../parts/Page.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { When } from '../../parts/When.tsx';
import { type Member, membersQuery } from '../../service/members.ts';
import { usePlace } from '../../shell/place.ts';
import { roleWords } from '../../texts/roles.ts';
import { Invitations } from './Invitations.tsx';
import { Invite } from './Invite.tsx';
import { MemberMenu } from './MemberMenu.tsx';
import { OrganizationName } from './OrganizationName.tsx';

export const Members = () => {
  const { organization, session, may } = usePlace();
  const found = useQuery(membersQuery(organization.id));
  const [isInviting, setInviting] = useState(false);
  const invite = may('owner') && (
    <Button primary onPress={() => setInviting(true)}>
      <UserPlus size={16} aria-hidden="true" />
      Invite a member
    </Button>
  );
  const owners = found.data?.filter(({ role }) => role === 'owner').length ?? 0;
  return (
    <Page
      title="Members"
      note={`Who can see and change what belongs to ${organization.name}.`}
      actions={invite}
    >
      {found.isError ? (
        <Failure error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
      ) : (
        <Card flush>
          <Table
            label="Members"
            columns={columnsFor({ selfId: session.member.id, isOwner: may('owner'), owners })}
            rows={found.data}
            keyOf={({ id }) => id}
            expects={3}
          />
        </Card>
      )}
      {may('owner') && <Invitations onInvite={() => setInviting(true)} />}
      {may('owner') && <OrganizationName />}
      <Invite isOpen={isInviting} onClose={() => setInviting(false)} />
    </Page>
  );
};

type For = { selfId: string; isOwner: boolean; owners: number };

const columnsFor = ({ selfId, isOwner, owners }: For): Column<Member>[] => [
  {
    heading: 'Name',
    cell: ({ id, name, email }) => (
      <span className="row" style={{ flexWrap: 'nowrap' }}>
        <Mark name={name} round />
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
  { heading: 'Role', cell: ({ role }) => roleWords[role].label },
  { heading: 'Joined', cell: ({ joinedAt }) => <When at={joinedAt} dateOnly /> },
  { heading: 'Last seen', cell: ({ lastSeenAt }) => <When at={lastSeenAt} /> },
  ...(isOwner
    ? [
        {
          heading: 'Actions',
          quiet: true,
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
