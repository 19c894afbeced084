// Shows the outcomes of link sessions by bank.
import type { LinkSessionStatistics } from '../../api/linkSessions.ts';
import { Card } from '../../components/Card.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { formatNumber, formatPercent } from '../../format.ts';
import { failureLabels } from '../../labels/linkSessions.ts';

type InstitutionOutcomes = LinkSessionStatistics['institutions'][number];
type BankTableProps = { institutions: readonly InstitutionOutcomes[] | undefined; isStale: boolean };

export const BankTable = ({ institutions, isStale }: BankTableProps) => {
  const isEmpty = institutions?.length === 0;
  return (
    <Card title="By bank" description="By last bank selected." flush={!isEmpty}>
      {isEmpty ? (
        <p className="chart-empty">Nobody has selected a bank in this period.</p>
      ) : (
        <Table
          label="By bank"
          columns={columns}
          rows={institutions}
          keyOf={({ institution }) => institution.id}
          isStale={isStale}
          skeletonRows={4}
        />
      )}
    </Card>
  );
};

const columns: Column<InstitutionOutcomes>[] = [
  { heading: 'Bank', cell: ({ institution }) => institution.name },
  { heading: 'Sessions', cell: ({ sessions }) => <Count value={sessions} /> },
  {
    heading: 'Connected',
    cell: ({ connected, sessions }) => <span className="number">{formatPercent(connected / sessions)}</span>,
  },
  { heading: 'Failed', cell: ({ failed }) => <Count value={failed} /> },
  {
    heading: 'Most common reason',
    cell: ({ failures: [first] }) =>
      first ? failureLabels[first.reason] : <span className="muted">None</span>,
  },
];

const Count = ({ value }: { value: number }) => <span className="number">{formatNumber(value)}</span>;
