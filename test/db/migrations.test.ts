// Migrations: a database with another schema is refused, and later versions run side by side if the migrations allow it.
import { setImmediate } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/platform/db/migrate.ts';
import { type Migration, migrations, schemaVersion } from '../../src/platform/db/migrations/migrations.ts';
import { type Database, openDatabase } from '../../src/platform/db/open.ts';
import { limits } from '../../src/platform/settings/limits.ts';
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

/** A migration of a later version. */
const later = (oldestCompatible: number): Migration => ({
  name: '9999_later',
  up: (trx) => trx.raw('alter table processes add column later text'),
  oldestCompatible,
});

const migrateLater = (db: Database, oldestCompatible: number) =>
  migrate(db, { limits, migrations: [...migrations, later(oldestCompatible)] });

/** The names of migrations that earlier versions stored, oldest first. */
const earlierMigrations = [
  { names: ['0001_organizations', '0002_end_users', '0003_connections'] },
  { names: ['0001_schema'] },
  { names: ['0001_schema', '0002_schemaVersions', '0003_applicationRateLimits', '0004_simplefinPostedOnly'] },
];

for (const kind of databases) {
  describe(kind.name, () => {
    test.for(earlierMigrations)(
      'a database with the migrations $names is refused as older',
      async ({ names }) => {
        const { db } = await open(kind);
        await db.write('schema_migrations').delete();
        await db.write('schema_migrations').insert(names.map((name) => ({ name })));
        if (names.length < 4) await db.write.raw('drop table schema_compatibility');
        await expect(migrate(db, { limits })).rejects.toThrow(
          `This database belongs to an older version of the service (${names[0]}), and there are no upgrades before 0.1.0: use a new database, or that version.`,
        );
        expect(await db.read('schema_migrations').pluck('name')).toEqual(names);
      },
    );

    test('a database with a different schema hash is refused, and does not change', async () => {
      const { db } = await open(kind);
      const name = '0001_tables_0123456789abcdef';
      await db.write('schema_migrations').update({ name });
      await expect(migrate(db, { limits })).rejects.toThrow(
        `This database belongs to another version of the service, probably an older one (${name}), and there are no upgrades before 0.1.0`,
      );
      expect(await db.read('schema_migrations').pluck('name')).toEqual([name]);
    });

    test('an empty database gets all tables, and the name of the schema with its hash, once', async () => {
      const { db } = await open(kind, { empty: true });
      const names = [expect.stringMatching(/^0001_tables_[0-9a-f]{16}$/)];
      expect(await migrate(db, { limits })).toEqual({
        migrations: names,
        schemaVersion,
        oldestCompatible: 1,
      });
      expect(await migrate(db, { limits })).toMatchObject({ migrations: [] });
      expect(await db.read('schema_migrations').pluck('name')).toEqual(names);
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
      expect(await db.read('schema_migrations').pluck('name')).toHaveLength(schemaVersion);
      await running.close();
      await migrateLater(db, schemaVersion + 1);
      await expect(migrate(db, { limits })).rejects.toThrow(
        `This database belongs to a newer version of the service (9999_later), and schema version ${schemaVersion} cannot run on it`,
      );
    });
  });
}

for (const kind of databases.filter(({ name }) => name !== 'SQLite')) {
  test(`a table that stays in use is named after a wait, on ${kind.name}`, async () => {
    const { db } = await open(kind);
    await db.transaction(async (trx) => {
      await trx('processes').select('*');
      await expect(migrateLater(db, 1)).rejects.toThrow('because a table was in use for more than 3 seconds');
    });
    expect(await migrateLater(db, 1)).toMatchObject({ migrations: ['9999_later'] });
  });
}

for (const kind of databases.filter(({ name }) => name === 'SQLite')) {
  test('an empty SQLite file that another process has locked is opened after the lock is released', async () => {
    const { url, drop } = await kind.createEmpty();
    const other = new BetterSqlite3(url.slice('sqlite:'.length));
    other.exec('begin immediate');
    const opened = openDatabase(url);
    await setImmediate();
    other.exec('rollback');
    await (await opened).close();
    other.close();
    await drop();
  });
}
