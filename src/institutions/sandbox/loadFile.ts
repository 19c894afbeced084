// Loads a CSV file of transactions, so that an organization can link its logins at every sandbox institution. Rows are
// inserted in bounded batches under a new load; its logins switch to that load after the last valid row, so a file is
// loaded completely or not at all. Loading a login again replaces its data in this organization.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { addMilliseconds, days } from '../../clock.ts';
import type { Database, DbTransaction } from '../../db/open.ts';
import { OperatorError } from '../../errors.ts';
import type { Limits } from '../../settings/limits.ts';
import { makeSecret } from '../../vault/keys.ts';
import { csvRows, type LoadedRow } from './csvRows.ts';
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
/** How many of the largest uploads an organization may keep. */
const uploadsKeptMax = 10;

export type LoadProgress = { rows: number; bytes: number; bytesTotal: number };
export type LoadResult = { rows: number; logins: number; accounts: number };

/** Loads FILE.csv or FILE.csv.gz. Throws OperatorError, with nothing loaded, if the file is invalid or too large. */
export const loadFile = async (
  db: Database,
  keys: SandboxKeyset,
  options: {
    organizationId: string;
    path: string;
    limits: Pick<Limits, 'sandboxFileBytesMax' | 'sandboxFileRowsMax'>;
    now: Date;
    onProgress?: (progress: LoadProgress) => void;
  },
): Promise<LoadResult> => {
  const { sandboxFileBytesMax: bytesMax, sandboxFileRowsMax: rowsMax } = options.limits;
  const file = basename(options.path);
  const bytesTotal = await fileSize(options.path);
  const bytes = createReadStream(options.path);
  const rows = csvRows({ bytes, gzip: options.path.endsWith('.gz'), file, bytesMax, rowsMax });
  try {
    return await loadRows(db, keys, {
      organizationId: options.organizationId,
      rows,
      file,
      now: options.now,
      onRows: (count) => options.onProgress?.({ rows: count, bytes: bytes.bytesRead, bytesTotal }),
    });
  } finally {
    bytes.destroy();
  }
};

export type Upload = {
  organizationId: string;
  bytes: Readable;
  /** The file's name, used in messages; a name ending in .gz means gzip. */
  name: string;
  limits: Pick<Limits, 'sandboxUploadBytesMax' | 'sandboxUploadRowsMax'>;
  now: Date;
};

/**
 * Loads a file while it is uploaded, with backpressure. Throws OperatorError as `loadFile` does, also where the organization
 * would keep too many rows.
 */
export const loadUpload = async (db: Database, keys: SandboxKeyset, upload: Upload): Promise<LoadResult> => {
  const { organizationId, now } = upload;
  const { sandboxUploadBytesMax: bytesMax, sandboxUploadRowsMax: rowsMax } = upload.limits;
  const file = basename(upload.name);
  // An early return must not destroy the request, on whose connection the response is sent.
  const bytes = Readable.from(upload.bytes.iterator({ destroyOnReturn: false }));
  const rows = csvRows({ bytes, gzip: file.endsWith('.gz'), file, bytesMax, rowsMax });
  try {
    const request = {
      organizationId,
      rows,
      file,
      now,
      onRows: () => {},
      rowsKeptMax: uploadsKeptMax * rowsMax,
    };
    return await loadRows(db, keys, request);
  } finally {
    bytes.destroy();
    // After an error the rest is read and discarded, so that the client receives the error.
    upload.bytes.resume();
  }
};

const fileSize = async (path: string): Promise<number> => {
  try {
    const stats = await stat(path);
    if (stats.isFile()) return stats.size;
  } catch {
    // A missing and an unreadable file get the same message.
  }
  throw new OperatorError(`${path} is not a file that can be read.`);
};

type LoadRequest = {
  organizationId: string;
  rows: AsyncIterable<LoadedRow>;
  file: string;
  now: Date;
  onRows: (count: number) => void;
  /** How many rows the organization may keep, with these; without it any number. */
  rowsKeptMax?: number;
};

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
    // A later load deletes what cannot be deleted now; the original error is more important.
    await deleteLoad(db, loadId).catch(() => {});
    throw error;
  }
};

/** Makes its logins use this load; returns how many. */
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

/** Rows of logins that the file replaces are not counted. */
const requireRoom = async (
  trx: DbTransaction,
  { loadId, count }: { loadId: number; count: number },
  { organizationId, file, rowsKeptMax }: LoadRequest,
): Promise<void> => {
  if (rowsKeptMax === undefined) return;
  const kept = await store.countOtherTransactions(trx, { organizationId, loadId });
  if (kept + count <= rowsKeptMax) return;
  throw new OperatorError(
    `${file} has ${count} rows, and the organization has ${kept} of other logins: together at most ${rowsKeptMax} are kept. Load logins again to replace their rows.`,
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
      request.onRows(count);
    });
  for await (const row of request.rows) {
    batch.push(row);
    if (batch.length === batchRows) await flush();
  }
  if (batch.length > 0) await flush();
  if (count === 0) throw new OperatorError(`${request.file} has no rows after the first line.`);
  return count;
};

/** Deletes the organization's rows that no login uses any more, and those of loads that were killed. */
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
