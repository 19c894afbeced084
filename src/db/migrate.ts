// Creates this version's tables. All pending migrations run in one transaction under one lock, so that any number of
// processes may start at once and a killed one leaves nothing half done.
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { OperatorError } from '../errors.ts';
import * as schema from './migrations/0001_schema.ts';
import type { Database } from './open.ts';

type Migration = Pick<Knex.Migration, 'up' | 'down'>;

const migrations: Record<string, Migration> = { '0001_schema': schema };

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => migrations[name]!,
};

// Any number that no other lock of this database uses.
const advisoryLockId = 20240101;

/**
 * Runs the pending migrations and returns their names. Throws OperatorError for a database that another version has
 * migrated.
 */
export const migrate = async (db: Database): Promise<string[]> =>
  db.transaction(async (trx) => {
    if (db.dialect === 'postgres') await trx.raw('select pg_advisory_xact_lock(?)', [advisoryLockId]);
    if (await trx.schema.hasTable('knex_migrations')) {
      await refuseUnknownMigrations(trx);
      await refuseOtherSchema(trx);
    }
    const [, names] = (await trx.migrate.latest({ migrationSource })) as [number, string[]];
    if (names.length > 0) await storeSchemaHash(trx);
    return names;
  });

const refuseUnknownMigrations = async (trx: Knex.Transaction): Promise<void> => {
  const applied: string[] = await trx('knex_migrations').pluck('name');
  const unknown = applied.find((name) => !(name in migrations));
  if (unknown) {
    throw new OperatorError(
      `This database was migrated by another version of the service (${unknown}): start that version, or use another database.`,
    );
  }
};

// Until the first release the one migration is edited in place; its hash tells a database of another edition.
const hashTable = 'schema_hash';

const schemaHash = (knex: Knex): string =>
  createHash('sha256').update(schema.schemaStatements(knex).join(';\n')).digest('hex').slice(0, 16);

const refuseOtherSchema = async (trx: Knex.Transaction): Promise<void> => {
  if (!(await trx.schema.hasTable(hashTable))) return;
  const row = await trx(hashTable).first('hash');
  const expected = schemaHash(trx);
  if (row?.hash !== expected) {
    throw new OperatorError(
      `This database has the schema ${row?.hash}, and this version of the service needs ${expected}: start the version that made it, or use another database.`,
    );
  }
};

const storeSchemaHash = async (trx: Knex.Transaction): Promise<void> => {
  if (!(await trx.schema.hasTable(hashTable))) {
    await trx.schema.createTable(hashTable, (table) => table.text('hash').notNullable());
  }
  await trx(hashTable).delete();
  await trx(hashTable).insert({ hash: schemaHash(trx) });
};
