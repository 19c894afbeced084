// Checks the state after a kill: describes a link session or a refresh, and asserts that a connection is complete or
// missing.
import { expect } from 'vitest';
import type { Database, Queries } from '../../src/platform/db/open.ts';
import type { LinkSessionRow } from '../../src/platform/db/tables.ts';

const count = async (db: Queries, table: string, where: Record<string, unknown>): Promise<number> =>
  Number((await db(table).where(where).count({ count: '*' }).first())!.count);

/** The unpublished accounts whose transactions a killed import has stored. The sweep deletes these transactions. */
const findAbandoned = async (db: Queries): Promise<Set<string>> => {
  const deletions = await db('block_deletions').where('block', '<', 0).select();
  return new Set(deletions.map((row) => `${row.endUserId} ${row.accountShortId}`));
};

/** Counts an end user's transactions, except those that the sweep deletes. */
const countTransactions = async (db: Queries, endUserId: string): Promise<number> => {
  const abandoned = await findAbandoned(db);
  const rows = await db('transactions').where({ endUserId }).select('endUserId', 'accountShortId');
  return rows.filter((row) => !abandoned.has(`${row.endUserId} ${row.accountShortId}`)).length;
};

/** Describes the state of a link session. */
export const describeSession = async (
  { read: db }: Database,
  linkSessionId: string | undefined,
): Promise<string> => {
  const row = linkSessionId && (await db('link_sessions').where({ id: linkSessionId }).first());
  if (!row) return 'no session';
  const { state, lockedUntil, deliveredAt } = row;
  if (state === 'importing') return describeImport(db, row);
  if (state === 'finished') return deliveredAt ? 'result delivered' : 'published, not delivered';
  return lockedUntil ? `${state}, step running` : state;
};

const describeImport = async (db: Queries, session: LinkSessionRow): Promise<string> => {
  const job = await db('jobs').where({ connectionId: session.connectionId! }).first();
  if (!job?.leaseToken) return 'import queued';
  const staged = await countStaged(db, session.endUserId!, session.createdAt);
  return staged === 0 ? 'import claimed' : `import, ${staged} staged`;
};

/** Counts the rows that the last attempt has staged. Rows of earlier attempts are older than `since`. */
const countStaged = async (db: Queries, endUserId: string, since: string): Promise<number> => {
  const last = await db('staged_texts')
    .where({ endUserId })
    .where('createdAt', '>=', since)
    .orderBy('createdAt', 'desc')
    .first('refreshId');
  return last ? count(db, 'staged_texts', { endUserId, refreshId: last.refreshId }) : 0;
};

/** Describes the state of a refresh that was due. */
export const describeRefresh = async (
  { read: db }: Database,
  connectionId: string,
  since = '',
): Promise<string> => {
  const job = await db('jobs').where({ connectionId }).first();
  if (!job) return 'no job';
  if (job.lastFailure) return `refresh failed: ${job.lastFailure}`;
  if (job.dueAt > new Date().toISOString()) return 'refresh published';
  if (!job.leaseToken) return 'refresh due';
  const staged = await countStaged(db, job.endUserId, since);
  return staged === 0 ? 'refresh claimed' : `refresh, ${staged} staged`;
};

/** Counts the kills by state. The state with the most staged rows had staged all, and was merging or publishing. */
export const countByState = (crashStates: readonly string[]): Map<string, number> => {
  const staged = (state: string) => Number(/, (\d+) staged$/.exec(state)?.[1] ?? 0);
  const stagedMax = Math.max(...crashStates.map(staged));
  const states = crashStates.map((state) =>
    state.replace(/, \d+ staged$/, staged(state) === stagedMax ? ', all staged' : ', some staged'),
  );
  return new Map([...Map.groupBy(states, (state) => state)].map(([state, kills]) => [state, kills.length]));
};

export const formatStateCounts = (title: string, crashStates: readonly string[]): string =>
  [
    `${crashStates.length} kills ${title}:`,
    ...[...countByState(crashStates)].map(([state, kills]) => `${kills} × ${state}`),
  ].join('\n  ');

/** Expects the connection of a link session to be complete or missing, and returns which. */
export const expectCompleteOrMissing = async (
  { read: db }: Database,
  linkSessionId: string,
  expected: { accounts: number; transactions: number },
): Promise<'complete' | 'missing'> => {
  const session = await db('link_sessions').where({ id: linkSessionId }).first();
  if (!session?.connectionId) return 'missing';
  const { connectionId, endUserId } = session;
  const userFilter = { endUserId };
  const rowCounts = {
    connections: await count(db, 'connections', { id: connectionId }),
    accounts: await count(db, 'accounts', { connectionId }),
    transactions: await countTransactions(db, endUserId!),
    owners: await count(db, 'resource_owners', userFilter),
    endUsers: await count(db, 'end_users', userFilter),
    dataKeys: await count(db, 'data_keys', userFilter),
    externalUsers: await count(db, 'external_users', userFilter),
    refreshes: await count(db, 'jobs', { connectionId, kind: 'refresh', leaseToken: null }),
    imports: await count(db, 'jobs', { connectionId, kind: 'import' }),
  };
  const isPublished = session.state === 'finished' || session.state === 'ended';
  const complete = {
    ...{ connections: 1, owners: 1 + expected.accounts, endUsers: 1, dataKeys: 1, refreshes: 1, imports: 0 },
  };
  const missing = { connections: 0, owners: 0, endUsers: 0, dataKeys: 0, refreshes: 0, imports: 1 };
  expect(rowCounts).toEqual(
    isPublished
      ? {
          ...{ ...complete, accounts: expected.accounts, transactions: expected.transactions },
          externalUsers: session.externalUserId === null ? 0 : 1,
        }
      : { ...missing, accounts: 0, transactions: 0, externalUsers: 0 },
  );
  return isPublished ? 'complete' : 'missing';
};

/** Counts the orphaned rows by kind: all counts are 0 in a consistent database. */
export const countOrphans = async ({ read: db }: Database) => {
  const orphans = async (
    table: string,
    columns: string | string[],
    parent: string,
    key: string | string[],
  ): Promise<number> => {
    const valuesOf = async (name: string, of: string | string[]): Promise<string[]> =>
      (await db(name).distinct(...[of].flat())).map((row) => Object.values(row).join(' '));
    // Two queries, because a cluster cannot join all pairs of tables.
    const parents = new Set(await valuesOf(parent, key));
    const isKept = (id: string): boolean =>
      table !== 'transactions' || !abandoned.has(id.split(' ').slice(0, 2).join(' '));
    return (await valuesOf(table, columns)).filter((id) => !parents.has(id) && isKept(id)).length;
  };
  const abandoned = await findAbandoned(db);
  const block = ['endUserId', 'accountShortId', 'block'];
  const blockCounts = await db('transaction_blocks').select();
  type BlockRow = { endUserId: string; accountShortId: number; block: number };
  const blockOf = (row: BlockRow): string => `${row.endUserId} ${row.accountShortId} ${row.block}`;
  const referred = (await db('transactions')
    .groupBy(block)
    .select(block)
    .count({ count: '*' })) as unknown as (BlockRow & { count: number })[];
  const countOf = new Map(referred.map((row) => [blockOf(row), Number(row.count)]));
  const deletions = new Set((await db('block_deletions').select()).map(blockOf));
  // A killed refresh leaves blocks to which nothing refers; the sweep deletes them.
  const kept = blockCounts.filter((row) => !deletions.has(blockOf(row)));
  const miscounted = kept.filter((row) => countOf.get(blockOf(row)) !== row.transactionCount);
  const keyIds = new Set(await db('data_keys').pluck('id'));
  return {
    orphanedJobs: await orphans('jobs', 'connectionId', 'connections', 'id'),
    accounts: await orphans('accounts', 'connectionId', 'connections', 'id'),
    transactions: await orphans('transactions', ['endUserId', 'accountShortId'], 'accounts', [
      'endUserId',
      'shortId',
    ]),
    transactionsWithoutBlock: await orphans('transactions', block, 'transaction_blocks', block),
    blocks: kept.filter(({ dataKeyId }) => !keyIds.has(dataKeyId)).length,
    miscounted: miscounted.length,
    dataKeys: await orphans('data_keys', 'connectionId', 'connections', 'id'),
    endUsers: await orphans('end_users', 'endUserId', 'connections', 'endUserId'),
  };
};

/** The counts of `countOrphans` in a consistent database. */
export const noOrphans = {
  ...{ orphanedJobs: 0, accounts: 0, transactions: 0, transactionsWithoutBlock: 0 },
  ...{ blocks: 0, miscounted: 0, dataKeys: 0, endUsers: 0 },
};

/** Expects that no job or import is running, and that no row is orphaned. */
export const expectConsistent = async (database: Database, connections: number): Promise<void> => {
  const { read: db } = database;
  expect({
    ...(await countOrphans(database)),
    connections: await count(db, 'connections', {}),
    undelivered: Number(
      (await db('connections').whereNotNull('deliveryExpiresAt').count({ count: '*' }).first())!.count,
    ),
    scheduled: await count(db, 'jobs', { kind: 'refresh' }),
    importing: await count(db, 'link_sessions', { state: 'importing' }),
  }).toEqual({ ...noOrphans, connections, undelivered: 0, scheduled: connections, importing: 0 });
};
