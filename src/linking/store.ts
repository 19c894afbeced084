// The questions asked about linking sessions. A session is found by its own id, before any user exists.
import type { Queries } from '../db/open.ts';
import type { LinkFailureReason, LinkSessionRow } from './linkSession.ts';

const linkSessionColumns: Record<keyof LinkSessionRow, string> = {
  id: 'id',
  applicationId: 'application_id',
  secretHash: 'secret_hash',
  publicKey: 'public_key',
  origin: 'origin',
  externalUserId: 'external_user_id',
  reconnectId: 'reconnect_connection_id',
  state: 'state',
  version: 'version',
  lockedUntil: 'locked_until',
  stateSealed: 'state_sealed',
  importRequestSealed: 'import_request_sealed',
  connectionId: 'connection_id',
  endUserId: 'end_user_id',
  progress: 'progress',
  failure: 'failure',
  resultSealed: 'result_sealed',
  deliveredAt: 'delivered_at',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
};

const toColumns = (row: Partial<LinkSessionRow>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [linkSessionColumns[name as keyof LinkSessionRow], value]),
  );

export const insertLinkSession = async (db: Queries, row: LinkSessionRow): Promise<void> => {
  await db('link_sessions').insert(toColumns(row));
};

export const findLinkSession = async (db: Queries, id: string): Promise<LinkSessionRow | undefined> =>
  db('link_sessions').where({ id }).first(linkSessionColumns);

/** Reserves the next step on a version for one request; false where another step came first or is under way. */
export const lockStep = async (
  db: Queries,
  session: { id: string; version: number },
  time: { now: string; until: string },
): Promise<boolean> => {
  const claimed = await db('link_sessions')
    .where({ id: session.id, version: session.version })
    .where((free) => free.whereNull('locked_until').orWhere('locked_until', '<', time.now))
    .update({ locked_until: time.until });
  return claimed === 1;
};

/** Keeps a reserved step for longer; false where it is no longer reserved by this request. */
export const renewStepLock = async (
  db: Queries,
  session: { id: string; version: number },
  lease: { held: string; until: string },
): Promise<boolean> => {
  const renewed = await db('link_sessions')
    .where({ ...session, locked_until: lease.held })
    .update({ locked_until: lease.until });
  return renewed === 1;
};

/** Gives a reserved step back: it changed nothing. */
export const unlockStep = async (db: Queries, session: { id: string; version: number }): Promise<void> => {
  await db('link_sessions').where(session).update({ locked_until: null });
};

/** Writes what a step led to; false where the session has moved on meanwhile. */
export const saveStep = async (
  db: Queries,
  session: { id: string; version: number },
  change: Partial<LinkSessionRow>,
): Promise<boolean> => {
  const changed = await db('link_sessions')
    .where(session)
    .update({ ...toColumns(change), version: session.version + 1, locked_until: null });
  return changed === 1;
};

/** Moves a session on that is in one of these states, whatever its version; false where it is in another. */
export const transitionLinkSession = async (
  db: Queries,
  session: { id: string; from: readonly LinkSessionRow['state'][] },
  change: Partial<LinkSessionRow>,
): Promise<boolean> => {
  const changed = await db('link_sessions')
    .where({ id: session.id })
    .whereIn('state', session.from)
    .update({ ...toColumns(change), version: db.raw('version + 1'), locked_until: null });
  return changed === 1;
};

/** What a session that failed keeps: why, and nothing else that it was told. */
export const failedRow = (reason: LinkFailureReason): Partial<LinkSessionRow> => ({
  state: 'failed',
  failure: reason,
  importRequestSealed: null,
  resultSealed: null,
  progress: null,
});

export const recordProgress = async (
  db: Queries,
  id: string,
  progress: { done: number; total?: number },
): Promise<void> => {
  await db('link_sessions')
    .where({ id, state: 'importing' })
    .update({ progress: JSON.stringify(progress) });
};

/** Notes the first time that a result is shown; false where it may not be shown, because it was superseded. */
export const markDelivered = async (db: Queries, id: string, now: Date): Promise<boolean> => {
  const marked = await db('link_sessions')
    .where({ id, state: 'finished' })
    .update({ delivered_at: db.raw('coalesce(delivered_at, ?)', [now.toISOString()]) });
  return marked === 1;
};

/** Ends a session whose result nobody has seen; false where somebody has, or it is not there to be seen. */
export const supersedeLinkSession = async (db: Queries, id: string): Promise<boolean> => {
  const moved = await db('link_sessions')
    .where({ id, state: 'finished' })
    .whereNull('delivered_at')
    .update({ ...toColumns(failedRow('superseded')), version: db.raw('version + 1') });
  return moved === 1;
};
