// The statements of earlier versions of the service, which run beside this one during an upgrade, run on this version's schema.
// `npm run capture-statements` writes them, before the first migration after a release.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { migrations, schemaVersion } from '../../src/db/migrations/migrations.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { limits } from '../../src/limits.ts';
import { type DatabaseKind, databases } from '../support/databases.ts';
import { findFailures, isOwnStatement, normalizeStatement } from '../support/statements.ts';

const directory = join(import.meta.dirname, 'statements');

const versions = [...new Set((await readdir(directory)).map((name) => Number.parseInt(name, 10)))];
const oldestCompatible = Math.max(...migrations.map((migration) => migration.oldestCompatible));
const compatible = versions.filter((version) => version >= oldestCompatible);

const readStatements = async (version: number, dialect: Database['dialect']): Promise<string[]> => {
  const text = await readFile(join(directory, `${version}.${dialect}.sql`), 'utf8');
  return text.split(';\n').filter(Boolean);
};

const open = async (kind: DatabaseKind): Promise<{ db: Database; url: string }> => {
  const database = await kind.create();
  const db = await openDatabase(database.url);
  onTestFinished(async () => {
    await db.close();
    await database.drop();
  });
  return { db, url: database.url };
};

test('the statements of an earlier version are kept, unless none can run beside this one', () => {
  expect(Math.min(...versions)).toBeLessThan(schemaVersion);
  if (oldestCompatible < schemaVersion) expect(compatible).not.toEqual([]);
});

for (const kind of databases.filter(({ name }) => name !== 'Citus')) {
  describe(kind.name, () => {
    test.for(compatible)('all statements of version %i run on this schema', async (version) => {
      const { db, url } = await open(kind);
      const statements = await readStatements(version, db.dialect);
      expect(statements.length).toBeGreaterThan(300);
      expect(await findFailures(db, url, statements)).toEqual([]);
    });

    test('a column that was removed, and one that older versions do not set, are found', async () => {
      const { db, url } = await open(kind);
      const breaking = {
        name: '9999_breaking',
        oldestCompatible: 1,
        up: async (knex: Database['write']) => {
          await knex.schema.alterTable('applications', (table) => table.dropColumn('color'));
          await knex.schema.dropTable('demo_api_key');
          await knex.schema.createTable('demo_api_key', (table) => {
            table.text('id').primary();
            table.text('made_by').notNullable();
          });
        },
      };
      await migrate(db, { limits, migrations: [...migrations, breaking] });
      const failures = await findFailures(db, url, await readStatements(1, db.dialect));
      expect(failures).toContainEqual(
        expect.stringMatching(/^insert into .demo_api_key.*: demo_api_key\.made_by has no default$/),
      );
      expect(failures).toContainEqual(expect.stringMatching(/^update .applications.*color.*: .*color/));
      expect(failures.filter((failure) => !/color|demo_api_key/.test(failure))).toEqual([]);
    });
  });
}

test('statements that differ only in the number of values are one', () => {
  expect(normalizeStatement('select * from a where b in ($1, $2,  $3) and c = $4 or d = $4')).toBe(
    'select * from a where b in ($1) and c = $2 or d = $2',
  );
  expect(normalizeStatement('insert into a (b, c) values (?, ?), (?, ?) on conflict do nothing')).toBe(
    'insert into a (b, c) values (?, ?) on conflict do nothing',
  );
  expect(
    normalizeStatement('with x (b) as (values (cast($1 as integer)), (cast($2 as integer))) select 1'),
  ).toBe('with x (b) as (values (cast($1 as integer))) select 1');
  expect(
    normalizeStatement('insert into `a` (`b`) select ? as `b`, ? as `c` union all select ? as `b`, ? as `c`'),
  ).toBe('insert into `a` (`b`) select ? as `b`, ? as `c`');
  expect(['select 1 from a', 'select name from sqlite_master'].filter(isOwnStatement)).toEqual([
    'select 1 from a',
  ]);
});
