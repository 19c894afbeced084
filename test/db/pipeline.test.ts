// Short reads on PostgreSQL share connections: each is sent without waiting for the responses to earlier ones.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/open.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { DatabaseUnavailable } from '../../src/platform/values/errors.ts';
import { databases } from '../support/databases.ts';
import { startTcpProxy } from '../support/tcpProxy.ts';

const waitMs = 1500;
const selectNumber = sql<{ number: number }, { number: number }>('select cast(:number as integer) as number');
const selectBackend = sql<Record<never, never>, { pid: number }>('select pg_backend_pid() as pid');
type Values = { number: number; big: number; text: string; bytes: Buffer; none: string | null };
const selectValues = sql<
  Values,
  Values
>(`select cast(:number as integer) as number, cast(:big as bigint) as big,
  cast(:text as text) as text, cast(:bytes as bytea) as bytes, cast(:none as text) as none`);
const divide = sql<{ by: number }, { result: number }>('select 1 / cast(:by as integer) as result');
const numbers = Array.from({ length: 50 }, (_, number) => number);

const database = databases.find(({ name }) => name !== 'SQLite');

describe.runIf(database)(`short reads on ${database?.name}`, () => {
  let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
  let db: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const created = await database!.create();
    const url = new URL(created.url);
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    const patient = await openDatabase(
      Object.assign(url, { hostname: '127.0.0.1', port: String(proxy.port) }).href,
      { prepared: true },
    );
    db = patient.within(waitMs);
    close = async () => {
      await patient.close();
      await proxy.stop();
      await created.drop();
    };
  });
  afterAll(() => close());
  const readAll = () => Promise.all(numbers.map((number) => selectNumber(db.read, { number })));

  test('each get their own response on two connections, regardless of the number of concurrent ones', async () => {
    expect((await readAll()).flat().map(({ number }) => number)).toEqual(numbers);
    const backends = await Promise.all(numbers.map(() => selectBackend(db.read, {})));
    expect(new Set(backends.flat().map(({ pid }) => pid)).size).toBe(2);
  });

  test('accept and return values of every type, even if the columns are known from an earlier response', async () => {
    const row = {
      number: -7,
      big: 2 ** 53 - 1,
      text: "it's ✓",
      bytes: Buffer.from([0, 255, 39]),
      none: null,
    };
    for (let answer = 0; answer < 2; answer++)
      expect(await Promise.all([selectValues(db.read, row), selectValues(db.read, row)])).toEqual([
        [row],
        [row],
      ]);
  });

  test('do not fail because another one on their connection fails', async () => {
    const results = await Promise.allSettled([1, 0, 1, 0, 1].map((by) => divide(db.read, { by })));
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, true]);
  });

  test('do not wait for slow ones', async () => {
    let isSlowDone = false;
    let slow: Promise<void> | undefined;
    await db.transaction(async (trx) => {
      const lock = 'select pg_advisory_xact_lock(1)';
      await trx.raw(lock);
      slow = db.read.run({ text: lock }, []).then(() => {
        isSlowDone = true;
      });
      await readAll();
      expect(isSlowDone).toBe(false);
    });
    await slow;
  });

  test('all end when the server freezes, and later ones get a response once it resumes', async () => {
    await readAll();
    proxy.freeze();
    const results = await Promise.allSettled(numbers.map((number) => selectNumber(db.read, { number })));
    proxy.resume();
    for (const result of results)
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) });
    expect((await readAll()).flat()).toHaveLength(numbers.length);
  });

  test('get an answer after the server has closed every connection', async () => {
    await readAll();
    await proxy.stop();
    await expect(readAll()).rejects.toThrow(DatabaseUnavailable);
    await proxy.start();
    const countAnswers = () =>
      readAll().then(
        ({ length }) => length,
        () => 0,
      );
    await expect.poll(countAnswers).toBe(numbers.length);
  });
});
