// Poolers that lose prepared statements: the service refuses to start, and DATABASE_PREPARED=off sends no prepared statements.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findResourceOwner } from '../../src/domain/users/store.ts';
import { databases } from '../support/databases.ts';
import { hasPgBouncer, startPgBouncer } from '../support/pgBouncer.ts';
import { link, startService } from '../support/testService.ts';

const postgres = databases.find(({ name }) => name === 'PostgreSQL');

/** The names of the statements that are prepared on a connection after a query. */
const preparedNames = async (env: Record<string, string>): Promise<string[]> => {
  const { service, close } = await startService({ database: postgres, env });
  onTestFinished(close);
  return service.db.transaction(async (trx) => {
    await findResourceOwner(trx, 'con_');
    return trx('pg_prepared_statements').pluck('name');
  });
};

describe.runIf(postgres)('prepared statements', () => {
  test('are named unless DATABASE_PREPARED is off', async () => {
    expect(await preparedNames({})).toContainEqual(expect.stringMatching(/^[\w-]{43}$/));
    expect(await preparedNames({ DATABASE_PREPARED: 'off' })).toEqual([]);
  });
});

describe.runIf(postgres)('behind PgBouncer, if it is installed,', () => {
  beforeEach(({ skip }) => skip(!hasPgBouncer, 'which need PgBouncer'));

  const start = async (settings: Record<string, string | number>, env: Record<string, string> = {}) => {
    const database = await postgres!.create();
    onTestFinished(database.drop);
    const pooler = await startPgBouncer(database.url, settings);
    onTestFinished(pooler.stop);
    const service = await startService({ existing: { databaseUrl: pooler.url }, env });
    onTestFinished(service.close);
    return service;
  };

  test.each([
    ['one connection to the server', { default_pool_size: 1 }],
    ['several connections', { min_pool_size: 3 }],
    ['several connections in turn', { min_pool_size: 3, server_round_robin: 1 }],
  ])('in transaction mode with %s, the start is refused', async (_, settings) => {
    await expect(start({ pool_mode: 'transaction', ...settings })).rejects.toThrow(
      /a pooler that loses prepared statements.* set DATABASE_PREPARED=off/,
    );
  });

  test('in session mode, the service starts', async () => {
    await start({ pool_mode: 'session' });
  });

  test('in transaction mode with DATABASE_PREPARED=off, users link and backends read', async () => {
    const service = await start(
      { pool_mode: 'transaction', default_pool_size: 1 },
      { DATABASE_PREPARED: 'off' },
    );
    const links = await Promise.all(
      ['one', 'two', 'three'].map((externalUserId) => link(service, { externalUserId })),
    );
    const reads = links.map(async ({ scopedToken, accounts }) => {
      const path = { accountId: accounts[0]!.id };
      const client = service.client(scopedToken);
      return (await client.GET('/accounts/{accountId}/transactions', { params: { path } })).data?.transactions
        .length;
    });
    expect(await Promise.all(reads)).toEqual(links.map(() => expect.any(Number)));
  });
});
