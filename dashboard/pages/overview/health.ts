// Determines an application's health from its metrics.
import type { Schemas } from '../../api/apiClient.ts';
import type { Overview } from '../../api/applications.ts';
import { formatCount, formatNumber } from '../../format.ts';

export type Health = {
  tone: 'good' | 'warn' | 'bad' | 'plain';
  title: string;
  detail: string;
  /** The dashboard section with details. */
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
const maxLoadPercent = 80;

/** True if the application has a connection, even a pending one or one that is not deleted yet. */
export const hasConnection = ({ connections }: Overview): boolean =>
  Object.values(connections).some((count) => count > 0);

/**
 * All problems, most severe first, or one sentence that everything works. Before the first connection, only problems are shown:
 * the first steps explain what to do, but a problem may prevent them.
 */
export const healthOf = (overview: Overview): Health[] => {
  const problems = problemsOf(overview);
  if (problems.length > 0 || !hasConnection(overview)) return problems;
  return [hasActivity(overview) ? everythingWorks(overview) : noActivity];
};

/**
 * The problems, most severe first: no worker, server errors, waiting users and work, an untrusted proxy, failing banks and
 * webhook endpoints, and connections that need their user.
 */
const problemsOf = (overview: Overview): Health[] => {
  const { ignoredProxy, overdueImports, overdueRefreshes, refreshLoad, signInsOverLimit, webhooks } =
    overview;
  const totals = totalsOf(overview);
  const { active, needsReconnect } = overview.connections;
  const refreshes = totals.succeeded + totals.refused + totals.failed;
  const problems: [boolean, () => Health][] = [
    [overview.workers === 0, () => noWorker],
    [exceeds(totals.serverErrors, totals.requests, maxServerErrorRatio), () => serverErrors(totals)],
    [overdueImports.count > 0, () => waitingImports(overdueImports)],
    [signInsOverLimit.allowed + signInsOverLimit.refused > 0, () => tooManySignIns(signInsOverLimit)],
    [ignoredProxy !== undefined, () => untrustedProxy(ignoredProxy!)],
    [overdueRefreshes.count > 0, () => waitingRefreshes(overdueRefreshes)],
    [(refreshLoad?.percent ?? 0) > maxLoadPercent, () => fullInstitution(refreshLoad!)],
    [exceeds(totals.failed, refreshes, maxRefreshFailureRatio), () => failingRefreshes],
    [webhooks.disabled + webhooks.failing > 0, () => failingEndpoints(webhooks)],
    [
      exceeds(needsReconnect, active + needsReconnect, maxReconnectRatio),
      () => waitingReconnects(needsReconnect),
    ],
  ];
  return problems.filter(([applies]) => applies).map(([, describe]) => describe());
};

const exceeds = (part: number, whole: number, maxRatio: number): boolean =>
  (ratio(part, whole) ?? 0) > maxRatio;

const hasActivity = (overview: Overview): boolean => {
  const { succeeded, refused, failed, requests } = totalsOf(overview);
  const { active, needsReconnect } = overview.connections;
  return active + needsReconnect + succeeded + refused + failed + requests > 0;
};

const everythingWorks = ({ refreshLoad }: Overview): Health => ({
  tone: 'good',
  title: 'Everything works',
  detail: `Refreshes and API requests are healthy.${refreshLoad ? ` ${refreshLoad.institution} uses ${refreshLoad.percent}% of its refresh capacity.` : ''}`,
});

const noActivity: Health = {
  tone: 'plain',
  title: 'No activity yet',
  detail: 'Connect a bank to see its health here.',
};

const noWorker: Health = {
  tone: 'bad',
  title: 'No worker is running',
  detail:
    'Connections are not refreshed, and nobody can connect a bank. Start a worker: run “serve” without --no-worker, or run “worker”.',
};

const serverErrors = (totals: { serverErrors: number; requests: number }): Health => ({
  tone: 'bad',
  title: 'Some requests are failing',
  detail: `${formatNumber(totals.serverErrors)} of ${formatCount(totals.requests, 'request')} failed with a server error. See the service’s log.`,
});

const waitingImports = ({ count, longestSeconds }: Schemas['OverdueJobs']): Health => ({
  tone: 'bad',
  title: `${formatCount(count, 'user')} ${count === 1 ? 'is' : 'are'} waiting in the widget`,
  detail: `Their imports have been waiting for a worker for up to ${formatCount(Math.floor(longestSeconds / 60), 'minute')}. Run more workers.`,
});

const tooManySignIns = ({ allowed, refused }: Overview['signInsOverLimit']): Health => ({
  tone: 'warn',
  title: 'Too many sign-ins at banks',
  detail: `${formatCount(allowed + refused, 'sign-in')} in the last hour exceeded the per-minute limit. ${formatNumber(refused)} from addresses with unsuccessful sign-ins ${refused === 1 ? 'was' : 'were'} refused. If this is not an attack, ask the operator to raise the limit.`,
});

const untrustedProxy = (proxyIp: string): Health => ({
  tone: 'warn',
  title: 'All users count as one client',
  detail: `Requests come through ${proxyIp}, whose X-Forwarded-For header is ignored, so all of its clients share the limits of one address. If this is your proxy, ask the operator to list it in TRUSTED_PROXIES.`,
});

const waitingRefreshes = ({ count, longestSeconds }: Schemas['OverdueJobs']): Health => ({
  tone: 'warn',
  title: `${formatNumber(count)} ${count === 1 ? 'refresh is' : 'refreshes are'} overdue`,
  detail: `Overdue by up to ${formatCount(Math.floor(longestSeconds / 3600), 'hour')}. If the number doesn’t fall, run more workers.`,
});

const fullInstitution = ({ institution, percent }: NonNullable<Overview['refreshLoad']>): Health => ({
  tone: 'warn',
  title: `${institution} uses ${percent}% of its refresh capacity`,
  detail: 'Above 100%, refreshes become overdue. Run more workers, or raise their limits.',
});

const failingRefreshes: Health = {
  tone: 'warn',
  title: 'Many refreshes are failing',
  detail:
    'Banks are unreachable or do not respond in time. The service retries automatically. See the slowest banks below.',
};

const failingEndpoints = ({ failing, disabled }: Overview['webhooks']): Health => ({
  tone: 'warn',
  title: `${formatCount(failing + disabled, 'webhook endpoint')} ${failing + disabled === 1 ? 'is' : 'are'} not working`,
  detail: `${formatNumber(failing)} failing, ${formatNumber(disabled)} disabled. A failing endpoint is disabled after five days without a success. A disabled endpoint receives no events until you enable it.`,
  section: { path: 'webhooks', label: 'Show endpoints' },
});

const waitingReconnects = (count: number): Health => ({
  tone: 'warn',
  title: `${formatCount(count, 'connection')} ${count === 1 ? 'needs attention' : 'need attention'}`,
  detail:
    count === 1
      ? 'This user must sign in again. Reopen the widget with their connection id.'
      : 'These users must sign in again. Reopen the widget with their connection ids.',
});
