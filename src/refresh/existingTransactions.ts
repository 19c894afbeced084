// The stored transactions of an account that a merge compares with those of the bank.
import { setImmediate } from 'node:timers/promises';
import type { TransactionOwner } from '../codec/transaction.ts';
import type { Queries } from '../db/open.ts';
import { makeYielder } from '../loops/fairScheduler.ts';
import { FingerprintIndex } from '../merge/fingerprintIndex.ts';
import { classifyMatch } from '../merge/matching.ts';
import { ExistingColumns, type IncomingColumns } from '../merge/transactionColumns.ts';
import { findExisting, firstDay, type TransactionKey } from './store.ts';

/** Where they are: `owner` is undefined for a new account. `readRows` is the number of rows of one query. */
type Source = { db: Queries; owner: TransactionOwner | undefined; readRows: number };

export class ExistingTransactions {
  readonly columns = new ExistingColumns();
  byFingerprint = new FingerprintIndex(this.columns.fingerprints, 0);
  readonly #source: Source;
  #from: number;
  /** By position: whether the bank has sent an equal transaction that is not kept. */
  #isUnchanged = new Uint8Array();

  private constructor(source: Source, from: number) {
    this.#source = source;
    this.#from = from;
  }

  /** Loads those from a day on. */
  static async load(source: Source, from: number): Promise<ExistingTransactions> {
    const existing = new ExistingTransactions(source, from);
    await existing.#read({ from, before: undefined });
    return existing;
  }

  /**
   * Loads all earlier ones if this day is earlier than those that are loaded. What was decided before remains right,
   * because equal transactions have the same date.
   */
  async cover(day: number): Promise<void> {
    if (day >= this.#from) return;
    const before = this.#from;
    this.#from = firstDay;
    await this.#read({ from: firstDay, before });
  }

  async #read({ from, before }: { from: number; before: number | undefined }): Promise<void> {
    const { db, owner, readRows } = this.#source;
    let after: TransactionKey = { date: from, seq: -1 };
    for (let isLast = !owner; !isLast; ) {
      const rows = await findExisting(db, { ...owner!, after, before, limit: readRows });
      for (const row of rows) this.columns.add(row);
      after = rows.at(-1) ?? after;
      isLast = rows.length < readRows;
      await setImmediate();
    }
    await this.#buildIndex();
  }

  async #buildIndex(): Promise<void> {
    const { fingerprints, count } = this.columns;
    const isUnchanged = new Uint8Array(count);
    isUnchanged.set(this.#isUnchanged);
    this.#isUnchanged = isUnchanged;
    this.byFingerprint = new FingerprintIndex(fingerprints, count);
    const yieldTurn = makeYielder();
    for (let position = count - 1; position >= 0; position--) {
      this.byFingerprint.add(position);
      if (position % 1000 === 0) await yieldTurn();
    }
  }

  /**
   * Whether an incoming transaction is stored already, and no other stored one could be meant: then it is unchanged, and
   * nothing of it needs to be kept. The order of the matching could not decide otherwise.
   */
  takeOnlyEqual(incoming: IncomingColumns, position: number): boolean {
    const existing = this.columns;
    const only = this.byFingerprint.findOnly(incoming.fingerprints, position);
    if (only === undefined || this.#isUnchanged[only] === 1) return false;
    if (classifyMatch({ incoming, existing }, position, only) !== 'unchanged') return false;
    this.#isUnchanged[only] = 1;
    return true;
  }

  /** The positions that `takeOnlyEqual` has taken. */
  *unchanged(): Generator<number> {
    for (let position = 0; position < this.columns.count; position++) {
      if (this.#isUnchanged[position] === 1) yield position;
    }
  }

  keyOf(position: number): TransactionKey {
    return { date: this.columns.dates.get(position), seq: this.columns.seqs.get(position) };
  }
}
