// What a killed process has left: in which state a session and its connection are, and that of the connection there
// is everything or nothing.
import { expect } from 'vitest';
import type { Database, Queries } from '../../src/db/open.ts';

const count = async (db: Queries, table: string, where: Record<string, unknown>): Promise<number> =>
  Number((await db(table).where(where).count({ count: '*' }).first())!.count);

/** In words, where a session stands. */
export const describeSession = async (
  { read: db }: Database,
  linkSessionId: string | undefined,
): Promise<string> => {
  const row = linkSessionId && (await db('link_sessions').where({ id: linkSessionId }).first());
  if (!row) return 'no session';
  const { state, locked_until, delivered_at } = row;
  if (state === 'importing') return describeImport(db, row);
  if (state === 'finished') return delivered_at ? 'result shown' : 'published, not shown';
  return locked_until ? `${state}, step under way` : state;
};

const describeImport = async (db: Queries, session: Record<string, string>): Promise<string> => {
  const work = await db('jobs').where({ connection_id: session.connection_id }).first();
  if (!work?.lease) return 'import queued';
  const staged = await countStaged(db, session.end_user_id!, session.created_at!);
  return staged === 0 ? 'import claimed' : `import, ${staged} staged`;
};

/** How many rows the last try has staged; what earlier ones have left is older than `since`. */
const countStaged = async (db: Queries, endUserId: string, since: string): Promise<number> => {
  const last = await db('staged_transactions')
    .where({ end_user_id: endUserId })
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .first('refresh_id');
  return last ? count(db, 'staged_transactions', { end_user_id: endUserId, refresh_id: last.refresh_id }) : 0;
};

/** In words, where a refresh stands that was due. */
export const describeRefresh = async (
  { read: db }: Database,
  connectionId: string,
  since = '',
): Promise<string> => {
  const work = await db('jobs').where({ connection_id: connectionId }).first();
  if (work.last_failure) return `refresh failed: ${work.last_failure}`;
  if (work.due_at > new Date().toISOString()) return 'refresh published';
  if (!work.lease) return 'refresh due';
  const staged = await countStaged(db, work.end_user_id, since);
  return staged === 0 ? 'refresh claimed' : `refresh, ${staged} staged`;
};

/** How many kills landed in which state. What had staged most had staged all, and was merging or publishing. */
export const countByState = (landed: readonly string[]): Map<string, number> => {
  const staged = (state: string) => Number(/, (\d+) staged$/.exec(state)?.[1] ?? 0);
  const all = Math.max(...landed.map(staged));
  const states = landed.map((state) =>
    state.replace(/, \d+ staged$/, staged(state) === all ? ', all staged' : ', some staged'),
  );
  return new Map([...Map.groupBy(states, (state) => state)].map(([state, hits]) => [state, hits.length]));
};

export const formatStateCounts = (title: string, landed: readonly string[]): string =>
  [
    `${landed.length} kills ${title}:`,
    ...[...countByState(landed)].map(([state, hits]) => `${hits} × ${state}`),
  ].join('\n  ');

/** Of the connection that a session was to bring there is all, or nothing at all. Says which. */
export const expectAllOrNothing = async (
  { read: db }: Database,
  linkSessionId: string,
  whole: { accounts: number; entries: number },
): Promise<'all' | 'nothing'> => {
  const session = await db('link_sessions').where({ id: linkSessionId }).first();
  if (!session?.connection_id) return 'nothing';
  const { connection_id: connectionId, end_user_id: endUserId } = session;
  const ofUser = { end_user_id: endUserId };
  const there = {
    connections: await count(db, 'connections', { id: connectionId }),
    accounts: await count(db, 'accounts', { connection_id: connectionId }),
    transactions: await count(db, 'transactions', ofUser),
    owners: await count(db, 'resource_owners', ofUser),
    endUsers: await count(db, 'end_users', ofUser),
    dataKeys: await count(db, 'data_keys', ofUser),
    externalUsers: await count(db, 'external_users', ofUser),
    refreshes: await count(db, 'jobs', { connection_id: connectionId, kind: 'refresh', lease_token: null }),
    imports: await count(db, 'jobs', { connection_id: connectionId, kind: 'import' }),
  };
  const isPublished = session.state === 'finished' || session.state === 'ended';
  const all = {
    connections: 1,
    owners: 1 + whole.accounts,
    endUsers: 1,
    dataKeys: 1,
    refreshes: 1,
    imports: 0,
  };
  const nothing = { connections: 0, owners: 0, endUsers: 0, dataKeys: 0, refreshes: 0, imports: 1 };
  expect(there).toEqual(
    isPublished
      ? {
          ...{ ...all, accounts: whole.accounts, transactions: whole.entries },
          externalUsers: session.external_user_id === null ? 0 : 1,
        }
      : { ...nothing, accounts: 0, transactions: 0, externalUsers: 0 },
  );
  return isPublished ? 'all' : 'nothing';
};

/** At the end nothing is under way, and nothing belongs to nobody. */
export const expectConsistent = async ({ read: db }: Database, connections: number): Promise<void> => {
  const orphans = async (table: string, column: string, parent: string, key: string): Promise<number> => {
    const parents = db(parent).select(db.raw('1')).whereRaw(`${parent}.${key} = ${table}.${column}`);
    const row = await db(table).whereNotExists(parents).count({ count: '*' }).first();
    return Number(row!.count);
  };
  expect({
    connections: await count(db, 'connections', {}),
    undelivered: Number(
      (await db('connections').whereNotNull('delivery_expires_at').count({ count: '*' }).first())!.count,
    ),
    scheduled: await count(db, 'jobs', { kind: 'refresh' }),
    otherWork: await orphans('jobs', 'connection_id', 'connections', 'id'),
    accounts: await orphans('accounts', 'connection_id', 'connections', 'id'),
    transactions: await orphans('transactions', 'account_id', 'accounts', 'id'),
    dataKeys: await orphans('data_keys', 'connection_id', 'connections', 'id'),
    endUsers: await orphans('end_users', 'end_user_id', 'connections', 'end_user_id'),
    importing: await count(db, 'link_sessions', { state: 'importing' }),
  }).toEqual({
    ...{ connections, undelivered: 0, scheduled: connections, otherWork: 0, accounts: 0, transactions: 0 },
    ...{ dataKeys: 0, endUsers: 0, importing: 0 },
  });
};
