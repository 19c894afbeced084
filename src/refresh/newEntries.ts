// Entries of an account that are known to be new, sealed, on their way to publication. A few wait in memory; of
// many each batch waits as one staged row, because a row and its indexes for each would cost more than what is
// published in the end. Only this process can read a batch: it alone has the data key, and it alone publishes.
import { deserialize, serialize } from 'node:v8';
import type { Queries } from '../db/open.ts';
import { findBatch, insertStaged, type StagedAccount, type StagedRow } from './store.ts';

export type NewEntry = Pick<
  StagedRow,
  'n' | 'transactionId' | 'date' | 'status' | 'sealed' | 'entryPrint' | 'bankIdPrint' | 'amountPrint'
>;

export type NewEntries = {
  add(rows: readonly StagedRow[]): Promise<void>;
  /** Those that were added, a batch at a time, asked of the transaction that publishes them. */
  batches(trx: Queries): AsyncGenerator<NewEntry[]>;
};

/** An empty collection, of which at most `inMemoryMax` entries wait in memory. */
export const collectNew = (db: Queries, of: StagedAccount, inMemoryMax: number): NewEntries => {
  const inMemory: StagedRow[] = [];
  const stored: number[] = [];
  const store = async (rows: readonly StagedRow[]): Promise<void> => {
    if (rows.length === 0) return;
    await insertStaged(db, [asOneRow(rows)]);
    stored.push(rows[0]!.n);
  };
  return {
    add: async (rows) => {
      if (stored.length === 0 && inMemory.length + rows.length <= inMemoryMax) {
        inMemory.push(...rows);
        return;
      }
      await store(inMemory.splice(0));
      await store(rows);
    },
    batches: async function* (trx) {
      if (inMemory.length > 0) yield inMemory;
      for (const n of stored) yield unpack(await findBatch(trx, of, n));
    },
  };
};

const asOneRow = (rows: readonly StagedRow[]): StagedRow => {
  const empty = Buffer.alloc(0);
  const sealed = serialize(
    rows.map((row): NewEntry => {
      const { n, transactionId, date, status, sealed, entryPrint, bankIdPrint, amountPrint } = row;
      return { n, transactionId, date, status, sealed, entryPrint, bankIdPrint, amountPrint };
    }),
  );
  return { ...rows[0]!, verdict: 'batch', sealed, entryPrint: empty, bankIdPrint: null, amountPrint: empty };
};

const unpack = (batch: Uint8Array): NewEntry[] => deserialize(batch);
