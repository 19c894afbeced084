// Queries for link sessions.
import type { Queries } from '../../platform/db/open.ts';
import type { LinkSessionRow, NewRow } from '../../platform/db/tables.ts';

type State = LinkSessionRow['state'];

/** Returns the session with all its columns. */
export const insertLinkSession = async (
  db: Queries,
  session: NewRow<LinkSessionRow>,
): Promise<LinkSessionRow> => {
  const [row] = await db('link_sessions').insert(session).returning('*');
  return row!;
};

export const findLinkSession = async (db: Queries, id: string): Promise<LinkSessionRow | undefined> =>
  db('link_sessions').where({ id }).first('*');

/** Locks a version of a session for one step. Returns false if it is closed, or another step changed or locked it. */
export const lockStep = async (
  db: Queries,
  session: { id: string; version: number },
  time: { now: string; until: string },
): Promise<boolean> => {
  const locked = await db('link_sessions')
    .where({ id: session.id, version: session.version })
    .whereNull('closedAt')
    .where((unlocked) => unlocked.whereNull('lockedUntil').orWhere('lockedUntil', '<', time.now))
    .update({ lockedUntil: time.until });
  return locked === 1;
};

/** Extends a step's lock. Returns false if this request lost it. */
export const renewStepLock = async (
  db: Queries,
  session: { id: string; version: number },
  lock: { until: string; newUntil: string },
): Promise<boolean> => {
  const renewed = await db('link_sessions')
    .where({ ...session, lockedUntil: lock.until })
    .update({ lockedUntil: lock.newUntil });
  return renewed === 1;
};

/** Unlocks a session that a step did not change. */
export const unlockStep = async (
  db: Queries,
  { id, version }: { id: string; version: number },
): Promise<void> => {
  await db('link_sessions').where({ id, version }).update({ lockedUntil: null });
};

/** Saves a step's result and unlocks the session. Returns false if its version changed meanwhile, or it was closed. */
export const saveStep = async (
  db: Queries,
  { id, version }: { id: string; version: number },
  change: Partial<LinkSessionRow>,
): Promise<boolean> => {
  const changed = await db('link_sessions')
    .where({ id, version })
    .whereNull('closedAt')
    .update({ ...change, version: version + 1, lockedUntil: null });
  return changed === 1;
};

/** Stores a returning end user's query. Returns false if the state was used or the session continued without it. */
export const saveReturn = async (
  db: Queries,
  waiting: { id: string; returnHash: string },
  change: Pick<LinkSessionRow, 'returnHash' | 'returnSealed'>,
): Promise<boolean> => {
  const changed = await db('link_sessions')
    .where({ ...waiting, state: 'challenge' })
    .update(change);
  return changed === 1;
};

/** `unlessDelivered`: impossible once a page may have the result. */
type Transition = { from: readonly State[]; to: State; unlessDelivered?: true };

/** State changes that are not steps of the page. */
const transitions = {
  finish: { from: ['importing'], to: 'finished' },
  askAgain: { from: ['importing'], to: 'accounts' },
  fail: { from: ['importing'], to: 'failed' },
  supersede: { from: ['finished'], to: 'failed', unlessDelivered: true },
  acknowledge: { from: ['finished'], to: 'ended' },
  cancel: {
    from: ['consent', 'institution', 'credentials', 'challenge', 'accounts', 'importing'],
    to: 'failed',
  },
  close: { from: ['failed'], to: 'failed' },
} satisfies Record<string, Transition>;

/** Moves a session of any version to another state. Returns false if its current state does not allow that. */
export const moveLinkSession = async (
  db: Queries,
  id: string,
  name: keyof typeof transitions,
  change: Partial<Omit<LinkSessionRow, 'state'>>,
): Promise<boolean> => {
  const { from, to, unlessDelivered }: Transition = transitions[name];
  const moved = db('link_sessions')
    .where({ id })
    .whereIn('state', from)
    .update({ ...change, state: to, version: db.raw('version + 1'), lockedUntil: null });
  return (await (unlessDelivered ? moved.whereNull('deliveredAt') : moved)) === 1;
};

export const recordProgress = async (
  db: Queries,
  id: string,
  progress: { done: number; total?: number },
): Promise<void> => {
  await db('link_sessions')
    .where({ id, state: 'importing' })
    .update({ progress: JSON.stringify(progress) });
};

/** Stores when the result was first delivered. Returns false if the session was superseded. */
export const markResultShown = async (db: Queries, id: string, now: Date): Promise<boolean> => {
  const marked = await db('link_sessions')
    .where({ id, state: 'finished' })
    .update({ deliveredAt: db.raw('coalesce(delivered_at, ?)', [now.toISOString()]) });
  return marked === 1;
};

/** Replaces the import request of a session that still has one. */
export const saveImportRequest = async (
  db: Queries,
  { id, importRequestSealed }: Pick<LinkSessionRow, 'id' | 'importRequestSealed'>,
): Promise<void> => {
  await db('link_sessions').where({ id }).whereNotNull('importRequestSealed').update({ importRequestSealed });
};

/** The columns sealed to the worker. */
export const sealedToWorker = [
  { table: 'link_sessions', key: ['id'], column: 'importRequestSealed', kind: 'importRequest' },
] as const;
