// Charts of refreshes and requests over time.
import type { Overview } from '../../api/applications.ts';
import { type Series, StackedBarChart } from '../../charts/StackedBarChart.tsx';
import { Card } from '../../components/Card.tsx';
import { formatNumber, formatPercent } from '../../format.ts';
import { ratio, totalsOf } from './health.ts';

const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** Days or, for buckets under an hour, times of day; the first label of each day includes the day. */
const tickTextsFor =
  ({ bucketSeconds }: Overview) =>
  (ticks: readonly string[]): string[] => {
    const days = ticks.map((at) => dayFormat.format(new Date(at)));
    if (bucketSeconds >= 3_600) return days;
    return ticks.map((at, index) => {
      const time = timeFormat.format(new Date(at));
      return days[index] === days[index - 1] ? time : `${days[index]}, ${time}`;
    });
  };

/** Describes the chart to screen readers in a sentence. */
const joinSentence = (clauses: string[]): string => `${clauses.join(', ')}.`;

const refreshSeries: Series<'succeeded' | 'refused' | 'failed'>[] = [
  { name: 'succeeded', label: 'Succeeded', tone: 'good' },
  { name: 'refused', label: 'Refused', tone: 'warn' },
  { name: 'failed', label: 'Failed', tone: 'bad' },
];

export const RefreshChart = ({ overview }: { overview: Overview }) => {
  const { succeeded, refused, failed } = totalsOf(overview);
  const total = succeeded + refused + failed;
  return (
    <Card
      title="Refreshes"
      description="After a refused refresh, the user must reconnect. Failed ones are retried."
    >
      {total === 0 ? (
        <p className="chart-empty">No connections were refreshed in this period.</p>
      ) : (
        <StackedBarChart
          label="Refreshes"
          summary={joinSentence([
            `${formatNumber(total)} refreshes`,
            `${formatPercent(ratio(succeeded, total))} succeeded`,
            `${formatNumber(refused)} refused`,
            `${formatNumber(failed)} failed`,
          ])}
          buckets={overview.refreshes}
          series={refreshSeries}
          tickTexts={tickTextsFor(overview)}
        />
      )}
    </Card>
  );
};

const requestSeries: Series<'answered' | 'clientErrors' | 'serverErrors'>[] = [
  { name: 'answered', label: 'Succeeded', tone: 'accent' },
  { name: 'clientErrors', label: 'Refused (4xx)', tone: 'warn' },
  { name: 'serverErrors', label: 'Failed (5xx)', tone: 'bad' },
];

export const RequestChart = ({ overview }: { overview: Overview }) => {
  const { requests, clientErrors, serverErrors } = totalsOf(overview);
  const buckets = overview.requests.map((bucket) => ({
    ...bucket,
    answered: bucket.requests - bucket.clientErrors - bucket.serverErrors,
  }));
  return (
    <Card title="Requests" description="API requests from your backend">
      {requests === 0 ? (
        <p className="chart-empty">Your backend sent no requests in this period.</p>
      ) : (
        <StackedBarChart
          label="Requests"
          summary={joinSentence([
            `${formatNumber(requests)} requests`,
            `${formatNumber(clientErrors)} refused`,
            `${formatNumber(serverErrors)} failed`,
          ])}
          buckets={buckets}
          series={requestSeries}
          tickTexts={tickTextsFor(overview)}
        />
      )}
    </Card>
  );
};
