// Fingerprints of many transactions in little memory: 12 bytes each, and 8 bytes for finding equal ones.
import { growBuffer } from '../growBuffer.ts';

export const fingerprintBytes = 12;
const initialCount = 64;

/** Fingerprints by position; null where a transaction has none. */
export class FingerprintColumn {
  #bytes = Buffer.alloc(initialCount * fingerprintBytes);

  set(position: number, fingerprint: Uint8Array | null): void {
    const start = position * fingerprintBytes;
    if (start >= this.#bytes.length) {
      this.#bytes = growBuffer(this.#bytes, start + fingerprintBytes);
    }
    if (fingerprint) this.#bytes.set(fingerprint, start);
    else this.#bytes.fill(0, start, start + fingerprintBytes);
  }

  get(position: number): Buffer | null {
    return this.isNull(position) ? null : this.#slice(position);
  }

  /** No fingerprint consists of zeros: one of 2^96 would. */
  isNull(position: number): boolean {
    const start = position * fingerprintBytes;
    const bytes = this.#bytes;
    return (
      bytes.readUInt32LE(start) === 0 &&
      bytes.readUInt32LE(start + 4) === 0 &&
      bytes.readUInt32LE(start + 8) === 0
    );
  }

  equals(position: number, other: FingerprintColumn, otherPosition: number): boolean {
    const start = position * fingerprintBytes;
    const otherStart = otherPosition * fingerprintBytes;
    for (let at = 0; at < fingerprintBytes; at += 4) {
      if (this.#bytes.readUInt32LE(start + at) !== other.#bytes.readUInt32LE(otherStart + at)) return false;
    }
    return true;
  }

  /** As text, for a key of a Map. */
  key(position: number): string {
    return this.#slice(position).toString('latin1');
  }

  /** The first four bytes as a number. Fingerprints are keyed hashes, so these are evenly distributed. */
  hash(position: number): number {
    return this.#bytes.readUInt32LE(position * fingerprintBytes);
  }

  #slice(position: number): Buffer {
    return this.#bytes.subarray(position * fingerprintBytes, (position + 1) * fingerprintBytes);
  }
}

const none = -1;

/** Finds the positions of a column that have a fingerprint: a hash table with a chain for each hash. */
export class FingerprintIndex {
  readonly #column: FingerprintColumn;
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  readonly #mask: number;

  /** An empty index for positions below `count`. */
  constructor(column: FingerprintColumn, count: number) {
    this.#column = column;
    const size = 2 ** Math.ceil(Math.log2(Math.max(count, 2)));
    this.#mask = size - 1;
    this.#heads = new Int32Array(size).fill(none);
    this.#next = new Int32Array(count);
  }

  /** Adds a position before those that are already in the index; one without a fingerprint is not added. */
  add(position: number): void {
    if (this.#column.isNull(position)) return;
    const bucket = this.#column.hash(position) & this.#mask;
    this.#next[position] = this.#heads[bucket]!;
    this.#heads[bucket] = position;
  }

  /** The positions with the same fingerprint as `other` has at `position`; the one that was added last is the first. */
  *find(other: FingerprintColumn, position: number): Generator<number> {
    if (other.isNull(position)) return;
    const bucket = other.hash(position) & this.#mask;
    for (let at = this.#heads[bucket]!; at !== none; at = this.#next[at]!) {
      if (this.#column.equals(at, other, position)) yield at;
    }
  }

  /** The only position with this fingerprint; undefined if there are none or several. */
  findOnly(other: FingerprintColumn, position: number): number | undefined {
    let found: number | undefined;
    for (const equal of this.find(other, position)) {
      if (found !== undefined) return undefined;
      found = equal;
    }
    return found;
  }
}
