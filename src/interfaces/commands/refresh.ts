// The commands refresh run and refresh status.
import { connectionState } from '../../domain/connections/connection.ts';
import { findJob } from '../../domain/connections/jobs.ts';
import { requestRefresh } from '../../domain/connections/refreshRequests.ts';
import {
  type Connection,
  countLagging,
  countNeedsReconnect,
  sumAbsences,
} from '../../domain/connections/store.ts';
import { countUnhealthyEndpoints } from '../../domain/webhooks/store.ts';
import { type RefreshNowResult, refreshNow } from '../../flows/refresh/refreshNow.ts';
import {
  countFailingRefreshes,
  countJobs,
  countLiveWorkers,
  type RefreshLoad,
  readRefreshLoads,
} from '../../operations/signals/refreshHealth.ts';
import { Conflict, OperatorError } from '../../platform/values/errors.ts';
import type { Service } from '../../service.ts';
import { type CommandResult, keyValueTable, pluralize } from './command.ts';
import { lookupRefreshable } from './lookup.ts';
import { defineServiceCommand, shutdownSignal } from './service.ts';

const run = defineServiceCommand({
  summary: 'refresh all scheduled connections, or only one, immediately in this process',
  worker: true,
  options: (command) => command.option('--connection <connection>', 'only this connection (con_…)'),
  run: async (service, { connection: connectionId }: { connection?: string }, { progress }) => {
    const { db, clock, registry, config, jobHandlers } = service;
    if (connectionId !== undefined) await requestOne(service, connectionId);
    const result = await refreshNow({ db, clock, registry, limits: config.limits }, jobHandlers!.refresh, {
      connectionId,
      signal: shutdownSignal(),
      onProgress: ({ done, total }) =>
        progress.update(`${done} of ${pluralize(total, 'connection')} refreshed`),
    });
    return toResult(service, result);
  },
});

/** Makes the refresh of one connection due. Throws OperatorError if the connection cannot be refreshed. */
const requestOne = async (service: Service, id: string): Promise<void> => {
  const { connection, request } = await lookupRefreshable(service, id);
  try {
    await service.db.transaction((trx) => requestRefresh(trx, connection, request));
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    throw new OperatorError(`${id} ${whyNotRefreshed(connection)}`);
  }
  const { notBefore = null } = (await findJob(service.db.read, id)) ?? {};
  if (notBefore !== null && notBefore > request.at.toISOString())
    throw new OperatorError(`${id} cannot be refreshed before ${notBefore}: its bank limits requests.`);
};

const remedy = (reason: string): string => (reason === 'fingerprint_key_lost' ? 'a new link' : 'a reconnect');

const whyNotRefreshed = (connection: Connection): string => {
  const { reconnectReason } = connection;
  if (reconnectReason)
    return `needs ${remedy(reconnectReason)} (${reconnectReason}), so it is not refreshed.`;
  const state = connectionState(connection);
  if (state === 'active') return 'is being reconnected and will be refreshed afterward.';
  return `is ${state}, so it is not refreshed.`;
};

const problemLinesMax = 20;

const toResult = async (service: Service, result: RefreshNowResult): Promise<CommandResult> => {
  const { refreshed, failed, byOtherProcesses } = result;
  const needsReconnect: RefreshNowResult['failed'] = [];
  for (const connectionId of result.refused) {
    // A connection that was revoked meanwhile is not reported.
    const found = await lookupRefreshable(service, connectionId).catch(() => undefined);
    const reason = found?.connection.reconnectReason;
    if (reason) needsReconnect.push({ connectionId, reason });
  }
  const problems = [
    ...failed.map(({ connectionId, reason }) => `  ${connectionId} failed: ${reason}; will be retried`),
    ...needsReconnect.map(
      ({ connectionId, reason }) => `  ${connectionId} needs ${remedy(reason)}: ${reason}`,
    ),
  ];
  const counts = `${failed.length} failed, ${needsReconnect.length} ${needsReconnect.length === 1 ? 'needs' : 'need'} a reconnect`;
  const others = byOtherProcesses > 0 ? `; ${byOtherProcesses} more by other processes` : '';
  const more = problems.length - problemLinesMax;
  return {
    json: { refreshed, byOtherProcesses, failed, needsReconnect },
    text: [
      `${pluralize(refreshed, 'connection')} refreshed, ${counts}${others}.`,
      ...problems.slice(0, problemLinesMax),
      ...(more > 0 ? [`  and ${more} more: see "refresh status"`] : []),
    ],
    failed: problems.length > 0,
  };
};

const whyRefused =
  "cannot be refreshed because a bank rejects this service's registration (operator_action_required): check the connector's settings, and the registration with its issuer";

const status = defineServiceCommand({
  summary: 'show due, running and failing refreshes with reasons, and failing or disabled webhook endpoints',
  run: async ({ db, clock, config }) => {
    const workers = await countLiveWorkers({ db, clock, limits: config.limits });
    const { refreshes, imports } = await countJobs({ db, clock });
    const loads = await readRefreshLoads({ db, clock, limits: config.limits }, loadsMax);
    const failures = await countFailingRefreshes(db.read);
    const refused = failures.operator_action_required ?? 0;
    const json = {
      workers,
      scheduled: refreshes.all,
      due: refreshes.due.count,
      longestDueSeconds: refreshes.due.longestSeconds,
      running: refreshes.running,
      loads,
      imports: { due: imports.due.count, running: imports.running },
      failing: withTotal(failures),
      paused: failures.institution_rate_limited ?? 0,
      operatorActionRequired: refused,
      needsReconnect: withTotal(await countNeedsReconnect(db.read)),
      lagging: await countLagging(db.read),
      ...(await sumAbsences(db.read)),
      webhooks: await countUnhealthyEndpoints(db.read),
    };
    const { failing, disabled } = json.webhooks;
    return {
      json,
      text: keyValueTable([
        ['Workers', workers === 0 ? '0: nothing is refreshed or imported' : workers],
        ['Scheduled', json.scheduled],
        ['Due', json.due > 0 ? `${json.due}, the longest for ${json.longestDueSeconds} seconds` : 0],
        ['Running', json.running],
        ...loads.map((load) => ['Capacity', formatLoad(load)] as const),
        ['Failing', formatReasons(json.failing)],
        [
          'Paused',
          json.paused > 0 ? `${pluralize(json.paused, 'connection')} rate-limited by banks` : undefined,
        ],
        ['Operator action', refused > 0 ? `${pluralize(refused, 'connection')} ${whyRefused}` : undefined],
        ['Needs reconnect', formatReasons(json.needsReconnect)],
        ['Lagging', json.lagging],
        ['Withdrawn transactions', json.withdrawnTransactions],
        ['Doubted readings', json.doubtedReadings],
        ['Imports', `${json.imports.due} due, ${json.imports.running} running`],
        ['Webhooks', failing + disabled > 0 ? `${failing} failing, ${disabled} disabled` : undefined],
      ]),
    };
  },
});

/** The institutions whose capacity is listed. */
const loadsMax = 5;

const formatLoad = ({ institutionId, connections, capacity }: RefreshLoad): string =>
  `${institutionId}: ${pluralize(connections, 'connection')}, capacity ${capacity}${connections > capacity ? '; some refreshes become overdue: see docs/scaling.md' : ''}`;

type Reasons = { total: number; reasons: Record<string, number> };

const withTotal = (reasons: Record<string, number>): Reasons => ({
  total: Object.values(reasons).reduce((total, count) => total + count, 0),
  reasons,
});

const formatReasons = ({ total, reasons }: Reasons): string => {
  const parts = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`);
  return parts.length === 0 ? '0' : `${total}: ${parts.join(', ')}`;
};

export const refreshCommands = { run, status };
