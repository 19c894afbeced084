// Entries of an account that are known to be new, sealed, on their way to publication. A few wait in memory; of
// many each batch waits as one staged row, because a row and its indexes for each would cost more than what is
// published in the end. Only this process can read a batch: it alone has the data key, and it alone publishes.
import type { Limits } from '../config.ts';
import type { Queries } from '../db/open.ts';
import { findBatch, insertStaged, type StagedAccount, type StagedRow } from './store.ts';

export type NewTransaction = Pick<
  StagedRow,
  | 'ordinal'
  | 'transactionId'
  | 'date'
  | 'status'
  | 'sealed'
  | 'transactionFingerprint'
  | 'bankIdFingerprint'
  | 'amountFingerprint'
>;

export type NewTransactions = {
  add(rows: readonly StagedRow[]): Promise<void>;
  /** Those that were added, a batch at a time, asked of the transaction that publishes them. */
  batches(trx: Queries): AsyncGenerator<NewTransaction[]>;
};

/** An empty collection, of which at most `inMemoryMax` entries wait in memory, and others `together` as one row. */
export const collectNewTransactions = (
  db: Queries,
  of: StagedAccount,
  { mergeInMemoryRows: inMemoryMax, newTransactionsBatch: together }: Limits,
): NewTransactions => {
  const inMemory: StagedRow[] = [];
  const stored: number[] = [];
  const store = async (): Promise<void> => {
    const rows = inMemory.splice(0, together);
    await insertStaged(db, [toBatchRow(rows)]);
    stored.push(rows[0]!.ordinal);
  };
  return {
    add: async (rows) => {
      inMemory.push(...rows);
      while (inMemory.length > (stored.length === 0 ? inMemoryMax : together)) await store();
    },
    batches: async function* (trx) {
      for (const n of stored) yield unpack(await findBatch(trx, of, n));
      for (let at = 0; at < inMemory.length; at += together) yield inMemory.slice(at, at + together);
    },
  };
};

const emptyBuffer = Buffer.alloc(0);

const toBatchRow = (rows: readonly StagedRow[]): StagedRow => ({
  ...rows[0]!,
  matchResult: 'batch',
  sealed: pack(rows),
  transactionFingerprint: emptyBuffer,
  bankIdFingerprint: null,
  amountFingerprint: emptyBuffer,
});

type PackedHeader = [ordinal: number, transactionId: string, date: string, status: string, lengths: number[]];

// The length of a JSON text (4 bytes), that text with everything that is no bytes, and all bytes end to end.
const pack = (rows: readonly NewTransaction[]): Buffer => {
  const parts: Buffer[] = [];
  const heads = rows.map(({ ordinal, transactionId, date, status, sealed, ...prints }): PackedHeader => {
    const bytes = [
      sealed,
      prints.transactionFingerprint,
      prints.bankIdFingerprint ?? emptyBuffer,
      prints.amountFingerprint,
    ];
    parts.push(...bytes);
    return [ordinal, transactionId, date, status, bytes.map((part) => part.length)];
  });
  const text = Buffer.from(JSON.stringify(heads));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, ...parts]);
};

const unpack = (batch: Buffer): NewTransaction[] => {
  const textEnd = 4 + batch.readUInt32LE();
  const heads: PackedHeader[] = JSON.parse(batch.toString('utf8', 4, textEnd));
  let at = textEnd;
  const take = (length: number): Buffer => {
    at += length;
    return batch.subarray(at - length, at);
  };
  return heads.map(([ordinal, transactionId, date, status, lengths]) => {
    const [sealed, transactionFingerprint, bankIdFingerprint, amountFingerprint] = lengths.map(take) as [
      Buffer,
      Buffer,
      Buffer,
      Buffer,
    ];
    const withId = bankIdFingerprint.length > 0 ? bankIdFingerprint : null;
    return {
      ordinal,
      transactionId,
      date,
      status,
      sealed,
      transactionFingerprint,
      bankIdFingerprint: withId,
      amountFingerprint,
    };
  });
};
