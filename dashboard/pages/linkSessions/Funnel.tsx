// Shows how many link sessions reached each step, as bars.
import type { LinkSessionStatistics } from '../../api/linkSessions.ts';
import { ShareBar } from '../../charts/ShareBar.tsx';
import { Card } from '../../components/Card.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { formatCount, formatNumber, formatPercent } from '../../format.ts';
import { reachedLabels } from '../../labels/linkSessions.ts';

type Step = { label: string; count: number; of: number };

const stepsOf = ({ opened, reconnects, reached, connected }: LinkSessionStatistics): Step[] => [
  { label: reachedLabels.consent, count: opened, of: opened },
  { label: reachedLabels.institution, count: reached.institution, of: opened - reconnects },
  ...(['credentials', 'accounts', 'importing', 'finished'] as const).map((state) => ({
    ...{ label: reachedLabels[state], count: reached[state], of: opened },
  })),
  { label: 'Connected', count: connected, of: opened },
];

export const Funnel = ({ statistics }: { statistics: LinkSessionStatistics | undefined }) => (
  <Card title="How far users get" description={statistics && reconnectNote(statistics)}>
    {!statistics && <Skeleton lines={7} />}
    {statistics?.opened === 0 && <p className="chart-empty">Nobody has opened the widget in this period.</p>}
    {statistics && statistics.opened > 0 && (
      <ol className="meter-list" aria-label="How far users get">
        {stepsOf(statistics).map(({ label, count, of }) => (
          <li key={label}>
            <div className="line">
              <span>{label}</span>
              <span className="number nowrap">
                {formatNumber(count)} · {formatPercent(of > 0 ? count / of : undefined)}
              </span>
            </div>
            <ShareBar
              isThin
              parts={[
                { name: 'reached', value: count, tone: 'accent' },
                { name: 'not reached', value: of - count, tone: 'none' },
              ]}
            />
          </li>
        ))}
      </ol>
    )}
  </Card>
);

const reconnectNote = ({ reconnects }: LinkSessionStatistics): string | undefined =>
  reconnects > 0
    ? `Includes ${formatCount(reconnects, 'reconnect')}, where the bank is already selected.`
    : undefined;
