// Lists an application's requests with filters and pagination.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { operations } from '../../../generated/api.ts';
import type { operations as SimplefinOperations } from '../../../generated/simplefin.ts';
import type { Application } from '../../api/applications.ts';
import {
  type LoggedRequest,
  type RequestFilters,
  type RequestOutcome,
  requestsQuery,
} from '../../api/requests.ts';
import { Badge } from '../../components/Badge.tsx';
import { Card } from '../../components/Card.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { SearchInput } from '../../components/Field.tsx';
import { ArrowLeftRight } from '../../components/icons.tsx';
import { ListContent } from '../../components/ListContent.tsx';
import { Pager, usePaging } from '../../components/Pager.tsx';
import { filterOptions, Select } from '../../components/Select.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { formatDuration } from '../../format.ts';
import { outcomeLabels } from '../../labels/requests.ts';

const outcomeOptions = filterOptions('Any result', outcomeLabels);

/** Requests from SimpleFIN apps have no API key and are not logged. */
type OperationWithoutApiKey = 'getSimplefinInfo' | 'claimSimplefinAccess' | 'readSimplefinAccounts';
type OperationId = keyof operations | Exclude<keyof SimplefinOperations, OperationWithoutApiKey>;

/** The compiler checks that no operation is missing. */
const operationIds: Record<OperationId, true> = {
  listConnections: true,
  getConnection: true,
  revokeConnection: true,
  listAccounts: true,
  getAccount: true,
  listTransactions: true,
  getTransaction: true,
  listSimplefinAccesses: true,
  createSimplefinAccess: true,
  revokeSimplefinAccess: true,
};

const operationOptions = [
  { value: 'any', label: 'Any operation' },
  ...Object.keys(operationIds).map((value) => ({ value, label: value })),
];

type Filters = {
  search: string;
  outcome: RequestOutcome | 'any';
  operation: string;
};

const noFilters: Filters = { search: '', outcome: 'any', operation: 'any' };

/** An incomplete id does not filter yet. */
const toQuery = ({ search, outcome, operation }: Filters): RequestFilters => ({
  ...(/^[0-9a-f]{32}$/.test(search.trim()) && { requestId: search.trim() }),
  ...(outcome !== 'any' && { outcome }),
  ...(operation !== 'any' && { operation }),
});

export const RequestList = ({ application }: { application: Application }) => {
  const [params] = useSearchParams();
  const [filters, setFilters] = useState({ ...noFilters, search: params.get('request') ?? '' });
  const paging = usePaging();
  const changeFilters = (next: Partial<Filters>) => {
    setFilters({ ...filters, ...next });
    paging.restart();
  };
  const filter = toQuery(filters);
  const query = useQuery(requestsQuery(application.id, filter, paging.cursor));
  return (
    <Card
      title="Latest requests"
      description="From the last seven days: the newest 1,000 successful requests and the newest 10,000 refused or failed ones. Only requests with a valid API key are listed."
      flush
    >
      <FilterBar filters={filters} onChange={changeFilters} />
      <ListContent
        query={query}
        isEmpty={query.data?.requests.length === 0}
        isFiltered={Object.keys(filter).length > 0}
        none={
          <EmptyState icon={ArrowLeftRight} title="No requests yet">
            Requests from your backend appear within seconds.
          </EmptyState>
        }
        noMatch={{
          title: 'No matching requests',
          hint: 'A request appears within seconds if its API key is valid and belongs to this application.',
        }}
        onShowAll={() => changeFilters(noFilters)}
      >
        <Table
          label="Requests"
          columns={columns}
          rows={query.data?.requests}
          keyOf={({ requestId }) => requestId}
          isStale={query.isPlaceholderData}
          skeletonRows={8}
        />
      </ListContent>
      <Pager paging={paging} nextCursor={query.data?.nextCursor} isLoading={query.isPlaceholderData} />
    </Card>
  );
};

type FilterBarProps = { filters: Filters; onChange: (next: Partial<Filters>) => void };

const FilterBar = ({ filters, onChange }: FilterBarProps) => (
  <search className="filters">
    <SearchInput
      label="Request id"
      placeholder="Request-Id of a response"
      value={filters.search}
      onChange={(search) => onChange({ search })}
    />
    <Select
      label="Result"
      value={filters.outcome}
      options={outcomeOptions}
      onChange={(outcome) => onChange({ outcome })}
    />
    <Select
      label="Operation"
      value={filters.operation}
      options={operationOptions}
      onChange={(operation) => onChange({ operation })}
    />
  </search>
);

const columns: Column<LoggedRequest>[] = [
  {
    heading: 'Request',
    cell: ({ operation, requestId }) => (
      <span className="two-lines">
        <strong>{operation}</strong>
        <code className="small muted">{requestId}</code>
      </span>
    ),
  },
  {
    heading: 'Result',
    cell: ({ outcome, status, code }) => (
      <span className="two-lines">
        <span>
          <Badge tone={outcomeLabels[outcome].tone}>{status}</Badge>
        </span>
        {code && <code className="small muted">{code}</code>}
      </span>
    ),
  },
  {
    heading: 'Invalid parameters',
    cell: ({ parameters }) =>
      parameters.length > 0 ? <code>{parameters.join(', ')}</code> : <span className="muted">None</span>,
  },
  { heading: 'API key', cell: ({ apiKey }) => apiKey?.name ?? <span className="muted">Deleted</span> },
  {
    heading: 'Duration',
    cell: ({ milliseconds }) => <span className="number nowrap">{formatDuration(milliseconds)}</span>,
  },
  { heading: 'Time', end: true, cell: ({ at }) => <Timestamp at={at} /> },
];
