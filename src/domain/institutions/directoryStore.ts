// Queries for connectors' directories and their logos.
import type { Queries } from '../../platform/db/open.ts';
import type { DirectoryRow } from '../../platform/db/tables.ts';

export const findDirectoryVersions = (db: Queries): Promise<Pick<DirectoryRow, 'connector' | 'version'>[]> =>
  db('directories').select('connector', 'version');

export const findDirectory = async (db: Queries, connector: string): Promise<DirectoryRow | undefined> =>
  db('directories').where({ connector }).first('*');

export type Claim = Pick<DirectoryRow, 'connector' | 'dueAt'>;

/** Claims a directory that is due at `now` by postponing it. Returns false if it is not due or already claimed. */
export const claimDirectory = async (db: Queries, claim: Claim, now: string): Promise<boolean> => {
  const claimed = await db('directories')
    .insert({ ...claim, version: 0 })
    .onConflict('connector')
    .merge({ dueAt: claim.dueAt })
    .where('directories.dueAt', '<=', now)
    .returning('connector');
  return claimed.length === 1;
};

/** Replaces the list unless another process has claimed the directory in the meantime. */
export const replaceListing = async (
  db: Queries,
  { connector, dueAt }: Claim,
  change: Omit<DirectoryRow, 'connector'>,
): Promise<void> => {
  await db('directories').where({ connector, dueAt }).update(change);
};

export const putInstitutionLogo = async (db: Queries, hash: string, bytes: Buffer): Promise<void> => {
  await db('institution_logos').insert({ hash, bytes }).onConflict('hash').ignore();
};

export const findInstitutionLogo = async (db: Queries, hash: string): Promise<Buffer | undefined> =>
  (await db('institution_logos').where({ hash }).first('bytes'))?.bytes;
