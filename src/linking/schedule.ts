// What is due after a reconnection: the schedule goes on, or comes back as it was.
import type { Clock, Environment } from '../clock.ts';
import type { Limits } from '../config.ts';
import { findConnectionRow } from '../connections/store.ts';
import type { Transaction } from '../db/open.ts';
import { putWork, type Work } from '../refresh/claims.ts';
import { nextRefreshAt } from '../refresh/due.ts';
import type { SessionRow } from './session.ts';

/** The next scheduled refresh of a connection. */
export const refreshWork = (
  work: Omit<Work, 'kind' | 'sessionId' | 'dueAt' | 'attempts'>,
  dueAt: Date,
): Work => ({
  connectionId: work.connectionId,
  endUserId: work.endUserId,
  applicationId: work.applicationId,
  environment: work.environment,
  institutionId: work.institutionId,
  kind: 'refresh',
  sessionId: null,
  dueAt: dueAt.toISOString(),
  attempts: 0,
});

type ScheduleTools = { clock: Clock; limits: Limits };

/** What is due after a reconnection that did not happen: the schedule as before, if the connection had one. */
export const restoredWork = async (
  trx: Transaction,
  tools: ScheduleTools,
  work: Pick<Work, 'connectionId' | 'endUserId' | 'environment'>,
): Promise<Work | undefined> => {
  const connection = await findConnectionRow(trx, { endUserId: work.endUserId, id: work.connectionId });
  if (!connection?.credentials || connection.reconnectReason || connection.revokedAt) return undefined;
  const { applicationId, institutionId } = connection;
  const dueAt = nextRefreshAt(tools.clock.now(work.environment), tools.limits, Math.random());
  return refreshWork({ ...work, applicationId, institutionId }, dueAt);
};

/** Puts the schedule of an abandoned reconnection back. */
export const restoreSchedule = async (
  trx: Transaction,
  tools: ScheduleTools,
  session: SessionRow,
  environment: Environment,
): Promise<void> => {
  const { endUserId, connectionId } = session;
  const work = await restoredWork(trx, tools, {
    endUserId: endUserId!,
    connectionId: connectionId!,
    environment,
  });
  if (work) await putWork(trx, work);
};
