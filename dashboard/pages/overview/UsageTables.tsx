// Shows usage by operation and API key, and the slowest banks.
import type { Overview } from '../../api/applications.ts';
import { ShareBar } from '../../charts/ShareBar.tsx';
import { Card } from '../../components/Card.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { formatDuration, formatNumber } from '../../format.ts';

type Operation = Overview['operations'][number];
type Key = Overview['apiKeys'][number];
type Institution = Overview['institutions'][number];

export const UsageTables = ({ overview }: { overview: Overview }) => (
  <>
    <Card title="Operations" flush={overview.operations.length > 0}>
      {overview.operations.length === 0 ? (
        <p className="muted">No API requests in this period.</p>
      ) : (
        <Table
          label="Operations"
          columns={operationColumns}
          rows={overview.operations}
          keyOf={({ operationId }) => operationId}
        />
      )}
    </Card>
    <div className="columns">
      <Card title="API keys" flush={overview.apiKeys.length > 0}>
        {overview.apiKeys.length === 0 ? (
          <p className="muted">No API keys were used in this period.</p>
        ) : (
          <Table label="API keys" columns={keyColumns} rows={overview.apiKeys} keyOf={({ keyId }) => keyId} />
        )}
      </Card>
      <Card title="Slowest banks" description="Average duration of a refresh.">
        <Institutions institutions={overview.institutions} />
      </Card>
    </div>
  </>
);

const operationColumns: Column<Operation>[] = [
  { heading: 'Operation', cell: ({ operationId }) => <code>{operationId}</code> },
  { heading: 'Requests', end: true, cell: ({ requests }) => <Count value={requests} /> },
  { heading: 'Refused', end: true, cell: ({ clientErrors }) => <Count value={clientErrors} /> },
  { heading: 'Failed', end: true, cell: ({ serverErrors }) => <Count value={serverErrors} /> },
  {
    heading: 'Average',
    end: true,
    cell: ({ averageMs }) => <span className="number">{formatDuration(averageMs)}</span>,
  },
  {
    heading: 'Slowest',
    end: true,
    cell: ({ slowestMs }) => <span className="number">{formatDuration(slowestMs)}</span>,
  },
];

const keyColumns: Column<Key>[] = [
  { heading: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { heading: 'Requests', end: true, cell: ({ requests }) => <Count value={requests} /> },
  { heading: 'Refused', end: true, cell: ({ clientErrors }) => <Count value={clientErrors} /> },
  { heading: 'Failed', end: true, cell: ({ serverErrors }) => <Count value={serverErrors} /> },
];

/** Zeros are muted, so that other numbers stand out. */
const Count = ({ value }: { value: number }) => (
  <span className={value === 0 ? 'number muted' : 'number'}>{formatNumber(value)}</span>
);

const Institutions = ({ institutions }: { institutions: Institution[] }) => {
  if (institutions.length === 0) return <p className="muted">No refreshes in this period.</p>;
  const slowest = Math.max(1, ...institutions.map(({ averageMs }) => averageMs));
  return (
    <ul className="meter-list">
      {institutions.map(({ institution, refreshes, failures, averageMs }) => (
        <li key={institution.id}>
          <div className="line">
            <strong>{institution.name}</strong>
            <span className="number">{formatDuration(averageMs)}</span>
          </div>
          <ShareBar
            isThin
            parts={[
              { name: 'time', value: averageMs, tone: 'accent' },
              { name: 'rest', value: slowest - averageMs, tone: 'none' },
            ]}
          />
          <span className="small muted number">
            {formatNumber(refreshes)} {refreshes === 1 ? 'refresh' : 'refreshes'}
            {failures > 0 && `, ${formatNumber(failures)} failed`}
          </span>
        </li>
      ))}
    </ul>
  );
};
