// Refreshes and requests over time.
import { type Series, StackedBars } from '../../charts/StackedBars.tsx';
import { Card } from '../../parts/Card.tsx';
import type { Overview } from '../../service/applications.ts';
import { number, percent, shareOf, totalsOf } from './health.ts';

/** Hours where steps are short, days where they are long. */
const tickFor = ({ stepSeconds }: Overview): Intl.DateTimeFormat =>
  stepSeconds < 3_600
    ? new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
    : new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** The chart in words, for those who do not see it. */
const sentence = (parts: string[]): string => `${parts.join(', ')}.`;

const refreshSeries: Series<'succeeded' | 'refused' | 'failed'>[] = [
  { name: 'succeeded', label: 'Succeeded', tone: 'good' },
  { name: 'refused', label: 'Refused', tone: 'warn' },
  { name: 'failed', label: 'Failed', tone: 'bad' },
];

export const Refreshes = ({ overview }: { overview: Overview }) => {
  const { succeeded, refused, failed } = totalsOf(overview);
  const all = succeeded + refused + failed;
  return (
    <Card title="Refreshes" note="Refused: the user must reconnect. Failed: tried again.">
      {all === 0 ? (
        <p className="chart-empty">No connection was refreshed in this time.</p>
      ) : (
        <StackedBars
          label="Refreshes"
          summary={sentence([
            `${number(all)} refreshes`,
            `of which ${percent(shareOf(succeeded, all))} succeeded`,
            `${number(refused)} were refused`,
            `${number(failed)} failed`,
          ])}
          steps={overview.refreshes}
          series={refreshSeries}
          tick={tickFor(overview)}
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

export const Requests = ({ overview }: { overview: Overview }) => {
  const { requests, clientErrors, serverErrors } = totalsOf(overview);
  const steps = overview.requests.map((step) => ({
    ...step,
    answered: step.requests - step.clientErrors - step.serverErrors,
  }));
  return (
    <Card title="Requests" note="What your backend asked of the interface.">
      {requests === 0 ? (
        <p className="chart-empty">Your backend asked for nothing in this time.</p>
      ) : (
        <StackedBars
          label="Requests"
          summary={sentence([
            `${number(requests)} requests`,
            `of which ${number(clientErrors)} were refused`,
            `${number(serverErrors)} failed`,
          ])}
          steps={steps}
          series={requestSeries}
          tick={tickFor(overview)}
        />
      )}
    </Card>
  );
};
