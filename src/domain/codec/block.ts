// A block holds the texts of up to 64 transactions of one account, sealed together under their refresh's data key. Opening one
// block costs less than opening 64 records.
//
// Format: the count (2 bytes, little-endian); for each text the `seq` of its transaction and the end of the text (4 bytes
// each); the texts; zeros. A text is the transaction's id in base 62 (22 bytes), its date in days since 1970 (4 bytes), then
// its sealed fields as they appear in a response.
import { CorruptData } from '../../platform/values/errors.ts';
import { base62Length } from '../../platform/values/ids.ts';
import { type AssociatedData, paddedLength, sealBytes, unsealBytes } from '../../platform/vault/seal.ts';

export const blockTransactionsMax = 64;

/** The block number in `block_deletions` for all stored rows of an unpublished account. */
export const rowsAhead = -1;
/** The same, once their deletion has started: they can no longer be published. */
export const abandonedRows = -2;

/** A text and the `seq` of its transaction. */
export type BlockEntry = { seq: number; text: Buffer };

const countBytes = 2;
const headerBytes = 8;
/** The bytes of id and date at the start of a text. */
export const textPrefixBytes = base62Length + 4;

// In a full block, the usual padding takes about two bytes per text.
const fewEntries = 4;
const paddingOfFew = 64;

/** The associated data of an account's blocks. */
export const blockBinding = (accountId: string): AssociatedData => ['transactions', accountId];

/** Seals at most 65,535 texts in the given order. */
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

  /** The length of the text that a row refers to. Throws CorruptData if the text is another row's or has a different date. */
  checkedTextLength({ position, seq, date }: { position: number; seq: number; date: number }): number {
    const { bytes } = this;
    const header = countBytes + position * headerBytes;
    if (!(position >= 0 && position < this.#count) || bytes.readUInt32LE(header) !== seq) {
      throw new CorruptData("A transaction refers to another transaction's text.");
    }
    const start = this.textStart(position);
    const end = this.textEnd(position);
    if (start + textPrefixBytes > end || end > bytes.length) throw new CorruptData('A block is malformed.');
    if (bytes.readInt32LE(start + base62Length) !== date)
      throw new CorruptData('A transaction and its text have different dates.');
    return end - start;
  }

  /** The offset in `bytes` of the text at a position; call `checkedTextLength` first. */
  textStart(position: number): number {
    return position === 0 ? countBytes + this.#count * headerBytes : this.textEnd(position - 1);
  }

  /** The offset in `bytes` of the end of the text at a position. */
  textEnd(position: number): number {
    return this.bytes.readUInt32LE(countBytes + position * headerBytes + 4);
  }

  /** All texts, in order. */
  entries(): BlockEntry[] {
    return Array.from({ length: this.#count }, (_, position) => {
      const seq = this.bytes.readUInt32LE(countBytes + position * headerBytes);
      return { seq, text: this.bytes.subarray(this.textStart(position), this.textEnd(position)) };
    });
  }
}
