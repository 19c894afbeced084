// Brings a database to this version's tables. All pending migrations run in one transaction under one lock,
// so that any number of processes may start at once and a killed one leaves nothing half done.
import type { Knex } from 'knex';
import { OperatorError } from '../errors.ts';
import * as organizations from './migrations/0001_organizations.ts';
import * as endUsers from './migrations/0002_end_users.ts';
import * as connections from './migrations/0003_connections.ts';
import * as refresh from './migrations/0004_refresh.ts';
import * as sandbox from './migrations/0005_sandbox.ts';
import * as sandboxClock from './migrations/0006_sandbox_clock.ts';
import * as failures from './migrations/0007_failures.ts';
import * as retention from './migrations/0008_retention.ts';
import * as members from './migrations/0010_members.ts';
import * as audit from './migrations/0011_audit.ts';
import * as metrics from './migrations/0012_metrics.ts';
import * as connectionHistory from './migrations/0013_connection_history.ts';
import * as applicationChoices from './migrations/0014_application_choices.ts';
import * as requestCounts from './migrations/0015_request_counts.ts';
import * as linkingSession from './migrations/0016_linking_session.ts';
import type { Database } from './open.ts';

type Migration = Pick<Knex.Migration, 'up' | 'down'>;

const migrations: Record<string, Migration> = {
  '0001_organizations': organizations,
  '0002_end_users': endUsers,
  '0003_connections': connections,
  '0004_refresh': refresh,
  '0005_sandbox': sandbox,
  '0006_sandbox_clock': sandboxClock,
  '0007_failures': failures,
  '0008_retention': retention,
  '0010_members': members,
  '0011_audit': audit,
  '0012_metrics': metrics,
  '0013_connection_history': connectionHistory,
  '0014_application_choices': applicationChoices,
  '0015_request_counts': requestCounts,
  '0016_linking_session': linkingSession,
};

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => migrations[name]!,
};

// Any number that nobody else uses in this database.
const advisoryLock = 20240101;

/** Runs what is pending; returns the names. Refuses a database that a newer version has changed already. */
export const migrate = async (db: Database): Promise<string[]> =>
  db.transaction(async (trx) => {
    if (db.dialect === 'postgres') await trx.raw('select pg_advisory_xact_lock(?)', [advisoryLock]);
    if (await trx.schema.hasTable('knex_migrations')) await refuseNewer(trx);
    const [, names] = await trx.migrate.latest({ migrationSource });
    return names as string[];
  });

const refuseNewer = async (trx: Knex.Transaction): Promise<void> => {
  const done: string[] = await trx('knex_migrations').pluck('name');
  const unknown = done.find((name) => !(name in migrations));
  if (unknown) {
    throw new OperatorError(
      `This database was migrated by a newer version of the service (${unknown}): start that version, or restore a backup.`,
    );
  }
};
