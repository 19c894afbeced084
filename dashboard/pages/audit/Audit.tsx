// Who did what, and when: filtered, page by page, and as a file.
import { useQuery } from '@tanstack/react-query';
import { Download, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Choose } from '../../parts/Choose.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { Page } from '../../parts/Page.tsx';
import { Pager, usePaging } from '../../parts/Pager.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { When } from '../../parts/When.tsx';
import {
  type AuditAction,
  type AuditEvent,
  type AuditFilters,
  auditQuery,
  exportAddress,
} from '../../service/audit.ts';
import { membersQuery } from '../../service/members.ts';
import { usePlace } from '../../shell/place.ts';
import { actionWords } from '../../texts/audit.ts';
import { NotThere } from '../NotThere.tsx';
import { DayField } from './DayField.tsx';

export const Audit = () => {
  const { may } = usePlace();
  return may('owner') ? <Log /> : <NotThere />;
};

const Log = () => {
  const { organization } = usePlace();
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
      note="Everything that members did, and everything that was tried. It can be added to, and never changed."
      actions={
        <a className="button" href={exportAddress(organization.id, filters)} download>
          <Download size={16} aria-hidden="true" />
          Export as CSV
        </a>
      }
    >
      <Card flush>
        <FilterBar filters={filters} onChange={change} />
        {found.isError && (
          <div className="card-body">
            <Failure error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
          </div>
        )}
        {isEmpty && (
          <Empty
            picture={ScrollText}
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
          </Empty>
        )}
        {!isEmpty && !found.isError && (
          <Table
            label="Audit log"
            columns={columns}
            rows={found.data?.events}
            keyOf={({ id }) => id}
            isStale={found.isPlaceholderData}
            expects={10}
          />
        )}
        <Pager paging={paging} nextCursor={found.data?.nextCursor} isBusy={found.isPlaceholderData} />
      </Card>
    </Page>
  );
};

const actionOptions = [
  { value: 'any', label: 'Any action' },
  ...(Object.keys(actionWords) as AuditAction[]).map((value) => ({ value, label: actionWords[value] })),
];

type BarProps = { filters: AuditFilters; onChange: (next: Partial<AuditFilters>) => void };

const FilterBar = ({ filters, onChange }: BarProps) => {
  const { organization } = usePlace();
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
  { heading: 'When', cell: ({ at }) => <When at={at} full /> },
  { heading: 'Who', cell: (event) => whoDid(event) },
  { heading: 'What', cell: (event) => <What event={event} /> },
  { heading: 'From where', cell: ({ address }) => address ?? <span className="soft">Unknown</span> },
];

const whoDid = ({ actor, action }: AuditEvent): string =>
  actor.email ??
  (action === 'sign_in_failed' ? 'Somebody who did not get in' : 'The operator, at the command line');

const What = ({ event: { action, subject, details } }: { event: AuditEvent }) => {
  const more = Object.entries(details).map(([name, value]) => `${name}: ${value}`);
  return (
    <span className="two">
      <strong>{actionWords[action] ?? action}</strong>
      {(subject || more.length > 0) && (
        <span className="small soft">{[subject, ...more].filter(Boolean).join(' · ')}</span>
      )}
    </span>
  );
};
