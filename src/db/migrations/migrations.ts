// All migrations, oldest first. A new one is added at the end and says which versions of the service can run after it.
import type { Knex } from 'knex';
import * as schema from './0001_schema.ts';
import * as schemaVersions from './0002_schemaVersions.ts';
import * as applicationRateLimits from './0003_applicationRateLimits.ts';
import * as simplefinPostedOnly from './0004_simplefinPostedOnly.ts';

export type Migration = {
  name: string;
  up(knex: Knex): Promise<void>;
  /** The oldest version of the schema whose statements still work, and do no harm, after the migration. */
  oldestCompatible: number;
};

export const migrations: readonly Migration[] = [
  { name: '0001_schema', ...schema, oldestCompatible: 1 },
  { name: '0002_schemaVersions', ...schemaVersions, oldestCompatible: 1 },
  { name: '0003_applicationRateLimits', ...applicationRateLimits, oldestCompatible: 1 },
  { name: '0004_simplefinPostedOnly', ...simplefinPostedOnly, oldestCompatible: 1 },
];

/**
 * The migration of a newer version that this one cannot run after, of those that a database has; undefined if it can.
 * `oldestCompatible` is what the database says.
 */
export const findIncompatible = (
  { applied, oldestCompatible }: { applied: readonly string[]; oldestCompatible: number },
  known: readonly Migration[] = migrations,
): string | undefined =>
  oldestCompatible <= known.length
    ? undefined
    : applied.find((one) => !known.some(({ name }) => name === one));

/** The version of the schema that this version of the service is made for. */
export const schemaVersion = migrations.length;
