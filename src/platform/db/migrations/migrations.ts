// All migrations, oldest first. Add new ones at the end, with the oldest version of the schema that can run after them. Until
// 0.1.0 there is only the first: schema changes edit it, and test/upgrade freezes it again.
import { createHash } from 'node:crypto';
import type { DbTransaction } from '../open.ts';
import { schemaStatements, up } from './0001_tables.ts';

export type Migration = {
  name: string;
  up(trx: DbTransaction): Promise<void>;
  /** The oldest version of the schema whose statements still work, and do no harm, after the migration. */
  oldestCompatible: number;
};

const firstName = '0001_tables_';
const schema = [schemaStatements('sqlite'), schemaStatements('postgres')];
const hash = createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 16);

export const migrations: readonly Migration[] = [
  // Databases store the name. The hash distinguishes this schema from earlier ones with the same name.
  { name: `${firstName}${hash}`, up, oldestCompatible: 1 },
];

type StoredSchema = {
  /** The names of the migrations that a database has, oldest first. */
  applied: readonly string[];
  /** The value in the database; infinite if there is none. */
  oldestCompatible: number;
};

/**
 * A sentence that explains why this version cannot run on `subject`, a database or a backup; undefined if it can, or if
 * there are no migrations yet.
 */
export const findRefusal = (
  subject: string,
  { applied, oldestCompatible }: StoredSchema,
  known: readonly Migration[] = migrations,
): string | undefined => {
  const [first] = applied;
  if (first === undefined) return undefined;
  if (first !== known[0]?.name) {
    const version = first.startsWith(firstName)
      ? 'another version of the service, probably an older one'
      : 'an older version of the service';
    return `${subject} belongs to ${version} (${first}), and there are no upgrades before 0.1.0: use a new database, or that version.`;
  }
  if (oldestCompatible <= known.length) return undefined;
  const newer = applied.find((one) => !known.some(({ name }) => name === one));
  return `${subject} belongs to a newer version of the service (${newer}), and schema version ${known.length} cannot run on it: use that version.`;
};

/** The schema version of this version of the service. */
export const schemaVersion = migrations.length;
