// Charts of refreshes and requests over time.

import type { Overview } from '../../api/applications.ts';
import { type Series, StackedBarChart } from '../../charts/StackedBarChart.tsx';
import { Card } from '../../components/Card.tsx';
import { formatNumber, formatPercent } from '../../format.ts';
import { ratio, totalsOf } from './health.ts';

/** Times of day for buckets under an hour, else dates. */
const tickFormatFor = ({ bucketSeconds }: Overview): Intl.DateTimeFormat =>
  bucketSeconds < 3_600
    ? new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
    : new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** The chart as a sentence for screen readers. */
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
    <Card title="Refreshes" description="Refused: the user must reconnect. Failed: retried.">
      {total === 0 ? (
        <p className="chart-empty">No connection was refreshed in this period.</p>
      ) : (
        <StackedBarChart
          label="Refreshes"
          summary={joinSentence([
            `${formatNumber(total)} refreshes`,
            `of which ${formatPercent(ratio(succeeded, total))} succeeded`,
            `${formatNumber(refused)} were refused`,
            `${formatNumber(failed)} failed`,
          ])}
          buckets={overview.refreshes}
          series={refreshSeries}
          tickFormat={tickFormatFor(overview)}
        />
      )}
    </Card>
  );
};

const requestSeries: Series<'answered' | 'clientErrors' | 'serverErrors'>[] = [
  { name: 'answered', label: 'Answered', tone: 'accent' },
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
    <Card title="Requests" description="Requests of your backend to the API.">
      {requests === 0 ? (
        <p className="chart-empty">Your backend made no request in this period.</p>
      ) : (
        <StackedBarChart
          label="Requests"
          summary={joinSentence([
            `${formatNumber(requests)} requests`,
            `of which ${formatNumber(clientErrors)} were refused`,
            `${formatNumber(serverErrors)} failed`,
          ])}
          buckets={buckets}
          series={requestSeries}
          tickFormat={tickFormatFor(overview)}
        />
      )}
    </Card>
  );
};
