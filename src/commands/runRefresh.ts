// refresh run: what the schedule does, now and here.
import { connectionState } from '../connections/connection.ts';
import { recordConnectionEvent } from '../connections/events.ts';
import { OperatorError } from '../errors.ts';
import { findJob } from '../refresh/jobs.ts';
import { type RefreshNowResult, refreshNow } from '../refresh/refreshNow.ts';
import type { Service } from '../service.ts';
import { type CommandResult, defineCommand, type CommandContext } from './command.ts';
import { lookupConnection } from './lookup.ts';
import { pluralize } from './format.ts';
import { shutdownSignal } from './shutdownSignal.ts';
import { withService } from './withService.ts';

export const runRefresh = defineCommand({
  summary: 'refresh now what is on the schedule, or one connection; this process does the work',
  options: (command) => command.option('--connection <connection>', 'only this one (con_…)'),
  run: (stage, { connection }: { connection?: string }) =>
    withService(stage.config, (service) => refresh(service, stage, connection), { worker: true }),
});

const refresh = async (
  service: Service,
  { progress }: CommandContext,
  connectionId?: string,
): Promise<CommandResult> => {
  const { db, clock, config, jobHandlers } = service;
  if (connectionId) await requestRefresh(service, connectionId);
  const { limits } = config;
  const result = await refreshNow({ db, clock, limits }, jobHandlers!.refresh, {
    connectionId,
    signal: shutdownSignal(),
    onProgress: ({ done, total }) =>
      progress.update(`${done} of ${pluralize(total, 'connection')} refreshed`),
  });
  return toResult(service, result);
};

const requestRefresh = async (service: Service, id: string): Promise<void> => {
  const { db, clock, config } = service;
  const { connection, application } = await lookupConnection(service, id);
  const work = await findJob(db.read, id);
  if (work?.kind === 'refresh') {
    const of = { endUserId: connection.endUserId, connectionId: id };
    const at = clock.now(application.environment);
    const event = { kind: 'refresh_requested', actor: 'operator', at, real: clock.real() } as const;
    return recordConnectionEvent(db.write, of, event, config.limits.connectionEventsMax);
  }
  if (work) throw new OperatorError(`${id} is being reconnected: its refreshes go on after that.`);
  const why = connection.reconnectReason
    ? `waits for its user to reconnect (${connection.reconnectReason})`
    : `is ${connectionState(connection)}`;
  throw new OperatorError(`${id} ${why}, so it is not refreshed.`);
};

const problemLinesMax = 20;

const toResult = async (service: Service, result: RefreshNowResult): Promise<CommandResult> => {
  const { refreshed, failed, byOtherProcesses } = result;
  const stopped: RefreshNowResult['failed'] = [];
  for (const connectionId of result.refused) {
    // Who was revoked while being refreshed has nothing to tell.
    const known = await lookupConnection(service, connectionId).catch(() => undefined);
    const reason = known?.connection.reconnectReason;
    if (reason) stopped.push({ connectionId, reason });
  }
  const problems = [
    ...failed.map(({ connectionId, reason }) => `  ${connectionId} failed: ${reason}; it is tried again`),
    ...stopped.map(({ connectionId, reason }) => `  ${connectionId} waits for its user: ${reason}`),
  ];
  const others = byOtherProcesses > 0 ? `; another process did ${byOtherProcesses} more` : '';
  const more = problems.length - problemLinesMax;
  return {
    json: { refreshed, elsewhere: byOtherProcesses, failed, stopped },
    text: [
      `${pluralize(refreshed, 'connection')} refreshed, ${failed.length} failed, ${stopped.length} stopped${others}.`,
      ...problems.slice(0, problemLinesMax),
      ...(more > 0 ? [`  and ${more} more: see "refresh status"`] : []),
    ],
    failed: problems.length > 0,
  };
};
