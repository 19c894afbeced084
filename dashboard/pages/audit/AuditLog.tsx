// Shows the audit log to owners, with filters, pagination and CSV export.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AuditAction,
  type AuditEvent,
  type AuditFilters,
  auditQuery,
  exportUrl,
} from '../../api/audit.ts';
import { membersQuery } from '../../api/members.ts';
import { Card } from '../../components/Card.tsx';
import { Download } from '../../components/icons.tsx';
import { ListContent } from '../../components/ListContent.tsx';
import { Page } from '../../components/Page.tsx';
import { Pager, usePaging } from '../../components/Pager.tsx';
import { filterOptions, Select } from '../../components/Select.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { actionLabels } from '../../labels/audit.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { NotFound } from '../NotFound.tsx';
import { DayField } from './DayField.tsx';

export const AuditLog = () => {
  const { hasRole } = useOrgContext();
  return hasRole('owner') ? <AuditLogContent /> : <NotFound />;
};

const AuditLogContent = () => {
  const { organization } = useOrgContext();
  const [filters, setFilters] = useState<AuditFilters>({});
  const paging = usePaging();
  const query = useQuery(auditQuery(organization.id, filters, paging.cursor));
  const changeFilters = (next: Partial<AuditFilters>) => {
    setFilters({ ...filters, ...next });
    paging.restart();
  };
  return (
    <Page
      title="Audit log"
      description="Append-only record of member activity and failed sign-ins"
      actions={
        <a className="button" href={exportUrl(organization.id, filters)} download>
          <Download size={16} aria-hidden="true" />
          Export as CSV
        </a>
      }
    >
      <Card flush>
        <FilterBar filters={filters} onChange={changeFilters} />
        <ListContent
          query={query}
          isEmpty={query.data?.events.length === 0}
          noMatch={{ title: 'No matching events', hint: 'Change the filters, or show all.' }}
          onShowAll={() =>
            changeFilters({ memberId: undefined, action: undefined, from: undefined, until: undefined })
          }
        >
          <Table
            label="Audit log"
            columns={columns}
            rows={query.data?.events}
            keyOf={({ id }) => id}
            isStale={query.isPlaceholderData}
            skeletonRows={10}
          />
        </ListContent>
        <Pager paging={paging} nextCursor={query.data?.nextCursor} isLoading={query.isPlaceholderData} />
      </Card>
    </Page>
  );
};

const actionOptions = filterOptions('Any action', actionLabels);

type FilterBarProps = { filters: AuditFilters; onChange: (next: Partial<AuditFilters>) => void };

const FilterBar = ({ filters, onChange }: FilterBarProps) => {
  const { organization } = useOrgContext();
  const { data: members = [] } = useQuery(membersQuery(organization.id));
  const parseOption = (value: string) => (value === 'any' ? undefined : value);
  return (
    <search className="filters">
      <Select
        label="Member"
        value={filters.memberId ?? 'any'}
        options={[
          { value: 'any', label: 'Any member' },
          ...members.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(value) => onChange({ memberId: parseOption(value) })}
      />
      <Select
        label="Action"
        value={filters.action ?? 'any'}
        options={actionOptions}
        onChange={(value) => onChange({ action: parseOption(value) as AuditAction | undefined })}
      />
      <DayField label="From" onChange={(from) => onChange({ from })} day={filters.from} />
      <DayField label="Until" onChange={(until) => onChange({ until })} day={filters.until} isEnd />
    </search>
  );
};

const columns: Column<AuditEvent>[] = [
  {
    heading: 'Time',
    cell: ({ at }) => (
      <span className="nowrap">
        <Timestamp at={at} absolute />
      </span>
    ),
  },
  { heading: 'Member', cell: (event) => actorName(event) },
  { heading: 'Action', cell: (event) => <ActionCell event={event} /> },
  { heading: 'Address', cell: ({ address }) => address ?? <span className="muted">None</span> },
];

const actorName = ({ actor, action }: AuditEvent): string =>
  actor.email ??
  actor.tokenId ??
  (action === 'sign_in_failed' ? 'Unknown (sign-in failed)' : 'Operator (command line)');

const ActionCell = ({ event: { action, subject, details } }: { event: AuditEvent }) => {
  const detailTexts = Object.entries(details).map(([name, value]) => `${name}: ${value}`);
  return (
    <span className="two-lines">
      <strong>{actionLabels[action] ?? action}</strong>
      {(subject || detailTexts.length > 0) && (
        <span className="small muted">{[subject, ...detailTexts].filter(Boolean).join(' · ')}</span>
      )}
    </span>
  );
};
