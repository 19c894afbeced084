// Loads a file of bank entries, so that its logins can be linked at every sandbox institution. The rows go in by
// bounded batches under a load of their own, which its logins show only when the last row was good: a file is
// loaded as a whole or not at all. Loading a login again replaces what it had.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { addMilliseconds, days } from '../../../clock.ts';
import type { Database } from '../../../db/open.ts';
import { OperatorError } from '../../../errors.ts';
import { csvRows, type LoadedRow } from './csvRows.ts';
import { deriveSandboxKeys, type SandboxKeys, sealRow } from './rowEncryption.ts';
import {
  deleteEmptyLoad,
  deleteHiddenTransactions,
  findOldLoads,
  findTransactionFingerprints,
  insertLoad,
  insertLoadedTransactions,
  type LoadedTransactionRow,
  publishLoad,
} from './store.ts';

const batchRows = 250;
const deletedRowsMax = 5_000;
const abandonedAfterDays = 1;

export type LoadProgress = { rows: number; bytes: number; bytesTotal: number };
export type LoadResult = { rows: number; logins: number; accounts: number };

/** Loads FILE.csv or FILE.csv.gz. Throws OperatorError, with nothing loaded, where the file is not as it must be. */
export const loadFile = async (
  db: Database,
  secret: Buffer,
  options: { path: string; now: Date; onProgress?: (progress: LoadProgress) => void },
): Promise<LoadResult> => {
  const file = basename(options.path);
  const bytesTotal = await fileSize(options.path);
  const bytes = createReadStream(options.path);
  const rows = csvRows({ bytes, gzip: options.path.endsWith('.gz'), file });
  try {
    return await loadRows(db, deriveSandboxKeys(secret), {
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
  bytes: Readable;
  /** The file's name: for messages, and one that ends in .gz is unpacked. */
  name: string;
  bytesMax: number;
  now: Date;
};

/** Loads a file while it arrives, and no faster than it is stored. Throws OperatorError as `loadFile` does. */
export const loadUpload = async (db: Database, secret: Buffer, upload: Upload): Promise<LoadResult> => {
  const file = basename(upload.name);
  const bytes = Readable.from(limitBytes(upload, file));
  const rows = csvRows({ bytes, gzip: file.endsWith('.gz'), file });
  try {
    return await loadRows(db, deriveSandboxKeys(secret), { rows, file, now: upload.now, onRows: () => {} });
  } finally {
    bytes.destroy();
    // What follows after a fault is read and dropped, so that its sender gets to hear of the fault.
    upload.bytes.resume();
  }
};

async function* limitBytes({ bytes, bytesMax }: Upload, file: string): AsyncGenerator<Buffer> {
  let count = 0;
  // Leaving early must not break off the connection on which the answer goes back.
  for await (const chunk of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    count += chunk.length;
    if (count > bytesMax) throw new OperatorError(`${file} has more than ${bytesMax} bytes.`);
    yield chunk;
  }
}

const fileSize = async (path: string): Promise<number> => {
  try {
    const found = await stat(path);
    if (found.isFile()) return found.size;
  } catch {
    // The same sentence serves for a file that is not there and for one that may not be seen.
  }
  throw new OperatorError(`${path} is not a file that can be read.`);
};

type LoadRequest = {
  rows: AsyncIterable<LoadedRow>;
  file: string;
  now: Date;
  onRows: (count: number) => void;
};

const loadRows = async (db: Database, keys: SandboxKeys, work: LoadRequest): Promise<LoadResult> => {
  const loadId = await insertLoad(db.write, work.now);
  try {
    const rows = await stageRows(db, keys, loadId, work);
    const brought = await db.transaction((trx) => publishLoad(trx, loadId, work.now));
    await deleteReplacedLoads(db, loadId, work.now);
    return { rows, ...brought };
  } catch (error) {
    // What cannot be dropped now is dropped by a load on another day; the reason for the failure matters more.
    await deleteLoad(db, loadId).catch(() => {});
    throw error;
  }
};

const stageRows = async (
  db: Database,
  keys: SandboxKeys,
  loadId: number,
  work: LoadRequest,
): Promise<number> => {
  let count = 0;
  let batch: LoadedTransactionRow[] = [];
  const flush = async (): Promise<void> => {
    await rejectDuplicates(db, loadId, batch, work.file);
    await insertLoadedTransactions(db.write, batch);
    count += batch.length;
    batch = [];
    work.onRows(count);
  };
  for await (const row of work.rows) {
    batch.push(sealRow(keys, loadId, row));
    if (batch.length === batchRows) await flush();
  }
  if (batch.length > 0) await flush();
  if (count === 0) throw new OperatorError(`${work.file} has no rows below its headings.`);
  return count;
};

const rejectDuplicates = async (
  db: Database,
  loadId: number,
  batch: LoadedTransactionRow[],
  file: string,
): Promise<void> => {
  const prints = batch.flatMap(({ transactionFingerprint }) =>
    transactionFingerprint ? [transactionFingerprint] : [],
  );
  const held = await findTransactionFingerprints(db.write, loadId, prints);
  const seen = new Set(held.map((print) => print.toString('hex')));
  for (const { transactionFingerprint, position } of batch) {
    const print = transactionFingerprint?.toString('hex');
    if (print === undefined) continue;
    if (seen.has(print)) {
      throw new OperatorError(
        `${file}, line ${position}, column transaction: this account has the same transaction on an earlier line.`,
      );
    }
    seen.add(print);
  }
};

/** Deletes what no login shows any more, and what loads left behind that were killed. */
const deleteReplacedLoads = async (db: Database, loadId: number, now: Date): Promise<void> => {
  const old = await findOldLoads(db.write, loadId, addMilliseconds(now, -days(abandonedAfterDays)));
  for (const id of old) await deleteLoad(db, id);
};

const deleteLoad = async (db: Database, loadId: number): Promise<void> => {
  let deleted: number;
  do {
    deleted = await deleteHiddenTransactions(db.write, loadId, deletedRowsMax);
  } while (deleted === deletedRowsMax);
  await deleteEmptyLoad(db.write, loadId);
};
