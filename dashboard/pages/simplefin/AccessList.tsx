// Lists an application's SimpleFIN accesses, with a search by user and pagination.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Application } from '../../api/applications.ts';
import { type SimplefinAccess, simplefinAccessesQuery } from '../../api/simplefinAccesses.ts';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { SearchInput } from '../../components/Field.tsx';
import { Share2 } from '../../components/icons.tsx';
import { ListContent } from '../../components/ListContent.tsx';
import { Pager, usePaging } from '../../components/Pager.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { useDebounced } from '../../components/useDebounced.ts';
import { accessStateLabels } from '../../labels/simplefin.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { RevokeAccess } from './RevokeAccess.tsx';

export const AccessList = ({ application }: { application: Application }) => {
  const { hasRole } = useOrgContext();
  const [user, setUser] = useState('');
  const [revoking, setRevoking] = useState<SimplefinAccess>();
  const paging = usePaging();
  const changeUser = (next: string) => {
    setUser(next);
    paging.restart();
  };
  const externalUserId = useDebounced(user.trim());
  const filters = externalUserId === '' ? {} : { externalUserId };
  const query = useQuery(simplefinAccessesQuery(application.id, filters, paging.cursor));
  const accesses = query.data?.accesses;
  return (
    <Card title="Apps with access" description="Newest first." flush>
      <search className="filters">
        <SearchInput label="User" placeholder="Your complete user id" value={user} onChange={changeUser} />
      </search>
      <ListContent
        query={query}
        isEmpty={accesses?.length === 0}
        isFiltered={externalUserId !== ''}
        none={<NoAccesses />}
        noMatch={{ title: 'No matching apps', hint: 'No app has access to a user with this exact id.' }}
        onShowAll={() => changeUser('')}
      >
        <Table
          label="Apps with access"
          columns={columnsFor(hasRole('developer') ? setRevoking : undefined)}
          rows={accesses}
          keyOf={({ id }) => id}
          isStale={query.isPlaceholderData}
          skeletonRows={5}
        />
      </ListContent>
      <Pager paging={paging} nextCursor={query.data?.nextCursor} isLoading={query.isPlaceholderData} />
      <RevokeAccess
        application={application}
        access={revoking}
        onRevoked={() => accesses?.length === 1 && paging.back()}
        onClose={() => setRevoking(undefined)}
      />
    </Card>
  );
};

const NoAccesses = () => (
  <EmptyState icon={Share2} title="Nothing shared yet">
    To share a user’s accounts, call <code>POST /simplefin/accesses</code> from your backend or run the
    command <code>simplefin create</code>. Then paste the setup token into the app.
  </EmptyState>
);

const columnsFor = (onRevoke: ((access: SimplefinAccess) => void) | undefined): Column<SimplefinAccess>[] => [
  {
    heading: 'Label',
    cell: ({ id, label }) => (
      <span className="two-lines">
        <strong className="long">{label}</strong>
        <code className="small muted">{id}</code>
      </span>
    ),
  },
  {
    heading: 'User',
    cell: ({ externalUserId }) => externalUserId ?? <span className="muted">Anonymous user</span>,
  },
  {
    heading: 'State',
    cell: ({ state, postedOnly }) => (
      <span>
        <Badge tone={accessStateLabels[state].tone} dot>
          {accessStateLabels[state].label}
        </Badge>{' '}
        {postedOnly && <Badge tone="plain">Posted only</Badge>}
      </span>
    ),
  },
  { heading: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { heading: 'Last used', cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} /> },
  ...(onRevoke
    ? [
        {
          heading: 'Actions',
          hideHeading: true,
          end: true,
          cell: (access: SimplefinAccess) => (
            <Button compact danger aria-label={`Revoke ${access.label}`} onPress={() => onRevoke(access)}>
              Revoke
            </Button>
          ),
        },
      ]
    : []),
];
