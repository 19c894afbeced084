// One application's connections, page by page.
import { useQuery } from '@tanstack/react-query';
import { Landmark, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useApplicationNow } from '../../parts/applicationTime.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Button, LinkButton } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Choose } from '../../parts/Choose.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { SearchInput } from '../../parts/Field.tsx';
import { Pager, usePaging } from '../../parts/Pager.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { When } from '../../parts/When.tsx';
import { type Application, institutionsQuery } from '../../service/applications.ts';
import { type Connection, connectionsQuery } from '../../service/connections.ts';
import { usePlace } from '../../shell/place.ts';
import { stateWords } from '../../texts/connections.ts';
import { asQuery, type Filters, quietFor, stateOptions, useFilters } from './filters.ts';

export const ConnectionList = ({ application }: { application: Application }) => {
  const { root } = usePlace();
  const { filters, setFilters } = useFilters();
  const now = useApplicationNow(application);
  const paging = usePaging();
  const change = (next: Partial<Filters>) => {
    setFilters(next);
    paging.restart();
  };
  const search = useSettled(filters.search);
  const query = asQuery({ ...filters, search }, now);
  const found = useQuery(connectionsQuery(application.id, query, paging.cursor));
  const isFiltered = Object.keys(query).length > 0;
  const isEmpty = found.data?.connections.length === 0;
  return (
    <Card flush>
      <FilterBar application={application} filters={filters} onChange={change} />
      {found.isError && (
        <div className="card-body">
          <Failure error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
        </div>
      )}
      {isEmpty && !isFiltered && <NoneYet application={application} />}
      {isEmpty && isFiltered && (
        <Empty
          picture={SearchX}
          title="No connection fits"
          actions={
            <Button onPress={() => change({ search: '', institution: 'any', state: 'any', quiet: 'any' })}>
              Show all
            </Button>
          }
        >
          A user id is found by its beginning, a connection id only as a whole.
        </Empty>
      )}
      {!isEmpty && !found.isError && (
        <Table
          label="Connections"
          columns={columnsFor({ root, applicationId: application.id, now })}
          rows={found.data?.connections}
          keyOf={({ id }) => id}
          isLinked
          isStale={found.isPlaceholderData}
          expects={8}
        />
      )}
      <Pager paging={paging} nextCursor={found.data?.nextCursor} isBusy={found.isPlaceholderData} />
    </Card>
  );
};

/** What was typed, once the typing has paused. */
const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

type BarProps = { application: Application; filters: Filters; onChange: (next: Partial<Filters>) => void };

const FilterBar = ({ application, filters, onChange }: BarProps) => {
  const { data: institutions = [] } = useQuery(institutionsQuery(application.id));
  const banks = institutions.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <search className="filters">
      <SearchInput
        label="User or connection"
        placeholder="Your user id, or con_…"
        value={filters.search}
        onChange={(search) => onChange({ search })}
      />
      <Choose
        label="Institution"
        value={filters.institution}
        options={[{ value: 'any', label: 'Any institution' }, ...banks]}
        onChange={(institution) => onChange({ institution })}
      />
      <Choose
        label="State"
        value={filters.state}
        options={stateOptions}
        onChange={(state) => onChange({ state: state as Filters['state'] })}
      />
      <Choose
        label="Last refresh"
        value={filters.quiet}
        options={quietFor}
        onChange={(quiet) => onChange({ quiet })}
      />
    </search>
  );
};

const NoneYet = ({ application }: { application: Application }) => {
  const { root } = usePlace();
  return (
    <Empty
      picture={Landmark}
      title="Nobody has connected a bank yet"
      actions={
        <>
          <LinkButton primary to={`${root}/applications/${application.id}/code`}>
            See the code
          </LinkButton>
          {application.environment === 'sandbox' && (
            <LinkButton to={`${root}/sandbox`}>See the test users</LinkButton>
          )}
        </>
      }
    >
      Put the widget into your page. As soon as a user finishes it, their connection appears here.
    </Empty>
  );
};

type At = { root: string; applicationId: string; now: number };

const columnsFor = ({ root, applicationId, now }: At): Column<Connection>[] => [
  {
    heading: 'User',
    cell: ({ id, externalUserId }) => (
      <span className="two">
        <Link className="cover" to={`${root}/applications/${applicationId}/connections/${id}`}>
          {externalUserId ?? 'Anonymous user'}
        </Link>
        <code className="small soft">{id}</code>
      </span>
    ),
  },
  { heading: 'Institution', cell: ({ institution }) => institution.name },
  { heading: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { heading: 'Last refresh', cell: ({ refreshedAt }) => <When at={refreshedAt} now={now} /> },
  { heading: 'Linked', cell: ({ createdAt }) => <When at={createdAt} now={now} />, end: true },
];

export const StateBadge = ({ state }: Pick<Connection, 'state'>) => (
  <Badge tone={stateWords[state].tone} dot>
    {stateWords[state].label}
  </Badge>
);
