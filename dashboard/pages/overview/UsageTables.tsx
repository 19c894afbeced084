// Which operations and keys are used and refused, and which institutions are slow.

import type { Overview } from '../../api/applications.ts';
import { ShareBar } from '../../charts/ShareBar.tsx';
import { Card } from '../../components/Card.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { formatDuration, formatNumber } from './health.ts';

type Operation = Overview['operations'][number];
type Key = Overview['apiKeys'][number];
type Institution = Overview['institutions'][number];

export const UsageTables = ({ overview }: { overview: Overview }) => (
  <>
    <Card title="Operations" flush={overview.operations.length > 0}>
      {overview.operations.length === 0 ? (
        <p className="soft">No operation was asked for in this time.</p>
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
      <Card title="Access keys" flush={overview.apiKeys.length > 0}>
        {overview.apiKeys.length === 0 ? (
          <p className="soft">No access key was used in this time.</p>
        ) : (
          <Table
            label="Access keys"
            columns={keyColumns}
            rows={overview.apiKeys}
            keyOf={({ keyId }) => keyId}
          />
        )}
      </Card>
      <Card title="Slowest institutions" description="How long a refresh takes, on average.">
        <Institutions institutions={overview.institutions} />
      </Card>
    </div>
  </>
);

const operationColumns: Column<Operation>[] = [
  { heading: 'Operation', cell: ({ operationId }) => <code>{operationId}</code> },
  { heading: 'Requests', end: true, cell: ({ requests }) => <Count of={requests} /> },
  { heading: 'Refused', end: true, cell: ({ clientErrors }) => <Count of={clientErrors} /> },
  { heading: 'Failed', end: true, cell: ({ serverErrors }) => <Count of={serverErrors} /> },
  {
    heading: 'On average',
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
  { heading: 'Requests', end: true, cell: ({ requests }) => <Count of={requests} /> },
  { heading: 'Refused', end: true, cell: ({ clientErrors }) => <Count of={clientErrors} /> },
  { heading: 'Failed', end: true, cell: ({ serverErrors }) => <Count of={serverErrors} /> },
];

/** Nothing is said softly, so that what is not nothing stands out. */
const Count = ({ of }: { of: number }) => (
  <span className={of === 0 ? 'number soft' : 'number'}>{formatNumber(of)}</span>
);

const Institutions = ({ institutions }: { institutions: Institution[] }) => {
  if (institutions.length === 0) return <p className="soft">No institution was refreshed in this time.</p>;
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
          <span className="small soft number">
            {formatNumber(refreshes)} {refreshes === 1 ? 'refresh' : 'refreshes'}
            {failures > 0 && `, ${formatNumber(failures)} failed`}
          </span>
        </li>
      ))}
    </ul>
  );
};
