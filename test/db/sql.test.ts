// Handwritten statements: SQLite plans each statement once, regardless of how often it runs.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/open.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { databases, type TestDatabase } from '../support/databases.ts';

const sqlite = databases.find(({ name }) => name === 'SQLite');

describe.runIf(sqlite)('a statement on SQLite', () => {
  let database: TestDatabase;
  let db: Database;
  const names = ['one', 'two', 'three', 'four'];
  beforeAll(async () => {
    database = await sqlite!.create();
    db = await openDatabase(database.url);
    for (const name of names) await db.write('organizations').insert({ id: name, name, createdAt: '2026' });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  type Values = { name: string; createdAt: string; limit: number };
  const find = sql<Values, { id: string }>(
    'select id from organizations where name = :name and created_at >= :createdAt order by created_at limit :limit',
  );

  /** Counts the functions that the driver creates for a statement's rows: one, and another each time that SQLite replans it. */
  const countPlans = async (run: (name: string) => Promise<{ id: string }[]>): Promise<number> => {
    await run(names[0]!);
    const made = vi.spyOn(globalThis, 'Function');
    for (const name of names) expect(await run(name)).toEqual([{ id: name }]);
    return made.mock.calls.length;
  };

  test('is not planned again for other values', async () => {
    expect(await countPlans((name) => find(db.read, { name, createdAt: '2025', limit: 2 }))).toBe(0);
  });

  test('would be replanned if the values were bound directly', async () => {
    const text =
      'select id from organizations where name = ? and created_at >= ? order by created_at limit ?';
    expect(await countPlans((name) => db.read.raw(text, [name, '2025', 2]))).toBe(names.length);
  });
});
