// Migrations: they never change, old databases get them, and versions run side by side as far as they allow.
import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { schemaStatements } from '../../src/db/migrations/0001_schema.ts';
import { type Migration, migrations, schemaVersion } from '../../src/db/migrations/migrations.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { limits } from '../../src/limits.ts';
import { type DatabaseKind, databases } from '../support/databases.ts';
import { link, startService } from '../support/testService.ts';

const open = async (kind: DatabaseKind, { empty = false } = {}): Promise<{ db: Database; url: string }> => {
  const database = await (empty ? kind.createEmpty() : kind.create());
  const db = await openDatabase(database.url);
  onTestFinished(async () => {
    await db.close();
    await database.drop();
  });
  return { db, url: database.url };
};

const hashOf = (statements: readonly string[]): string =>
  createHash('sha256').update(statements.join(';\n')).digest('hex').slice(0, 16);

/** A migration of a later version. */
const later = (oldestCompatible: number): Migration => ({
  name: '9999_later',
  up: async (knex) => knex.schema.alterTable('processes', (table) => table.text('later')),
  oldestCompatible,
});

const migrateLater = (db: Database, oldestCompatible: number) =>
  migrate(db, { limits, migrations: [...migrations, later(oldestCompatible)] });

/** A database as the first version of the schema left it. */
const makeFirstVersion = async (db: Database, schemaHash = hashOf(schemaStatements(db.write))) => {
  for (const statement of schemaStatements(db.write)) await db.write.raw(statement);
  const [first] = migrations;
  const migrationSource = {
    getMigrations: async () => [first!],
    getMigrationName: ({ name }: Migration) => name,
    getMigration: async () => ({ up: async () => {}, down: async () => {} }),
  };
  await db.write.migrate.latest({ migrationSource });
  await db.write.schema.createTable('schema_hash', (table) => table.text('hash').notNullable());
  await db.write('schema_hash').insert({ hash: schemaHash });
};

const hashes = {
  sqlite: { '2': '05286e157d199c8a', '3': '186c3564df75d372', '4': '83754f279b8b2d3b' },
  postgres: { '2': '28e1dbc6109bc94b', '3': 'cb830164dabf6dd4', '4': '732693d303fcbe57' },
};

for (const kind of databases) {
  describe(kind.name, () => {
    test('a migration that was released does not change', async () => {
      const { db } = await open(kind, { empty: true });
      const statements: string[] = [];
      db.write.on('query', ({ sql }: { sql: string }) => statements.push(sql));
      const found: Record<string, string> = {};
      for (let version = 2; version <= schemaVersion; version++) {
        await migrate(db, { limits, migrations: migrations.slice(0, version) });
        const own = statements
          .splice(0)
          .filter((sql) => /^(create|alter|drop|insert|update|delete)\b/i.test(sql));
        found[version] = hashOf(own.filter((sql) => !sql.includes('knex_migrations')));
      }
      expect(found).toEqual(hashes[db.dialect]);
    });

    test('a database of the first version keeps its rows', async () => {
      const { db } = await open(kind, { empty: true });
      await makeFirstVersion(db);
      const organization = { id: 'org_1', name: 'Northwind', createdAt: '2026-01-01T00:00:00.000Z' };
      await db.write('organizations').insert(organization);
      expect(await migrate(db, { limits })).toMatchObject({ schemaVersion });
      expect(await db.read('organizations').first('*')).toMatchObject(organization);
      expect(await migrate(db, { limits })).toMatchObject({ migrations: [] });
    });

    test('a database from before the first release is refused, and does not change', async () => {
      const { db } = await open(kind, { empty: true });
      await makeFirstVersion(db, '0123456789abcdef');
      const sentence = 'This database was made before the first release, by another version of the service';
      await expect(migrate(db, { limits })).rejects.toThrow(sentence);
      expect(await db.read('knex_migrations').pluck('name')).toEqual(['0001_schema']);
      expect(await db.read.schema.hasTable('schema_compatibility')).toBe(false);
    });

    test('processes of this version run and start on a newer schema that allows it', async () => {
      const { db, url } = await open(kind);
      const running = await startService({ existing: { databaseUrl: url } });
      onTestFinished(running.close);
      const { apiKey } = running.application;
      const { connectionId, scopedToken } = await link(running);
      expect(await migrateLater(db, schemaVersion)).toMatchObject({
        migrations: ['9999_later'],
        schemaVersion: schemaVersion + 1,
        oldestCompatible: schemaVersion,
      });
      await link(running);
      const { secretsDir } = running.service.config;
      const started = await startService({ existing: { databaseUrl: url, secretsDir }, worker: false });
      onTestFinished(started.close);
      const { data } = await started.client(scopedToken, apiKey).GET('/connections/{connectionId}', {
        params: { path: { connectionId } },
      });
      expect(data?.connection.id).toBe(connectionId);
    });

    test('a schema that this version cannot run on waits until its processes have stopped', async () => {
      const { db, url } = await open(kind);
      const running = await startService({ existing: { databaseUrl: url } });
      const sentence = 'because an older version of the service still runs on it (serve on ';
      await expect(migrateLater(db, schemaVersion + 1)).rejects.toThrow(sentence);
      expect(await db.read('knex_migrations').pluck('name')).toHaveLength(schemaVersion);
      await running.close();
      await migrateLater(db, schemaVersion + 1);
      await expect(migrate(db, { limits })).rejects.toThrow(
        `A newer version of the service has migrated this database (9999_later), and version ${schemaVersion} of the schema cannot run on it any more`,
      );
    });
  });
}

for (const kind of databases.filter(({ name }) => name !== 'SQLite')) {
  test(`a table in use for long is waited for, and then named, on ${kind.name}`, async () => {
    const { db } = await open(kind);
    await db.transaction(async (trx) => {
      await trx('processes').select('*');
      await expect(migrateLater(db, 1)).rejects.toThrow('because a table was in use for more than 3 seconds');
    });
    expect(await migrateLater(db, 1)).toMatchObject({ migrations: ['9999_later'] });
  });
}
