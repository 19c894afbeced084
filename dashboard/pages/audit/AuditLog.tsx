// Who did what, and when: filtered, page by page, and as a file.
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
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { Download, ScrollText } from '../../components/icons.tsx';
import { Page } from '../../components/Page.tsx';
import { Pager, usePaging } from '../../components/Pager.tsx';
import { Choose } from '../../components/Select.tsx';
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
  const found = useQuery(auditQuery(organization.id, filters, paging.cursor));
  const change = (next: Partial<AuditFilters>) => {
    setFilters({ ...filters, ...next });
    paging.restart();
  };
  const isEmpty = found.data?.events.length === 0;
  return (
    <Page
      title="Audit log"
      description="Everything that members did, and everything that was tried. It can be added to, and never changed."
      actions={
        <a className="button" href={exportUrl(organization.id, filters)} download>
          <Download size={16} aria-hidden="true" />
          Export as CSV
        </a>
      }
    >
      <Card flush>
        <FilterBar filters={filters} onChange={change} />
        {found.isError && (
          <div className="card-body">
            <ErrorNotice error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
          </div>
        )}
        {isEmpty && (
          <EmptyState
            icon={ScrollText}
            title="Nothing fits"
            actions={
              <Button
                onPress={() =>
                  change({ memberId: undefined, action: undefined, from: undefined, until: undefined })
                }
              >
                Show all
              </Button>
            }
          >
            Nothing was done that fits these filters.
          </EmptyState>
        )}
        {!isEmpty && !found.isError && (
          <Table
            label="Audit log"
            columns={columns}
            rows={found.data?.events}
            keyOf={({ id }) => id}
            isStale={found.isPlaceholderData}
            skeletonRows={10}
          />
        )}
        <Pager paging={paging} nextCursor={found.data?.nextCursor} isBusy={found.isPlaceholderData} />
      </Card>
    </Page>
  );
};

const actionOptions = [
  { value: 'any', label: 'Any action' },
  ...(Object.keys(actionLabels) as AuditAction[]).map((value) => ({ value, label: actionLabels[value] })),
];

type FilterBarProps = { filters: AuditFilters; onChange: (next: Partial<AuditFilters>) => void };

const FilterBar = ({ filters, onChange }: FilterBarProps) => {
  const { organization } = useOrgContext();
  const { data: members = [] } = useQuery(membersQuery(organization.id));
  const chosen = (value: string) => (value === 'any' ? undefined : value);
  return (
    <search className="filters">
      <Choose
        label="Member"
        value={filters.memberId ?? 'any'}
        options={[
          { value: 'any', label: 'Anybody' },
          ...members.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(value) => onChange({ memberId: chosen(value) })}
      />
      <Choose
        label="Action"
        value={filters.action ?? 'any'}
        options={actionOptions}
        onChange={(value) => onChange({ action: chosen(value) as AuditAction | undefined })}
      />
      <DayField label="From" onChange={(from) => onChange({ from })} day={filters.from} />
      <DayField label="Until" onChange={(until) => onChange({ until })} day={filters.until} isEnd />
    </search>
  );
};

const columns: Column<AuditEvent>[] = [
  { heading: 'When', cell: ({ at }) => <Timestamp at={at} absolute /> },
  { heading: 'Who', cell: (event) => actorName(event) },
  { heading: 'What', cell: (event) => <ActionCell event={event} /> },
  { heading: 'From where', cell: ({ address }) => address ?? <span className="soft">Unknown</span> },
];

const actorName = ({ actor, action }: AuditEvent): string =>
  actor.email ??
  (action === 'sign_in_failed' ? 'Somebody who did not get in' : 'The operator, at the command line');

const ActionCell = ({ event: { action, subject, details } }: { event: AuditEvent }) => {
  const more = Object.entries(details).map(([name, value]) => `${name}: ${value}`);
  return (
    <span className="two">
      <strong>{actionLabels[action] ?? action}</strong>
      {(subject || more.length > 0) && (
        <span className="small soft">{[subject, ...more].filter(Boolean).join(' · ')}</span>
      )}
    </span>
  );
};
