// The databases for tests are fresh, migrated and independent of each other, and dropping one in use fails.
import { describe, expect, test } from 'vitest';
import { migrate } from '../../src/platform/db/migrate.ts';
import { type Database, openDatabase, withDatabase } from '../../src/platform/db/open.ts';
import { limits } from '../../src/platform/settings/limits.ts';
import { databases, type TestDatabase } from './databases.ts';

const withMade = (made: TestDatabase, run: (db: Database) => Promise<void>): Promise<void> =>
  withDatabase(made.url, run).finally(made.drop);

const hasTable = (db: Database, table: string): Promise<boolean> =>
  db
    .read(table)
    .first('*')
    .then(
      () => true,
      () => false,
    );

for (const database of databases) {
  describe(database.name, () => {
    test('a created database has all tables and no pending migration', async () => {
      await withMade(await database.create(), async (db) => {
        expect(await migrate(db, { limits })).toMatchObject({ migrations: [] });
        expect(await hasTable(db, 'connections')).toBe(true);
      });
    });

    test('an empty database has no tables', async () => {
      await withMade(await database.createEmpty(), async (db) => {
        expect(await hasTable(db, 'connections')).toBe(false);
      });
    });

    test('two databases do not see each other', async () => {
      const [one, other] = await Promise.all([database.create(), database.create()]);
      await withMade(one, async (db) => {
        await db.write.raw('create table only_here (id integer)');
      });
      await withMade(other, async (db) => {
        expect(await hasTable(db, 'only_here')).toBe(false);
      });
    });

    test('dropping a database in use fails', async () => {
      const made = await database.create();
      const db = await openDatabase(made.url);
      await db.read.raw('select 1');
      await expect(made.drop()).rejects.toThrow('close what uses it first');
      await db.close();
    });
  });
}
