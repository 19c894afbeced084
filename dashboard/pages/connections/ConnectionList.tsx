// Lists an application's connections with filters and pagination.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Application, institutionsQuery } from '../../api/applications.ts';
import { type Connection, connectionsQuery } from '../../api/connections.ts';
import { Badge } from '../../components/Badge.tsx';
import { LinkButton } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { SearchInput } from '../../components/Field.tsx';
import { Landmark } from '../../components/icons.tsx';
import { ListContent } from '../../components/ListContent.tsx';
import { Pager, usePaging } from '../../components/Pager.tsx';
import { Select } from '../../components/Select.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { useApplicationNow } from '../../components/useApplicationNow.ts';
import { useDebounced } from '../../components/useDebounced.ts';
import { stateLabels } from '../../labels/connections.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { type Filters, lastRefreshOptions, stateOptions, toQuery, useFilters } from './filters.ts';

export const ConnectionList = ({ application }: { application: Application }) => {
  const { root } = useOrgContext();
  const { filters, setFilters } = useFilters();
  const now = useApplicationNow(application);
  const paging = usePaging();
  const changeFilters = (next: Partial<Filters>) => {
    setFilters(next);
    paging.restart();
  };
  const search = useDebounced(filters.search);
  const filter = toQuery({ ...filters, search }, now);
  const query = useQuery(connectionsQuery(application.id, filter, paging.cursor));
  return (
    <Card flush>
      <FilterBar application={application} filters={filters} onChange={changeFilters} />
      <ListContent
        query={query}
        isEmpty={query.data?.connections.length === 0}
        isFiltered={Object.keys(filter).length > 0}
        none={<NoConnections application={application} />}
        noMatch={{
          title: 'No matching connections',
          hint: 'Enter the beginning of a user id, or a complete connection id.',
        }}
        onShowAll={() => changeFilters({ search: '', institution: 'any', state: 'any', lastRefresh: 'any' })}
      >
        <Table
          label="Connections"
          columns={columnsFor({ root, applicationId: application.id, now })}
          rows={query.data?.connections}
          keyOf={({ id }) => id}
          isLinked
          isStale={query.isPlaceholderData}
          skeletonRows={8}
        />
      </ListContent>
      <Pager paging={paging} nextCursor={query.data?.nextCursor} isLoading={query.isPlaceholderData} />
    </Card>
  );
};

type FilterBarProps = {
  application: Application;
  filters: Filters;
  onChange: (next: Partial<Filters>) => void;
};

const FilterBar = ({ application, filters, onChange }: FilterBarProps) => {
  const { data: institutions = [] } = useQuery(institutionsQuery(application.id));
  const institutionOptions = institutions.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <search className="filters">
      <SearchInput
        label="User or connection"
        placeholder="Your user id, or con_…"
        value={filters.search}
        onChange={(search) => onChange({ search })}
      />
      <Select
        label="Bank"
        value={filters.institution}
        options={[{ value: 'any', label: 'Any bank' }, ...institutionOptions]}
        onChange={(institution) => onChange({ institution })}
      />
      <Select
        label="State"
        value={filters.state}
        options={stateOptions}
        onChange={(state) => onChange({ state })}
      />
      <Select
        label="Last refresh"
        value={filters.lastRefresh}
        options={lastRefreshOptions}
        onChange={(lastRefresh) => onChange({ lastRefresh })}
      />
    </search>
  );
};

const NoConnections = ({ application }: { application: Application }) => {
  const { root } = useOrgContext();
  return (
    <EmptyState
      icon={Landmark}
      title="No connections yet"
      actions={
        <>
          <LinkButton primary to={`${root}/applications/${application.id}/code`}>
            View code
          </LinkButton>
          {application.environment === 'sandbox' && (
            <LinkButton to={`${root}/sandbox`}>View test users</LinkButton>
          )}
        </>
      }
    >
      Add the widget to your page. Once a user connects a bank, the connection appears here.
    </EmptyState>
  );
};

type ColumnContext = { root: string; applicationId: string; now: number };

const columnsFor = ({ root, applicationId, now }: ColumnContext): Column<Connection>[] => [
  {
    heading: 'User',
    cell: ({ id, externalUserId }) => (
      <span className="two-lines">
        <Link className="row-link" to={`${root}/applications/${applicationId}/connections/${id}`}>
          {externalUserId ?? 'Anonymous user'}
        </Link>
        <code className="small muted">{id}</code>
      </span>
    ),
  },
  { heading: 'Bank', cell: ({ institution }) => institution.name },
  { heading: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { heading: 'Last refresh', cell: ({ refreshedAt }) => <Timestamp at={refreshedAt} now={now} /> },
  { heading: 'Linked', cell: ({ createdAt }) => <Timestamp at={createdAt} now={now} />, end: true },
];

export const StateBadge = ({ state }: Pick<Connection, 'state'>) => (
  <Badge tone={stateLabels[state].tone} dot>
    {stateLabels[state].label}
  </Badge>
);
