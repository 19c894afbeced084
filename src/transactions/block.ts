// A block holds the texts of up to 64 transactions of one account, sealed together under the data key of the refresh
// that brought them. Opening one block costs less than opening 64 records.
//
// Format: the count (2 bytes, little-endian); for each text the `seq` of its transaction and where the text ends (4 bytes
// each); the texts; zeros. A text is the transaction's id in base 62 (22 bytes), then its sealed fields as in a response.
import { CorruptData } from '../errors.ts';
import { base62Length } from '../ids.ts';
import { type AssociatedData, paddedLength, sealBytes, unsealBytes } from '../vault/seal.ts';

export const blockTransactionsMax = 64;

/** A text and the `seq` of its transaction. */
export type BlockEntry = { seq: number; text: Buffer };

const countBytes = 2;
const headerBytes = 8;

// The usual padding takes about two bytes of each text of a full block.
const fewEntries = 4;
const paddingOfFew = 64;

/** What the block of an account is bound to. */
export const blockOf = (accountId: string): AssociatedData => ['transactions', accountId];

/** Seals at most 65,535 texts in this order. */
export const sealBlock = (
  entries: readonly BlockEntry[],
  key: Buffer,
  associatedData: AssociatedData,
): Buffer => {
  const textsStart = countBytes + entries.length * headerBytes;
  const textBytes = entries.reduce((sum, { text }) => sum + text.length, 0);
  const unit = entries.length < fewEntries ? paddingOfFew : undefined;
  const plain = Buffer.alloc(paddedLength(textsStart + textBytes, unit));
  plain.writeUInt16LE(entries.length);
  let end = textsStart;
  for (const [position, { seq, text }] of entries.entries()) {
    text.copy(plain, end);
    end += text.length;
    const header = countBytes + position * headerBytes;
    plain.writeUInt32LE(seq, header);
    plain.writeUInt32LE(end, header + 4);
  }
  return sealBytes(plain, key, associatedData);
};

/** An open block. */
export class Block {
  readonly bytes: Buffer;
  readonly #count: number;

  /** Throws CorruptData if the key, the associated data or any bit differs. */
  constructor(sealed: Uint8Array, key: Buffer, associatedData: AssociatedData) {
    this.bytes = unsealBytes(sealed, key, associatedData);
    this.#count = this.bytes.length < countBytes ? 0 : this.bytes.readUInt16LE();
    if (this.bytes.length < countBytes + this.#count * headerBytes)
      throw new CorruptData('A block is too short.');
  }

  /**
   * The length of the text at a position. Throws CorruptData if it does not belong to the transaction with this `seq`: a
   * row that refers to the text of another one.
   */
  textLength(position: number, seq: number): number {
    const { bytes } = this;
    const header = countBytes + position * headerBytes;
    if (!(position >= 0 && position < this.#count) || bytes.readUInt32LE(header) !== seq) {
      throw new CorruptData('A transaction refers to a text that is not its own.');
    }
    const start = this.textStart(position);
    const end = this.textEnd(position);
    if (start + base62Length > end || end > bytes.length)
      throw new CorruptData('A block has a wrong format.');
    return end - start;
  }

  /** Where the text at a position begins in `bytes`; `textLength` must have been called first. */
  textStart(position: number): number {
    return position === 0 ? countBytes + this.#count * headerBytes : this.textEnd(position - 1);
  }

  /** Where it ends. */
  textEnd(position: number): number {
    return this.bytes.readUInt32LE(countBytes + position * headerBytes + 4);
  }

  /** All texts, in their order. */
  entries(): BlockEntry[] {
    return Array.from({ length: this.#count }, (_, position) => {
      const seq = this.bytes.readUInt32LE(countBytes + position * headerBytes);
      const start = this.textStart(position);
      return { seq, text: this.bytes.subarray(start, start + this.textLength(position, seq)) };
    });
  }
}
