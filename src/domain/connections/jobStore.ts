// Removes the job of a connection, and fails the link session that waits for it: no other process will end that session, and
// it holds bank credentials that are sealed to the worker.
// Every transaction locks in this order: the connection, its job, the link session of the job. So none can deadlock, and a
// revocation sees each job that was put before it.
import type { DbTransaction } from '../../platform/db/open.ts';
import type { JobRow, LinkSessionRow } from '../../platform/db/tables.ts';
import { Conflict } from '../../platform/values/errors.ts';

/** Locks a connection that is to get a job. Throws Conflict when it was revoked or is being deleted. */
export const lockActiveConnection = async (
  trx: DbTransaction,
  { endUserId, connectionId }: Pick<JobRow, 'endUserId' | 'connectionId'>,
): Promise<void> => {
  const active = { endUserId, id: connectionId, revokedAt: null, purgeStartedAt: null };
  if (!(await trx('connections').where(active).forUpdate().first('id')))
    throw new Conflict('The connection is revoked.');
};

/** The columns of a failed link session: the reason; the sealed request and result are deleted. */
export const failedRow = (reason: NonNullable<LinkSessionRow['failure']>): Partial<LinkSessionRow> => ({
  state: 'failed',
  failure: reason,
  returnHash: null,
  returnSealed: null,
  importRequestSealed: null,
  resultSealed: null,
  progress: null,
});

/** Fails a link session that waits for its job. Called in the transaction that removes the job. */
export const failWaitingSession = async (trx: DbTransaction, id: string): Promise<void> => {
  await trx('link_sessions')
    .where({ id, state: 'importing' })
    .update({ ...failedRow('session_expired'), stateSealed: null, version: trx.raw('version + 1') });
};

/**
 * Deletes the job of a connection and returns it. A worker that is running it loses its lease, and a link session that waits
 * for it fails.
 */
export const removeJob = async (trx: DbTransaction, connectionId: string): Promise<JobRow | undefined> => {
  const removed = await trx('jobs').where({ connectionId }).forUpdate().first('*');
  if (!removed) return undefined;
  await trx('jobs').where({ connectionId }).delete();
  if (removed.linkSessionId) await failWaitingSession(trx, removed.linkSessionId);
  return removed;
};
