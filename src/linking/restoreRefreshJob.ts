// What is due after a reconnection: the schedule goes on, or comes back as it was.
import type { Clock, Environment } from '../clock.ts';
import type { Limits } from '../config.ts';
import { findConnectionRow } from '../connections/store.ts';
import type { DbTransaction } from '../db/open.ts';
import { putJob, type Job } from '../refresh/jobs.ts';
import { nextRefreshAt } from '../refresh/schedule.ts';
import type { LinkSessionRow } from './linkSession.ts';

/** The next scheduled refresh of a connection. */
export const nextRefreshJob = (
  work: Omit<Job, 'kind' | 'linkSessionId' | 'dueAt' | 'attempts'>,
  dueAt: Date,
): Job => ({
  connectionId: work.connectionId,
  endUserId: work.endUserId,
  applicationId: work.applicationId,
  environment: work.environment,
  institutionId: work.institutionId,
  kind: 'refresh',
  linkSessionId: null,
  dueAt: dueAt.toISOString(),
  attempts: 0,
});

type ScheduleDeps = { clock: Clock; limits: Limits };

/** What is due after a reconnection that did not happen: the schedule as before, if the connection had one. */
export const restoredRefreshJob = async (
  trx: DbTransaction,
  tools: ScheduleDeps,
  work: Pick<Job, 'connectionId' | 'endUserId' | 'environment'>,
): Promise<Job | undefined> => {
  const connection = await findConnectionRow(trx, { endUserId: work.endUserId, id: work.connectionId });
  if (!connection?.credentials || connection.reconnectReason || connection.revokedAt) return undefined;
  const { applicationId, institutionId } = connection;
  const dueAt = nextRefreshAt(tools.clock.now(work.environment), tools.limits, Math.random());
  return nextRefreshJob({ ...work, applicationId, institutionId }, dueAt);
};

/** Puts the schedule of an abandoned reconnection back. */
export const restoreRefreshJob = async (
  trx: DbTransaction,
  tools: ScheduleDeps,
  session: LinkSessionRow,
  environment: Environment,
): Promise<void> => {
  const { endUserId, connectionId } = session;
  const work = await restoredRefreshJob(trx, tools, {
    endUserId: endUserId!,
    connectionId: connectionId!,
    environment,
  });
  if (work) await putJob(trx, work);
};
