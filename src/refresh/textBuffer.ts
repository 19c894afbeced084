// Texts of transactions in one growing piece of memory: an object for each would take several times as much.

import type { BlockEntry } from '../codec/block.ts';
import { growBuffer } from '../growBuffer.ts';
import { IntegerColumn } from '../merge/transactionColumns.ts';

const initialBytes = 4096;

/** Texts with the positions of their transactions in the columns of the merge, in the order in which they were added. */
export class TextBuffer {
  count = 0;
  #bytes = Buffer.allocUnsafe(initialBytes);
  readonly #positions = new IntegerColumn();
  readonly #ends = new IntegerColumn();

  /** The bytes of all texts. */
  get byteLength(): number {
    return this.count === 0 ? 0 : this.#ends.get(this.count - 1);
  }

  add(position: number, text: Uint8Array): void {
    const start = this.byteLength;
    const end = start + text.length;
    if (end > this.#bytes.length) this.#bytes = growBuffer(this.#bytes, end);
    this.#bytes.set(text, start);
    this.#positions.set(this.count, position);
    this.#ends.set(this.count, end);
    this.count += 1;
  }

  position(index: number): number {
    return this.#positions.get(index);
  }

  /** A view, valid until the next `clear`. */
  text(index: number): Buffer {
    const start = index === 0 ? 0 : this.#ends.get(index - 1);
    return this.#bytes.subarray(start, this.#ends.get(index));
  }

  /** Forgets all texts and keeps the memory. */
  clear(): void {
    this.count = 0;
  }
}

/**
 * Splits texts into parts that are sealed together: of at most `countMax` texts and about `bytesMax` bytes, at least one
 * text.
 */
export function* splitEntries(
  entries: Iterable<BlockEntry>,
  { countMax, bytesMax }: { countMax: number; bytesMax: number },
): Generator<BlockEntry[]> {
  let part: BlockEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (part.length > 0 && (part.length === countMax || bytes + entry.text.length > bytesMax)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(entry);
    bytes += entry.text.length;
  }
  if (part.length > 0) yield part;
}
