// The health of an application, computed from its metrics.
import type { Overview } from '../../api/applications.ts';
import { formatCount, formatNumber } from '../../format.ts';

export type Health = {
  tone: 'good' | 'warn' | 'bad' | 'plain';
  title: string;
  detail: string;
  /** The section of the dashboard that shows more. */
  section?: { path: string; label: string };
};

export const totalsOf = ({ refreshes, requests }: Pick<Overview, 'refreshes' | 'requests'>) => ({
  succeeded: sum(refreshes, 'succeeded'),
  refused: sum(refreshes, 'refused'),
  failed: sum(refreshes, 'failed'),
  requests: sum(requests, 'requests'),
  clientErrors: sum(requests, 'clientErrors'),
  serverErrors: sum(requests, 'serverErrors'),
});

const sum = <Key extends string>(buckets: readonly Record<Key, number | string>[], key: Key): number =>
  buckets.reduce((total, bucket) => total + Number(bucket[key]), 0);

/** `part / whole`; undefined if the whole is 0. */
export const ratio = (part: number, whole: number): number | undefined =>
  whole > 0 ? part / whole : undefined;

const maxRefreshFailureRatio = 0.1;
const maxServerErrorRatio = 0.01;
const maxReconnectRatio = 0.1;

/**
 * The most severe problem: no worker, errors of the service, then of institutions and webhook endpoints, then connections
 * that need their user.
 */
export const healthOf = (overview: Overview): Health => {
  const totals = totalsOf(overview);
  const { active, needsReconnect } = overview.connections;
  const refreshes = totals.succeeded + totals.refused + totals.failed;
  const { count: overdue, longestSeconds } = overview.overdueRefreshes;
  const { failing, disabled } = overview.webhooks;
  if (overview.workers === 0) {
    return {
      tone: 'bad',
      title: 'No worker is running',
      detail:
        'Connections are not refreshed, and nobody can connect a bank. Start the service with a worker: the command serve without --no-worker, or the command worker.',
    };
  }
  if ((ratio(totals.serverErrors, totals.requests) ?? 0) > maxServerErrorRatio) {
    return {
      tone: 'bad',
      title: 'Some requests fail inside the service',
      detail: `${formatCount(totals.serverErrors, 'request')} of ${formatNumber(totals.requests)} failed with an error of the service. See its log.`,
    };
  }
  if (overdue > 0) {
    return {
      tone: 'warn',
      title: `${formatNumber(overdue)} ${overdue === 1 ? 'refresh is' : 'refreshes are'} overdue`,
      detail: `Due for up to ${formatCount(Math.floor(longestSeconds / 3600), 'hour')}. If the number does not fall, run more workers.`,
    };
  }
  if ((ratio(totals.failed, refreshes) ?? 0) > maxRefreshFailureRatio) {
    return {
      tone: 'warn',
      title: 'Many refreshes fail',
      detail:
        'Institutions cannot be reached or do not answer in time. The service retries; see the slowest institutions below.',
    };
  }
  if (disabled + failing > 0) {
    const count = disabled + failing;
    return {
      tone: 'warn',
      title: `${formatCount(count, 'webhook endpoint')} ${count === 1 ? 'does' : 'do'} not work`,
      detail: `${formatNumber(failing)} failing, ${formatNumber(disabled)} disabled. A failing endpoint is disabled after five days without a success; a disabled one gets no events until it is enabled.`,
      section: { path: 'webhooks', label: 'Show the endpoints' },
    };
  }
  if ((ratio(needsReconnect, active + needsReconnect) ?? 0) > maxReconnectRatio) {
    return {
      tone: 'warn',
      title: `${formatCount(needsReconnect, 'connection')} ${needsReconnect === 1 ? 'needs attention' : 'need attention'}`,
      detail:
        needsReconnect === 1
          ? 'Their bank wants them to sign in again. Open the widget for them with the id of the connection.'
          : 'Their banks want them to sign in again. Open the widget for each with the id of the connection.',
    };
  }
  if (active + needsReconnect + refreshes + totals.requests === 0) {
    return {
      tone: 'plain',
      title: 'No activity yet',
      detail: 'Connect an institution to see its health here.',
    };
  }
  return {
    tone: 'good',
    title: 'Everything works',
    detail: 'Institutions are refreshed and requests are answered.',
  };
};
