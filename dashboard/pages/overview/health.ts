// Whether an application is well, decided from its counts: pure, so that the words on the page follow from it alone.
import type { Overview } from '../../api/applications.ts';

export type Health = { tone: 'good' | 'warn' | 'bad' | 'plain'; title: string; detail: string };

export const totalsOf = ({ refreshes, requests }: Pick<Overview, 'refreshes' | 'requests'>) => ({
  succeeded: sum(refreshes, 'succeeded'),
  refused: sum(refreshes, 'refused'),
  failed: sum(refreshes, 'failed'),
  requests: sum(requests, 'requests'),
  clientErrors: sum(requests, 'clientErrors'),
  serverErrors: sum(requests, 'serverErrors'),
});

export type Totals = ReturnType<typeof totalsOf>;

const sum = <Key extends string>(steps: readonly Record<Key, number | string>[], key: Key): number =>
  steps.reduce((total, step) => total + Number(step[key]), 0);

/** A part of a whole; undefined where there is no whole. */
export const ratio = (part: number, whole: number): number | undefined =>
  whole > 0 ? part / whole : undefined;

const maxRefreshFailureRatio = 0.1;
const maxServerErrorRatio = 0.01;
const maxReconnectRatio = 0.1;

/** The worst first: our own faults, then banks, then users. */
export const healthOf = (overview: Overview): Health => {
  const totals = totalsOf(overview);
  const { active, needsReconnect } = overview.connections;
  const refreshes = totals.succeeded + totals.refused + totals.failed;
  if ((ratio(totals.serverErrors, totals.requests) ?? 0) > maxServerErrorRatio) {
    return {
      tone: 'bad',
      title: 'Some requests fail inside the service',
      detail: `${formatCount(totals.serverErrors, 'request')} of ${formatNumber(totals.requests)} ended with an error of the service. Its log says why.`,
    };
  }
  if ((ratio(totals.failed, refreshes) ?? 0) > maxRefreshFailureRatio) {
    return {
      tone: 'warn',
      title: 'Many refreshes fail',
      detail:
        'Banks cannot be reached, or do not answer in time. The service tries again by itself; see the slowest institutions below.',
    };
  }
  if ((ratio(needsReconnect, active + needsReconnect) ?? 0) > maxReconnectRatio) {
    return {
      tone: 'warn',
      title: `${formatCount(needsReconnect, 'connection')} ${needsReconnect === 1 ? 'needs its user' : 'need their users'}`,
      detail:
        needsReconnect === 1
          ? 'Their bank wants them to sign in again. Open the widget for them with the id of the connection.'
          : 'Their banks want them to sign in again. Open the widget for each with the id of the connection.',
    };
  }
  if (active + needsReconnect + refreshes + totals.requests === 0) {
    return {
      tone: 'plain',
      title: 'Nothing has happened yet',
      detail: 'Connect a first bank, and see here how it is.',
    };
  }
  return { tone: 'good', title: 'All is well', detail: 'Banks are refreshed and requests are answered.' };
};

export const formatNumber = (value: number): string => value.toLocaleString('en-GB');

const formatCount = (value: number, one: string): string =>
  `${formatNumber(value)} ${one}${value === 1 ? '' : 's'}`;

export const formatPercent = (share: number | undefined): string =>
  share === undefined
    ? '–'
    : share > 0.999 && share < 1
      ? '99.9%'
      : `${(share * 100).toLocaleString('en-GB', { maximumFractionDigits: 1 })}%`;

export const formatDuration = (milliseconds: number): string =>
  milliseconds < 1000
    ? `${milliseconds} ms`
    : `${(milliseconds / 1000).toLocaleString('en-GB', { maximumFractionDigits: 1 })} s`;
