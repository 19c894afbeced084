// Loads a CSV file of transactions, so that an organization can link the file's logins at every sandbox institution. Rows are
// inserted in bounded batches under a new load. The logins switch to that load after the last valid row, so a file is loaded
// completely or not at all. Loading a login again replaces its data in this organization.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { Database, DbTransaction } from '../../../platform/db/open.ts';
import type { Limits } from '../../../platform/settings/limits.ts';
import { addMilliseconds, days } from '../../../platform/values/clock.ts';
import { OperatorError } from '../../../platform/values/errors.ts';
import { makeSecret } from '../../../platform/vault/keys.ts';
import { type CsvFile, csvRows, type LoadedRow } from './csvRows.ts';
import {
  type Load,
  nameFingerprints,
  type SandboxKeys,
  type SandboxKeyset,
  sealNamed,
  sealTransaction,
  unsealTransaction,
} from './rowEncryption.ts';
import * as store from './store.ts';

const batchRows = 250;
const deletedRowsMax = 5_000;
const abandonedAfterDays = 1;
/** An organization's quota, in uploads of the maximum size. */
const uploadsKeptMax = 10;

export type LoadProgress = { rows: number; bytes: number; bytesTotal: number };
export type LoadResult = { rows: number; logins: number; accounts: number };

type LoadTarget = { organizationId: string; now: Date };

/** Loads FILE.csv or FILE.csv.gz. Throws OperatorError, and loads nothing, if the file is invalid or too large. */
export const loadFile = async (
  db: Database,
  keys: SandboxKeyset,
  options: LoadTarget & {
    path: string;
    limits: Pick<Limits, 'sandboxFileBytesMax' | 'sandboxFileRowsMax'>;
    onProgress?: (progress: LoadProgress) => void;
  },
): Promise<LoadResult> => {
  const { path, limits, onProgress, ...target } = options;
  const bytesTotal = await fileSize(path);
  const bytes = createReadStream(path);
  return loadBytes(db, keys, {
    ...target,
    bytes,
    file: basename(path),
    bytesMax: limits.sandboxFileBytesMax,
    rowsMax: limits.sandboxFileRowsMax,
    onRows: (count) => onProgress?.({ rows: count, bytes: bytes.bytesRead, bytesTotal }),
  });
};

export type Upload = LoadTarget & {
  bytes: Readable;
  /** The file's name in messages; a name ending in .gz means gzip. */
  name: string;
  limits: Pick<Limits, 'sandboxUploadBytesMax' | 'sandboxUploadRowsMax'>;
};

/**
 * Loads a file while it is being uploaded, with backpressure. Throws OperatorError like `loadFile`, and if the organization
 * would exceed its quota.
 */
export const loadUpload = async (db: Database, keys: SandboxKeyset, upload: Upload): Promise<LoadResult> => {
  const { bytes, name, limits, ...target } = upload;
  const rowsMax = limits.sandboxUploadRowsMax;
  try {
    return await loadBytes(db, keys, {
      ...target,
      // An early return must not destroy the request, because the response uses its connection.
      bytes: Readable.from(bytes.iterator({ destroyOnReturn: false })),
      file: basename(name),
      bytesMax: limits.sandboxUploadBytesMax,
      rowsMax,
      rowsKeptMax: uploadsKeptMax * rowsMax,
    });
  } finally {
    // After an error the rest is read and discarded, so that the client receives the error.
    bytes.resume();
  }
};

const fileSize = async (path: string): Promise<number> => {
  try {
    const stats = await stat(path);
    if (stats.isFile()) return stats.size;
  } catch {
    // A missing and an unreadable file get the same message.
  }
  throw new OperatorError(`${path} is not a readable file.`);
};

type LoadRequest = LoadTarget &
  CsvFile & {
    onRows?: (count: number) => void;
    /** The number of rows that the organization may keep, including these; unlimited if absent. */
    rowsKeptMax?: number;
  };

/** Loads a file and closes it. */
const loadBytes = (db: Database, keys: SandboxKeyset, request: LoadRequest): Promise<LoadResult> =>
  loadRows(db, keys, request).finally(() => request.bytes.destroy());

const loadRows = async (db: Database, keys: SandboxKeyset, request: LoadRequest): Promise<LoadResult> => {
  const { organizationId, now } = request;
  const loadId = await store.insertLoad(db.write, organizationId, now);
  const load: Load = { organizationId, loadId, key: makeSecret() };
  try {
    const rows = await stageRows(db, keys, load, request);
    const counts = await keys.withCurrent(({ key: current }) =>
      db.transaction(async (trx) => {
        await store.lockSandbox(trx, organizationId);
        const logins = await useLoad(trx, { keys, current }, load);
        const accounts = await store.finishLoad(trx, loadId, now);
        await requireRoom(trx, { loadId, count: rows }, request);
        return { logins, accounts };
      }),
    );
    await deleteReplacedLoads(db, loadId, request);
    return { rows, ...counts };
  } catch (error) {
    // If this deletion fails, a later load repeats it; the original error is more important.
    await deleteLoad(db, loadId).catch(() => {});
    throw error;
  }
};

/** Makes a load's logins use that load. Returns the number of logins. */
const useLoad = async (
  trx: DbTransaction,
  { keys, current }: { keys: SandboxKeyset; current: SandboxKeys },
  { organizationId, loadId }: Load,
): Promise<number> => {
  let logins = 0;
  let last: Buffer = Buffer.alloc(0);
  for (;;) {
    const rows = await store.findTransactionOfEachLogin(trx, loadId, last, batchRows);
    if (rows.length === 0) return logins;
    const named = rows.map((row) => {
      const name = `login ${unsealTransaction(keys, { ...row, organizationId }).login}`;
      return { name, loadId, loginFingerprint: row.loginFingerprint };
    });
    const fingerprints = named.flatMap(({ name }) => nameFingerprints(keys, organizationId, name));
    const sealed = named.map(({ name, ...row }) => ({ ...row, ...sealNamed(current, organizationId, name) }));
    await store.putLogins(trx, fingerprints, sealed);
    logins += rows.length;
    last = named.at(-1)!.loginFingerprint;
  }
};

/** Throws OperatorError above the quota, which excludes rows of logins that the file replaces. */
const requireRoom = async (
  trx: DbTransaction,
  { loadId, count }: { loadId: number; count: number },
  { organizationId, file, rowsKeptMax }: LoadRequest,
): Promise<void> => {
  if (rowsKeptMax === undefined) return;
  const kept = await store.countOtherTransactions(trx, { organizationId, loadId });
  if (kept + count <= rowsKeptMax) return;
  throw new OperatorError(
    `${file} has ${count} rows, and the organization has ${kept} rows of other logins. The limit is ${rowsKeptMax} in total. Load a login again to replace its rows.`,
  );
};

const stageRows = async (
  db: Database,
  keys: SandboxKeyset,
  load: Load,
  request: LoadRequest,
): Promise<number> => {
  let count = 0;
  let batch: LoadedRow[] = [];
  const flush = (): Promise<void> =>
    keys.withCurrent(async ({ key: current }) => {
      const rows = batch.map((row) => sealTransaction(current, load, row));
      const inserted = new Set(await store.insertLoadedTransactions(db.write, rows));
      const repeated = rows.find(({ position }) => !inserted.has(position));
      if (repeated) {
        throw new OperatorError(
          `${request.file}, line ${repeated.position}, column transaction: this account has the same transaction on an earlier line.`,
        );
      }
      count += batch.length;
      batch = [];
      request.onRows?.(count);
    });
  for await (const row of csvRows(request)) {
    batch.push(row);
    if (batch.length === batchRows) await flush();
  }
  if (batch.length > 0) await flush();
  if (count === 0) throw new OperatorError(`${request.file} has no rows after the first line.`);
  return count;
};

/** Deletes the organization's rows that no login uses any more, and rows of interrupted loads. */
const deleteReplacedLoads = async (
  db: Database,
  loadId: number,
  { organizationId, now }: LoadRequest,
): Promise<void> => {
  const startedBefore = addMilliseconds(now, -days(abandonedAfterDays));
  const oldLoads = await store.findOldLoads(db.write, { organizationId, except: loadId, startedBefore });
  for (const id of oldLoads) await deleteLoad(db, id);
};

const deleteLoad = async (db: Database, loadId: number): Promise<void> => {
  let deleted: number;
  do {
    deleted = await store.deleteHiddenTransactions(db.write, loadId, deletedRowsMax);
  } while (deleted === deletedRowsMax);
  await store.deleteEmptyLoad(db.write, loadId);
};
