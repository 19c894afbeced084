// The required content of a backup, for both databases.
import { findRefusal } from '../../platform/db/migrations/migrations.ts';
import type { ServiceSecretRow } from '../../platform/db/tables.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import { readPublicFile, readSecretFile } from '../secrets/files.ts';
import { publicKeyOf, type SecretName } from '../secrets/names.ts';

/** The tables whose rows are counted. */
export const countedTables = ['organizations', 'applications', 'end_users', 'connections'] as const;

type SecretVersion = Pick<ServiceSecretRow, 'name' | 'ordinal' | 'keyId' | 'publicKeyId'>;

export type BackupContent = {
  /** The names of the migrations that had run. */
  migrations: string[];
  /** The oldest version of the schema that can run on it; undefined before there were versions. */
  oldestVersion?: number;
  secrets: SecretVersion[];
  rows: Record<(typeof countedTables)[number], number>;
};

/** Throws OperatorError for a database of something else. */
export const requireTables = (file: string, tables: { has(name: string): boolean }): void => {
  if (tables.has('schema_migrations') && tables.has('service_secrets')) return;
  throw new OperatorError(`${file} is not a backup of this service: tables are missing.`);
};

/** Throws OperatorError for a backup that is incompatible with this version. */
export const checkSchema = (file: string, { migrations, oldestVersion = Infinity }: BackupContent): void => {
  if (migrations.length === 0)
    throw new OperatorError(`${file} is not a backup of this service: it has no migrations.`);
  const refusal = findRefusal(file, { applied: migrations, oldestCompatible: oldestVersion });
  if (refusal) throw new OperatorError(refusal);
};

/** Problems with the files of the secrets, one sentence for each. */
export const findSecretProblems = (directory: string, { secrets }: BackupContent): string[] => {
  const problemOf = (read: () => Buffer): string[] => {
    try {
      read();
      return [];
    } catch (error) {
      if (error instanceof OperatorError) return [error.message];
      throw error;
    }
  };
  return secrets.flatMap((secret) => {
    const version = secret as ServiceSecretRow;
    const hasPublicHalf = publicKeyOf[secret.name as SecretName] !== undefined;
    return [
      ...problemOf(() => readSecretFile(directory, version)),
      ...(hasPublicHalf ? problemOf(() => readPublicFile(directory, version)) : []),
    ];
  });
};
