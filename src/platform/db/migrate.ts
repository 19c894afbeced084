// Migrates the database to the schema of this version. All pending migrations run in one transaction under one lock, so that
// any number of processes may start at once and a killed one leaves nothing half done. Processes of an older version keep
// running if the migrations allow it.

import type { Limits } from '../settings/limits.ts';
import { addMilliseconds, type Clock, seconds, systemClock } from '../values/clock.ts';
import { OperatorError } from '../values/errors.ts';
import { explainMissingRight } from './explainPostgres.ts';
import { findRefusal, type Migration, migrations as ownMigrations } from './migrations/migrations.ts';
import type { Database, DbTransaction } from './open.ts';
import { isPostgres } from './queries.ts';

export type MigrationResult = {
  /** The names of the migrations that ran. */
  migrations: string[];
  /** The version of the schema, and the oldest one whose processes can run on it. */
  schemaVersion: number;
  oldestCompatible: number;
};

type MigrationOptions = {
  /** The system clock, unless a test replaces it. */
  clock?: Pick<Clock, 'real'>;
  limits: Pick<Limits, 'processExpirySeconds'>;
  /** The default is the migrations of this version; tests pass others. */
  migrations?: readonly Migration[];
};

/** An arbitrary number that no other lock of this database uses. */
const advisoryLockId = 20240101;

/** Shorter than the wait of a request for the database, because requests queue behind a migration that is waiting for a table. */
const tableLockMs = 3000;
const lockNotAvailable = '55P03';
/** Permission denied, and no schema in which the role may create tables. */
const missingRightCodes = ['42501', '3F000'];

/**
 * Runs the pending migrations. Throws OperatorError if the database has an older version, or a newer one that this version
 * cannot run on; if running processes are too old for the migrations; if a table stays in use; or if a permission is missing.
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
      result.oldestCompatible = await runPending(trx, pending, migrations).catch((error) =>
        explain(db, error),
      );
    }
    return { ...result, schemaVersion: Math.max(applied.length, migrations.length) };
  });
};

/** Before this schema, Knex kept the list. */
const migrationTables = ['schema_migrations', 'knex_migrations'] as const;

const findApplied = async (trx: DbTransaction): Promise<string[]> => {
  for (const table of migrationTables) {
    if (await hasTable(trx, table)) return trx(table).orderBy('name').pluck('name');
  }
  return [];
};

const hasTable = async (trx: DbTransaction, table: string): Promise<boolean> => {
  const list = isPostgres(trx) ? 'pg_tables where tablename' : 'sqlite_schema where name';
  return (await trx.raw(`select 1 from ${list} = ?`, [table])).length > 0;
};

const findOldestCompatible = async (trx: DbTransaction): Promise<number> => {
  if (!(await hasTable(trx, 'schema_compatibility'))) return Number.POSITIVE_INFINITY;
  return (
    (await trx('schema_compatibility').first('oldestVersion'))?.oldestVersion ?? Number.POSITIVE_INFINITY
  );
};

const refuseOlderProcesses = async (
  trx: DbTransaction,
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
const runPending = async (
  trx: DbTransaction,
  pending: readonly Migration[],
  all: readonly Migration[],
): Promise<number> => {
  for (const { name, up } of pending) {
    await up(trx);
    await trx('schema_migrations').insert({ name });
  }
  const oldestCompatible = oldestOf(all);
  await trx('schema_compatibility')
    .where('oldestVersion', '<', oldestCompatible)
    .update({ oldestVersion: oldestCompatible });
  return findOldestCompatible(trx);
};

const explain = async ({ read }: Database, error: Error & { code?: string }): Promise<never> => {
  if (missingRightCodes.includes(error.code ?? '')) {
    const [who] = await read.raw<{ role: string; schema: string | null }[]>(
      'select current_user as role, current_schema() as schema',
    );
    throw explainMissingRight(error, who!);
  }
  if (error.code !== lockNotAvailable) throw error;
  throw new OperatorError(
    `The database is not migrated, because a table was in use for more than ${tableLockMs / 1000} seconds, perhaps by a backup. Nothing was changed: try again.`,
  );
};
