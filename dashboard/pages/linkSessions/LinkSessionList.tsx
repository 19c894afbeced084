// Lists an application's link sessions with filters and pagination.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Application, institutionsQuery } from '../../api/applications.ts';
import {
  type LinkSession,
  type LinkSessionFilters,
  type LinkSessionOutcome,
  linkSessionsQuery,
} from '../../api/linkSessions.ts';
import { Badge } from '../../components/Badge.tsx';
import { LinkButton } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { SearchInput } from '../../components/Field.tsx';
import { Link2 } from '../../components/icons.tsx';
import { ListContent } from '../../components/ListContent.tsx';
import { Pager, usePaging } from '../../components/Pager.tsx';
import { filterOptions, Select } from '../../components/Select.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { failureLabels, outcomeLabels, reachedLabels } from '../../labels/linkSessions.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { ConnectionLink } from '../connections/ConnectionLink.tsx';

const outcomeOptions = filterOptions('Any outcome', outcomeLabels);

type Filters = { search: string; outcome: LinkSessionOutcome | 'any'; institution: string };

const noFilters: Filters = { search: '', outcome: 'any', institution: 'any' };

const isLinkSessionId = (text: string): boolean => /^lks_[0-9A-Za-z]{22}$/.test(text);

/** An incomplete id does not filter yet. */
const toQuery = ({ search, outcome, institution }: Filters): LinkSessionFilters => ({
  ...(isLinkSessionId(search.trim()) && { linkSessionId: search.trim() }),
  ...(outcome !== 'any' && { outcome }),
  ...(institution !== 'any' && { institutionId: institution }),
});

export const LinkSessionList = ({ application }: { application: Application }) => {
  const { root } = useOrgContext();
  const [filters, setFilters] = useState(noFilters);
  const paging = usePaging();
  const changeFilters = (next: Partial<Filters>) => {
    setFilters({ ...filters, ...next });
    paging.restart();
  };
  const filter = toQuery(filters);
  const query = useQuery(linkSessionsQuery(application.id, filter, paging.cursor));
  return (
    <Card title="Sessions" description="Newest first, kept for 30 days." flush>
      <FilterBar application={application} filters={filters} onChange={changeFilters} />
      <ListContent
        query={query}
        isEmpty={query.data?.linkSessions.length === 0}
        isFiltered={Object.keys(filter).length > 0}
        none={
          <EmptyState
            icon={Link2}
            title="No link sessions yet"
            actions={
              <LinkButton primary to={`${root}/applications/${application.id}/code`}>
                View code
              </LinkButton>
            }
          >
            A session is listed here each time a user opens the widget.
          </EmptyState>
        }
        noMatch={{ title: 'No matching link sessions', hint: 'Change the filters, or show all.' }}
        onShowAll={() => changeFilters(noFilters)}
      >
        <Table
          label="Link sessions"
          columns={columnsFor(`${root}/applications/${application.id}/connections`)}
          rows={query.data?.linkSessions}
          keyOf={({ id }) => id}
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
        label="Link session"
        placeholder="A complete id, lks_…"
        value={filters.search}
        onChange={(search) => onChange({ search })}
      />
      <Select
        label="Outcome"
        value={filters.outcome}
        options={outcomeOptions}
        onChange={(outcome) => onChange({ outcome })}
      />
      <Select
        label="Bank"
        value={filters.institution}
        options={[{ value: 'any', label: 'Any bank' }, ...institutionOptions]}
        onChange={(institution) => onChange({ institution })}
      />
    </search>
  );
};

const columnsFor = (connectionsPath: string): Column<LinkSession>[] => [
  {
    heading: 'Session',
    cell: ({ id, reconnect }) => (
      <span className="two-lines">
        <span>{reconnect ? 'Reconnect' : 'First link'}</span>
        <code className="small muted">{id}</code>
      </span>
    ),
  },
  {
    heading: 'Bank',
    cell: ({ institution }) => institution?.name ?? <span className="muted">None</span>,
  },
  { heading: 'Last step', cell: ({ reached }) => reachedLabels[reached] },
  {
    heading: 'Outcome',
    cell: ({ outcome, reason }) => (
      <span className="two-lines">
        <span>
          <Badge tone={outcomeLabels[outcome].tone}>{outcomeLabels[outcome].label}</Badge>
        </span>
        {reason && <span className="small muted">{failureLabels[reason]}</span>}
      </span>
    ),
  },
  {
    heading: 'Connection',
    cell: ({ connectionId }) => <ConnectionLink path={connectionsPath} id={connectionId} />,
  },
  { heading: 'Opened', end: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
];
