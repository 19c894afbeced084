// Staging: fetched transactions wait here until they are published, sealed under a data key that exists only in the
// memory of this refresh. If the process dies, nobody can unseal what it staged.
import { setImmediate } from 'node:timers/promises';
import type { Limits } from '../config.ts';
import type { BankTransaction } from '../connectors/connector.ts';
import type { Database, Queries } from '../db/open.ts';
import { makeId } from '../ids.ts';
import { canonicalDecimal } from '../json.ts';
import { sealTransaction } from '../transactions/transaction.ts';
import { fingerprint } from '../vault/keys.ts';
import { deleteStaged, findBatch, insertStaged, type StagedAccount, type StagedRow } from './store.ts';

/** The account that transactions are staged for, and the keys that seal and fingerprint them. */
export type StagingTarget = StagedAccount & {
  currency: string;
  dataKey: Buffer;
  fingerprintKey: Buffer;
  createdAt: string;
};

/** What a transaction is matched by. */
export type TransactionFingerprints = Pick<
  StagedRow,
  'transactionFingerprint' | 'bankIdFingerprint' | 'amountFingerprint'
>;

export const fingerprintsOf = (
  transaction: BankTransaction,
  target: StagingTarget,
): TransactionFingerprints => {
  // A bank may send 1.5 today and 1.50 tomorrow for the same amount.
  const amount = canonicalDecimal(transaction.amount);
  return {
    ...identityFingerprints(transaction, amount, target),
    amountFingerprint: amountFingerprint(amount, target),
  };
};

const fingerprintFor = (target: StagingTarget, purpose: string, parts: string[]): Buffer =>
  fingerprint(target.fingerprintKey, purpose, target.accountId, parts);

const identityFingerprints = (transaction: BankTransaction, amount: string, target: StagingTarget) => ({
  transactionFingerprint: fingerprintFor(target, 'transaction', [
    transaction.date,
    amount,
    target.currency,
    transaction.description,
    transaction.reference,
  ]),
  bankIdFingerprint:
    transaction.id === undefined ? null : fingerprintFor(target, 'bank id', [transaction.id]),
});

const amountFingerprint = (amount: string, target: StagingTarget): Buffer =>
  fingerprintFor(target, 'amount', [amount, target.currency]);

const emptyBuffer = Buffer.alloc(0);

/** The row that stages a transaction, sealed under the id that it will have; `ordinal` counts within the account. */
export const toStagedRow = (
  transaction: BankTransaction,
  fingerprints: TransactionFingerprints,
  target: StagingTarget,
  row: Pick<StagedRow, 'ordinal' | 'transactionId' | 'matchResult'>,
): StagedRow => ({
  endUserId: target.endUserId,
  refreshId: target.refreshId,
  accountId: target.accountId,
  ordinal: row.ordinal,
  matchResult: row.matchResult,
  transactionId: row.transactionId,
  date: transaction.date,
  status: transaction.status,
  sealed: sealTransaction(
    transaction,
    { accountId: target.accountId, id: row.transactionId },
    target.dataKey,
  ),
  ...fingerprints,
  createdAt: target.createdAt,
});

/** The row of a transaction that is known to be new. Its amount is fingerprinted only while it is pending. */
export const toNewStagedRow = (
  transaction: BankTransaction,
  ordinal: number,
  target: StagingTarget,
): StagedRow => {
  const amount = canonicalDecimal(transaction.amount);
  const fingerprints = {
    ...identityFingerprints(transaction, amount, target),
    amountFingerprint: transaction.status === 'pending' ? amountFingerprint(amount, target) : emptyBuffer,
  };
  return toStagedRow(transaction, fingerprints, target, {
    ordinal,
    transactionId: makeId('txn'),
    matchResult: null,
  });
};

export type NewTransaction = Pick<
  StagedRow,
  'ordinal' | 'transactionId' | 'date' | 'status' | 'sealed' | keyof TransactionFingerprints
>;

export type NewTransactions = {
  add(rows: readonly StagedRow[]): Promise<void>;
  /** Reads the added transactions in batches, within the transaction that publishes them. */
  batches(trx: Queries): AsyncGenerator<NewTransaction[]>;
};

/**
 * Collects transactions that are known to be new. Up to `mergeInMemoryRows` stay in memory. More are stored as one
 * staged row for each batch of `newTransactionsBatch`, because a row with indexes for each transaction would cost more
 * than publishing it.
 */
export const collectNewTransactions = (
  db: Queries,
  stagedAccount: StagedAccount,
  { mergeInMemoryRows: inMemoryMax, newTransactionsBatch: batchSize }: Limits,
): NewTransactions => {
  const inMemory: StagedRow[] = [];
  const storedOrdinals: number[] = [];
  const storeBatch = async (): Promise<void> => {
    const rows = inMemory.splice(0, batchSize);
    await insertStaged(db, [toBatchRow(rows)]);
    storedOrdinals.push(rows[0]!.ordinal);
  };
  return {
    add: async (rows) => {
      inMemory.push(...rows);
      while (inMemory.length > (storedOrdinals.length === 0 ? inMemoryMax : batchSize)) await storeBatch();
    },
    batches: async function* (trx) {
      for (const ordinal of storedOrdinals) yield unpack(await findBatch(trx, stagedAccount, ordinal));
      for (let start = 0; start < inMemory.length; start += batchSize) {
        yield inMemory.slice(start, start + batchSize);
      }
    },
  };
};

const toBatchRow = (rows: readonly StagedRow[]): StagedRow => ({
  ...rows[0]!,
  matchResult: 'batch',
  sealed: pack(rows),
  transactionFingerprint: emptyBuffer,
  bankIdFingerprint: null,
  amountFingerprint: emptyBuffer,
});

type PackedHeader = [
  ordinal: number,
  transactionId: string,
  date: string,
  status: StagedRow['status'],
  lengths: number[],
];

// Format: the length of a JSON text (4 bytes, little-endian), the JSON text with all headers, then all bytes.
const pack = (rows: readonly NewTransaction[]): Buffer => {
  const parts: Buffer[] = [];
  const headers = rows.map(
    ({ ordinal, transactionId, date, status, sealed, ...fingerprints }): PackedHeader => {
      const bytes = [
        sealed,
        fingerprints.transactionFingerprint,
        fingerprints.bankIdFingerprint ?? emptyBuffer,
        fingerprints.amountFingerprint,
      ];
      parts.push(...bytes);
      return [ordinal, transactionId, date, status, bytes.map((part) => part.length)];
    },
  );
  const json = Buffer.from(JSON.stringify(headers));
  const jsonLength = Buffer.alloc(4);
  jsonLength.writeUInt32LE(json.length);
  return Buffer.concat([jsonLength, json, ...parts]);
};

const unpack = (batch: Buffer): NewTransaction[] => {
  const jsonEnd = 4 + batch.readUInt32LE();
  const headers: PackedHeader[] = JSON.parse(batch.toString('utf8', 4, jsonEnd));
  let offset = jsonEnd;
  const read = (length: number): Buffer => {
    offset += length;
    return batch.subarray(offset - length, offset);
  };
  return headers.map(([ordinal, transactionId, date, status, lengths]) => {
    const [sealed, transactionFingerprint, bankIdFingerprint, amountFingerprint] = lengths.map(read) as [
      Buffer,
      Buffer,
      Buffer,
      Buffer,
    ];
    return {
      ordinal,
      transactionId,
      date,
      status,
      sealed,
      transactionFingerprint,
      bankIdFingerprint: bankIdFingerprint.length > 0 ? bankIdFingerprint : null,
      amountFingerprint,
    };
  });
};

/**
 * Deletes what a published refresh has staged, in bounded steps outside of the publishing transaction. Never throws:
 * the retention sweep deletes what is left.
 */
export const clearStaged = async (
  { db, limits }: { db: Database; limits: Limits },
  refresh: { endUserId: string; refreshId: string },
): Promise<void> => {
  const step = { rows: limits.clearStagedRows, bytes: limits.clearStagedBytes };
  try {
    while (await deleteStaged(db.write, refresh, step)) {
      // Lets other requests use the database connection first.
      await setImmediate();
    }
  } catch {
    // The database is closed or cannot be reached.
  }
};
