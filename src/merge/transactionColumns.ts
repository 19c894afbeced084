// What a merge compares of the transactions of one account, as columns of numbers: 1,000,000 take about 50 MB.
import { randomBytes } from 'node:crypto';
import { growBuffer } from '../growBuffer.ts';
import { FingerprintColumn } from './fingerprintIndex.ts';

const initialCount = 64;
const idBytes = 16;

class NumberColumn<Values extends Int32Array | Float64Array> {
  #values: Values;
  readonly #make: (length: number) => Values;

  constructor(make: (length: number) => Values) {
    this.#make = make;
    this.#values = make(initialCount);
  }

  get(position: number): number {
    return this.#values[position]!;
  }

  set(position: number, value: number): void {
    if (position >= this.#values.length) {
      const larger = this.#make(Math.max(position + 1, 2 * this.#values.length));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[position] = value;
  }
}

/** Integers of 32 bits by position. */
export class IntegerColumn extends NumberColumn<Int32Array> {
  constructor() {
    super((length) => new Int32Array(length));
  }
}

/** Integers of up to 53 bits by position. */
class BlockColumn extends NumberColumn<Float64Array> {
  constructor() {
    super((length) => new Float64Array(length));
  }
}

/** What both sides of a merge have. `date` is in days since 1970, `status` an index in `transactionStatuses`. */
export type ComparedTransaction = {
  date: number;
  status: number;
  fingerprint: Uint8Array;
  bankIdFingerprint: Uint8Array | null;
  pendingFingerprint: Uint8Array | null;
};

class TransactionColumns {
  count = 0;
  readonly seqs = new IntegerColumn();
  readonly dates = new IntegerColumn();
  readonly statuses = new IntegerColumn();
  /** Over all parts of a transaction but its status and the bank's id. */
  readonly fingerprints = new FingerprintColumn();
  readonly bankIds = new FingerprintColumn();
  readonly blocks = new BlockColumn();
  /** Over amount and currency. Of stored transactions only pending ones have it. */
  readonly amounts = new FingerprintColumn();

  /** Returns the position. */
  add({ date, status, fingerprint, bankIdFingerprint, pendingFingerprint }: ComparedTransaction): number {
    const position = this.count++;
    this.dates.set(position, date);
    this.statuses.set(position, status);
    this.fingerprints.set(position, fingerprint);
    this.bankIds.set(position, bankIdFingerprint);
    this.amounts.set(position, pendingFingerprint);
    return position;
  }
}

/** 16 random bytes by position: the ids of new transactions. */
class IdColumn {
  #bytes = Buffer.alloc(initialCount * idBytes);
  #random = Buffer.alloc(0);

  /** Sets and returns a new random id. */
  setRandom(position: number): Buffer {
    const start = position * idBytes;
    if (start >= this.#bytes.length) this.#bytes = growBuffer(this.#bytes, start + idBytes);
    // Many at once, because each call of the generator costs more than the bytes.
    if (this.#random.length === 0) this.#random = randomBytes(idBytes * initialCount);
    this.#bytes.set(this.#random.subarray(0, idBytes), start);
    this.#random = this.#random.subarray(idBytes);
    return this.get(position);
  }

  get(position: number): Buffer {
    return this.#bytes.subarray(position * idBytes, (position + 1) * idBytes);
  }
}

/** Transactions from the bank, in the order in which it sent them. */
export class IncomingColumns extends TransactionColumns {
  // New and changed ones get `seq`, id and place, in the blocks of this refresh, when that is decided.
  readonly ids = new IdColumn();
  readonly positionsInBlock = new IntegerColumn();

  removeLast(): void {
    this.count -= 1;
  }
}

/** Stored transactions, by date and `seq`. */
export class ExistingColumns extends TransactionColumns {
  override add(transaction: ComparedTransaction & { seq: number; block: number }): number {
    const position = super.add(transaction);
    this.seqs.set(position, transaction.seq);
    this.blocks.set(position, transaction.block);
    return position;
  }
}
