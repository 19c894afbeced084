// Migrates the database to the schema of this version. All pending migrations run in one transaction under one lock, so that
// any number of processes may start at once and a killed one leaves nothing half done. Processes of an older version go on
// beside it, as far as the migrations allow.
import type { Knex } from 'knex';
import { addMilliseconds, type Clock, seconds, systemClock } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import type { Limits } from '../settings/limits.ts';
import { findRefusal, type Migration, migrations as ownMigrations } from './migrations/migrations.ts';
import type { Database } from './open.ts';

export type MigrationResult = {
  /** The names of those that ran. */
  migrations: string[];
  /** The version of the schema, and the oldest one whose processes can run on it. */
  schemaVersion: number;
  oldestCompatible: number;
};

type MigrationOptions = {
  /** The system's unless a test has another. */
  clock?: Pick<Clock, 'real'>;
  limits: Pick<Limits, 'processExpirySeconds'>;
  /** Those of this version unless a test has others. */
  migrations?: readonly Migration[];
};

/** Any number that no other lock of this database uses. */
const advisoryLockId = 20240101;

/** Less than a request waits for the database, because requests wait behind the migration for the lock of a table. */
const tableLockMs = 3000;
const lockNotAvailable = '55P03';

/**
 * Runs the pending migrations. Throws OperatorError for a database of an older version, or of a newer one that has changed it too
 * much for this one, while processes run that are too old for the migrations, and if a table is in use for long.
 */
export const migrate = async (db: Database, options: MigrationOptions): Promise<MigrationResult> => {
  const { migrations = ownMigrations } = options;
  return db.transaction(async (trx) => {
    if (db.dialect === 'postgres') {
      await trx.raw('select pg_advisory_xact_lock(?)', [advisoryLockId]);
      await trx.raw(`set local lock_timeout = ${tableLockMs}`);
    }
    const applied = await findApplied(trx);
    const oldestCompatible = await findOldestCompatible(trx);
    const refusal = findRefusal('This database', { applied, oldestCompatible }, migrations);
    if (refusal) throw new OperatorError(refusal);
    const pending = migrations.filter(({ name }) => !applied.includes(name));
    const result = { migrations: pending.map(({ name }) => name), oldestCompatible };
    if (pending.length > 0) {
      if (applied.length > 0) await refuseOlderProcesses(trx, pending, options);
      result.oldestCompatible = await runPending(trx, migrations).catch(explainLock);
    }
    return { ...result, schemaVersion: Math.max(applied.length, migrations.length) };
  });
};

const findApplied = async (trx: Knex.Transaction): Promise<string[]> =>
  (await trx.schema.hasTable('knex_migrations')) ? trx('knex_migrations').orderBy('id').pluck('name') : [];

const findOldestCompatible = async (trx: Knex.Transaction): Promise<number> => {
  const hasTable = await trx.schema.hasTable('schema_compatibility');
  const row = hasTable ? await trx('schema_compatibility').first('oldestVersion') : undefined;
  return row?.oldestVersion ?? Number.POSITIVE_INFINITY;
};

const refuseOlderProcesses = async (
  trx: Knex.Transaction,
  pending: readonly Migration[],
  { clock = systemClock(() => new Map()), limits }: MigrationOptions,
): Promise<void> => {
  const aliveSince = addMilliseconds(clock.real(), -seconds(limits.processExpirySeconds)).toISOString();
  const older = await trx('processes')
    .where('seenAt', '>=', aliveSince)
    .where('schemaVersion', '<', oldestOf(pending))
    .first('kind', 'host');
  if (!older) return;
  throw new OperatorError(
    `The database is not migrated, because an older version of the service still runs on it (${older.kind} on ${older.host}) and could not run any more. Stop all its processes first; one that was killed counts for ${limits.processExpirySeconds} seconds.`,
  );
};

/** The oldest version of the schema that can run after all of these. */
const oldestOf = (migrations: readonly Migration[]): number =>
  Math.max(...migrations.map(({ oldestCompatible }) => oldestCompatible));

/** Returns the oldest version of the schema that can run from now on. */
const runPending = async (trx: Knex.Transaction, migrations: readonly Migration[]): Promise<number> => {
  const migrationSource: Knex.MigrationSource<Migration> = {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ up }) => ({ up, down: refuseDown }),
  };
  // Its check would refuse the migrations of a newer version, which are allowed here.
  await trx.migrate.latest({ migrationSource, disableMigrationsListValidation: true });
  const oldestCompatible = oldestOf(migrations);
  await trx('schema_compatibility')
    .where('oldestVersion', '<', oldestCompatible)
    .update({ oldestVersion: oldestCompatible });
  return findOldestCompatible(trx);
};

const refuseDown = async (): Promise<never> => {
  throw new Error('Migrations are not undone: an older version runs on the new schema, or on a backup.');
};

const explainLock = (error: Error & { code?: string }): never => {
  if (error.code !== lockNotAvailable) throw error;
  throw new OperatorError(
    `The database is not migrated, because a table was in use for more than ${tableLockMs / 1000} seconds, perhaps by a backup. Nothing was changed: try again.`,
  );
};
