// The compared fields of one account's transactions, in one buffer: 60 bytes per stored row, 76 per row from the bank, and
// about 10 in an index. Rows are numbered from 0.
import { randomBytes } from 'node:crypto';
import type { TransactionRow } from '../../platform/db/tables.ts';
import { makeYielder } from '../../platform/loops/fairScheduler.ts';

export const fingerprintBytes = 12;

// Offsets of the fields. After the fingerprints, stored rows have one more field, and rows from the bank have two others.
const [dateAt, seqAt, statusAt, blockAt] = [0, 4, 8, 12];
const [missingSinceAt, positionAt, idAt] = [56, 56, 60];
const fingerprintsAt = { fingerprint: 20, bankIdFingerprint: 32, amountFingerprint: 44 };
const rowBytes = { stored: 60, incoming: 76 };
const idBytes = 16;
const randomIdCount = 64;

/**
 * `fingerprint` covers all parts of a transaction except its status and the bank's id; `amountFingerprint` covers amount and
 * currency.
 */
type FingerprintName = keyof typeof fingerprintsAt;

/** `date` is in days since 1970, `status` an index in `transactionStatuses`. */
export type ComparedRow = Pick<TransactionRow, 'date' | 'status' | 'fingerprint' | 'bankIdFingerprint'> & {
  amountFingerprint: Buffer | null;
};

export class Rows {
  count = 0;
  readonly #rowBytes: number;
  #bytes = Buffer.alloc(0);
  #random = Buffer.alloc(0);

  constructor(side: keyof typeof rowBytes) {
    this.#rowBytes = rowBytes[side];
  }

  /** Returns the row's number. Rows from the bank get their `seq`, id, block and position later. */
  add(values: ComparedRow & Partial<Pick<TransactionRow, 'seq' | 'block' | 'missingSince'>>): number {
    const row = this.count++;
    const end = this.#at(this.count, 0);
    if (end > this.#bytes.length) this.#bytes = grow(this.#bytes, end);
    this.#bytes.writeInt32LE(values.date, this.#at(row, dateAt));
    this.#bytes.writeInt32LE(values.status, this.#at(row, statusAt));
    this.setSeq(row, values.seq ?? 0);
    this.#bytes.writeDoubleLE(values.block ?? 0, this.#at(row, blockAt));
    for (const name of Object.keys(fingerprintsAt) as FingerprintName[]) {
      this.setFingerprint(row, name, values[name]);
    }
    if (values.missingSince) this.#bytes.writeInt32LE(values.missingSince, this.#at(row, missingSinceAt));
    return row;
  }

  removeLast(): void {
    this.count -= 1;
  }

  date(row: number): number {
    return this.#bytes.readInt32LE(this.#at(row, dateAt));
  }

  seq(row: number): number {
    return this.#bytes.readInt32LE(this.#at(row, seqAt));
  }

  setSeq(row: number, seq: number): void {
    this.#bytes.writeInt32LE(seq, this.#at(row, seqAt));
  }

  status(row: number): number {
    return this.#bytes.readInt32LE(this.#at(row, statusAt));
  }

  /** Only for a stored row: when the bank started to omit it, in minutes since 1970; 0 if it does not omit it. */
  missingSince(row: number): number {
    return this.#bytes.readInt32LE(this.#at(row, missingSinceAt));
  }

  /** The block of the row's text, and the text's position in it. */
  place(row: number): Pick<TransactionRow, 'block' | 'position'> {
    return {
      block: this.block(row),
      position: this.#bytes.readInt32LE(this.#at(row, positionAt)),
    };
  }

  block(row: number): number {
    return this.#bytes.readDoubleLE(this.#at(row, blockAt));
  }

  setPlace(row: number, place: Pick<TransactionRow, 'block' | 'position'>): void {
    this.#bytes.writeDoubleLE(place.block, this.#at(row, blockAt));
    this.#bytes.writeInt32LE(place.position, this.#at(row, positionAt));
  }

  id(row: number): Buffer {
    return this.#slice(row, idAt, idBytes);
  }

  /** Sets and returns a new random id. */
  setRandomId(row: number): Buffer {
    // Generated in bulk, because each generator call costs more than the bytes.
    if (this.#random.length === 0) this.#random = randomBytes(idBytes * randomIdCount);
    this.#bytes.set(this.#random.subarray(0, idBytes), this.#at(row, idAt));
    this.#random = this.#random.subarray(idBytes);
    return this.id(row);
  }

  fingerprint(row: number, name: FingerprintName): Buffer | null {
    if (this.hash(row, name) === undefined) return null;
    return this.#slice(row, fingerprintsAt[name], fingerprintBytes);
  }

  setFingerprint(row: number, name: FingerprintName, value: Uint8Array | null): void {
    const start = this.#at(row, fingerprintsAt[name]);
    if (value) this.#bytes.set(value, start);
    else this.#bytes.fill(0, start, start + fingerprintBytes);
  }

  /** True if both rows have the same fingerprint, or neither has one. */
  equals(row: number, name: FingerprintName, other: Rows, otherRow: number): boolean {
    const start = this.#at(row, fingerprintsAt[name]);
    const otherStart = other.#at(otherRow, fingerprintsAt[name]);
    for (let at = 0; at < fingerprintBytes; at += 4) {
      if (this.#bytes.readInt32LE(start + at) !== other.#bytes.readInt32LE(otherStart + at)) return false;
    }
    return true;
  }

  /** Four bytes of a fingerprint, evenly distributed because it is a keyed hash; undefined without a fingerprint. */
  hash(row: number, name: FingerprintName): number | undefined {
    const start = this.#at(row, fingerprintsAt[name]);
    const hash = this.#bytes.readUInt32LE(start);
    // No fingerprint is all zeros: the odds are one in 2^96.
    const isNull = !(hash || this.#bytes.readInt32LE(start + 4) || this.#bytes.readInt32LE(start + 8));
    return isNull ? undefined : hash;
  }

  #at(row: number, field: number): number {
    return row * this.#rowBytes + field;
  }

  #slice(row: number, field: number, length: number): Buffer {
    const start = this.#at(row, field);
    return this.#bytes.subarray(start, start + length);
  }
}

/** A copy with room for `needed` bytes and a quarter more; doubling could waste megabytes. */
export const grow = (bytes: Buffer, needed: number): Buffer<ArrayBuffer> =>
  Buffer.concat([bytes], Math.ceil(1.25 * needed));

/** The numbers, in ascending order, of rows with the same fingerprint as row `row` of `other`. */
export type FindEqual = (other: Rows, row: number) => Iterable<number>;

/** Indexes rows, or only those listed, by a fingerprint, in a hash table with a chain per hash. */
export const indexRows = async (
  rows: Rows,
  name: FingerprintName,
  isListed: (row: number) => boolean = () => true,
): Promise<FindEqual> => {
  const none = -1;
  const heads = new Int32Array(2 ** Math.ceil(Math.log2(rows.count + 1))).fill(none);
  const next = new Int32Array(rows.count);
  // Adds rows backwards, because the last one added is found first.
  await forEach(rows.count, (counted) => {
    const row = rows.count - 1 - counted;
    const hash = rows.hash(row, name);
    if (hash === undefined || !isListed(row)) return;
    next[row] = heads[hash % heads.length]!;
    heads[hash % heads.length] = row;
  });
  return function* (other, row) {
    const hash = other.hash(row, name);
    if (hash === undefined) return;
    for (let at = heads[hash % heads.length]!; at !== none; at = next[at]!) {
      if (rows.equals(at, name, other, row)) yield at;
    }
  };
};

/** Calls `use` with each number below `count`, and lets other tasks of the process run in between. */
export const forEach = async (count: number, use: (at: number) => void): Promise<void> => {
  const yieldTurn = makeYielder();
  for (let at = 0; at < count; at++) {
    if (at % 2000 === 0) await yieldTurn();
    use(at);
  }
};
