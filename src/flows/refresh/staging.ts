// Data that does not fit into memory is staged in the database, sealed under the refresh's data key, which is stored only at
// publication. If the process dies first, nobody can unseal the data, and the sweep deletes it.
import { setImmediate } from 'node:timers/promises';
import {
  Block,
  type BlockEntry,
  blockBinding,
  blockTransactionsMax,
  sealBlock,
} from '../../domain/codec/block.ts';
import type { Database } from '../../platform/db/open.ts';
import type { TransactionBlockRow } from '../../platform/db/tables.ts';
import { makeYielder } from '../../platform/loops/fairScheduler.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import type { Clock } from '../../platform/values/clock.ts';
import type { AssociatedData, DataKey } from '../../platform/vault/seal.ts';
import { grow, type Rows } from '../merge/rows.ts';
import type { StagedAccount } from './store.ts';
import * as store from './store.ts';

/** The account that transactions are fetched for, and the keys that seal and fingerprint them. */
export type StagingTarget = StagedAccount & {
  accountShortId: number;
  currency: string;
  dataKey: DataKey;
  fingerprintKey: Buffer;
  createdAt: string;
  /** When blocks stored before publication are deleted unless they are published. */
  deleteAfter: string;
};

/** The number of bytes that all accounts of a refresh may still keep in memory instead of staging them. */
export type MemoryBudget = { bytes: number };

export type MergeDeps = { db: Database; clock: Clock; limits: Limits; memory: MemoryBudget };

// The size of texts that are sealed together.
const sealedBytesMax = 64 * 1024;
const undecidedPerBlock = 1000;

/**
 * Texts with the rows of their transactions in the merge, in one buffer: an object for each would take four times the memory.
 */
class TextBuffer {
  #bytes = Buffer.alloc(0);
  readonly #starts: number[] = [];
  /** The bytes in use. */
  byteLength = 0;

  /** The bytes allocated. */
  get heldBytes(): number {
    return this.#bytes.length + 8 * this.#starts.length;
  }

  add(row: number, text: Uint8Array): void {
    const start = this.byteLength;
    this.byteLength += 4 + text.length;
    if (this.byteLength > this.#bytes.length) this.#bytes = grow(this.#bytes, this.byteLength);
    this.#bytes.writeInt32LE(row, start);
    this.#bytes.set(text, start + 4);
    this.#starts.push(start);
  }

  /** The indexes of the texts, ordered by transaction date. */
  sortByDate(rows: Rows): Int32Array {
    // Day numbers fit into 22 bits, and there are fewer than 2^30 texts, so both fit exactly into one number. Sorting plain
    // numbers is ten times as fast as sorting with a comparator.
    const toKey = (_: number, index: number): number =>
      (rows.date(this.#row(index)) + 2 ** 20) * 2 ** 30 + index;
    return Int32Array.from(Float64Array.from(this.#starts, toKey).sort(), (key) => key % 2 ** 30);
  }

  /**
   * The texts in `order`, in parts that are sealed together: at least one text, at most `countMax` texts and about
   * `sealedBytesMax` bytes. Their `seq` is the row.
   */
  *parts(countMax: number, order: Iterable<number> = this.#starts.keys()): Generator<BlockEntry[]> {
    let part: BlockEntry[] = [];
    let bytes = 0;
    for (const index of order) {
      const text = this.#bytes.subarray(this.#starts[index]! + 4, this.#starts[index + 1] ?? this.byteLength);
      if (part.length === countMax || (part.length > 0 && bytes + text.length > sealedBytesMax)) {
        yield part;
        part = [];
        bytes = 0;
      }
      part.push({ seq: this.#row(index), text });
      bytes += text.length;
    }
    if (part.length > 0) yield part;
  }

  #row(index: number): number {
    return this.#bytes.readInt32LE(this.#starts[index]!);
  }
}

/** Keeps the texts of transactions that may already be stored, until the last one arrives. */
export const makeUndecidedTexts = ({ db, memory }: MergeDeps, target: StagingTarget) => {
  const { endUserId, refreshId, accountId, createdAt, dataKey } = target;
  const boundTo = (ordinal: number): AssociatedData => ['undecided', accountId, String(ordinal)];
  let [buffer, stagedCount] = [new TextBuffer(), 0];
  const forget = (): void => {
    memory.bytes += buffer.heldBytes;
    buffer = new TextBuffer();
  };
  const stage = async (): Promise<void> => {
    for (const part of buffer.parts(undecidedPerBlock)) {
      const ordinal = stagedCount++;
      const sealed = sealBlock(part, dataKey.key, boundTo(ordinal));
      await store.insertStagedTexts(db.write, {
        endUserId,
        refreshId,
        accountId,
        ordinal,
        sealed,
        createdAt,
      });
    }
    forget();
  };
  return {
    async add(row: number, text: Buffer): Promise<void> {
      const heldBefore = buffer.heldBytes;
      buffer.add(row, text);
      memory.bytes -= buffer.heldBytes - heldBefore;
      if (memory.bytes < 0) await stage();
    },
    /** Passes all texts to `use`, with rows as `seq`, in the order they were added, and discards them. */
    async drain(use: (texts: BlockEntry[]) => Promise<void>): Promise<void> {
      const yieldTurn = makeYielder();
      for (let ordinal = 0; ordinal < stagedCount; ordinal++) {
        const sealed = await store.findStagedTexts(db.write, target, ordinal);
        await use(new Block(sealed, dataKey.key, boundTo(ordinal)).entries());
        await yieldTurn();
      }
      for (const part of buffer.parts(undecidedPerBlock)) {
        await use(part);
        await yieldTurn();
      }
      forget();
    },
  };
};

// Sealing 64 blocks takes longer than a millisecond, so a refresh's block numbers do not reach those of a later one.
const blocksPerMillisecond = 64;
const blocksPerTransaction = 16;

/**
 * Seals texts into blocks, and sets the positions of their rows. Up to a byte limit, texts are first sorted by date, so that a
 * page touches few blocks whatever the bank's order. Blocks stay in memory until publication; beyond a byte limit, they are
 * stored earlier, when nothing refers to them yet.
 */
export const makeBlockWriter = (
  { db, clock, limits, memory }: MergeDeps,
  { endUserId, accountShortId, accountId, dataKey, deleteAfter }: StagingTarget,
  rows: Rows,
) => {
  const blocks: TransactionBlockRow[] = [];
  const storedBlocks: number[] = [];
  const unstored: TransactionBlockRow[] = [];
  let [buffer, block] = [new TextBuffer(), 0];
  const storeBlocks = async (): Promise<void> => {
    if (unstored.length === 0) return;
    await db.transaction((trx) => store.insertUnpublishedBlocks(trx, unstored, deleteAfter));
    storedBlocks.push(...unstored.splice(0).map((row) => row.block));
  };
  const keep = async (entries: readonly BlockEntry[]): Promise<void> => {
    const sealed = sealBlock(entries, dataKey.key, blockBinding(accountId));
    const transactionCount = entries.length;
    const row = { endUserId, accountShortId, block, dataKeyId: dataKey.id, transactionCount, sealed };
    if (sealed.length > memory.bytes) {
      if (unstored.push(row) === blocksPerTransaction) await storeBlocks();
      return;
    }
    memory.bytes -= sealed.length;
    blocks.push(row);
  };
  const seal = async (): Promise<void> => {
    const yieldTurn = makeYielder();
    for (const part of buffer.parts(blockTransactionsMax, buffer.sortByDate(rows))) {
      block = Math.max(block + 1, clock.real().getTime() * blocksPerMillisecond);
      for (const [position, { seq: row }] of part.entries()) rows.setPlace(row, { block, position });
      await keep(part.map(({ seq: row, text }) => ({ seq: rows.seq(row), text })));
      await yieldTurn();
    }
    buffer = new TextBuffer();
  };
  return {
    async add(row: number, text: Buffer): Promise<void> {
      if (buffer.byteLength + text.length > limits.blockSortBytes) await seal();
      buffer.add(row, text);
    },
    /** Seals the remaining texts. Call it after the last text. Returns the blocks, and the numbers of those already stored. */
    async finish(): Promise<{ blocks: TransactionBlockRow[]; storedBlocks: number[] }> {
      await seal();
      await storeBlocks();
      return { blocks, storedBlocks };
    },
  };
};

/**
 * Deletes the staged texts of a published refresh, in bounded steps outside the publishing transaction. Never throws: the
 * retention sweep deletes the rest.
 */
export const clearStaged = async (
  { db, limits }: { db: Database; limits: Limits },
  refresh: { endUserId: string; refreshId: string },
): Promise<void> => {
  const { clearStagedRows } = limits;
  try {
    while ((await store.deleteStaged(db.write, refresh, clearStagedRows)) === clearStagedRows) {
      // Lets other requests use the database connection first.
      await setImmediate();
    }
  } catch {
    // The database is closed or cannot be reached.
  }
};
