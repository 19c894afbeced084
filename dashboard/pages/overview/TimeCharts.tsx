// Refreshes and requests over time.

import type { Overview } from '../../api/applications.ts';
import { type Series, StackedBarChart } from '../../charts/StackedBarChart.tsx';
import { Card } from '../../components/Card.tsx';
import { formatNumber, formatPercent, ratio, totalsOf } from './health.ts';

/** Hours where steps are short, days where they are long. */
const tickFormatFor = ({ bucketSeconds }: Overview): Intl.DateTimeFormat =>
  bucketSeconds < 3_600
    ? new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
    : new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** The chart in words, for those who do not see it. */
const joinSentence = (parts: string[]): string => `${parts.join(', ')}.`;

const refreshSeries: Series<'succeeded' | 'refused' | 'failed'>[] = [
  { name: 'succeeded', label: 'Succeeded', tone: 'good' },
  { name: 'refused', label: 'Refused', tone: 'warn' },
  { name: 'failed', label: 'Failed', tone: 'bad' },
];

export const RefreshChart = ({ overview }: { overview: Overview }) => {
  const { succeeded, refused, failed } = totalsOf(overview);
  const all = succeeded + refused + failed;
  return (
    <Card title="Refreshes" description="Refused: the user must reconnect. Failed: tried again.">
      {all === 0 ? (
        <p className="chart-empty">No connection was refreshed in this time.</p>
      ) : (
        <StackedBarChart
          label="Refreshes"
          summary={joinSentence([
            `${formatNumber(all)} refreshes`,
            `of which ${formatPercent(ratio(succeeded, all))} succeeded`,
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
  const steps = overview.requests.map((step) => ({
    ...step,
    answered: step.requests - step.clientErrors - step.serverErrors,
  }));
  return (
    <Card title="Requests" description="What your backend asked of the interface.">
      {requests === 0 ? (
        <p className="chart-empty">Your backend asked for nothing in this time.</p>
      ) : (
        <StackedBarChart
          label="Requests"
          summary={joinSentence([
            `${formatNumber(requests)} requests`,
            `of which ${formatNumber(clientErrors)} were refused`,
            `${formatNumber(serverErrors)} failed`,
          ])}
          buckets={steps}
          series={requestSeries}
          tickFormat={tickFormatFor(overview)}
        />
      )}
    </Card>
  );
};
