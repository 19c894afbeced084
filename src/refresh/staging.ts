// What a refresh cannot keep in memory waits in the database, sealed under the data key of the refresh, which is stored only
// when it is published. If the process dies before, nobody can unseal it, and the sweep deletes it.
import { setImmediate } from 'node:timers/promises';
import { Block, type BlockEntry, blockOf, blockTransactionsMax, sealBlock } from '../codec/block.ts';
import type { Database, Queries } from '../db/open.ts';
import type { TransactionBlockRow } from '../db/tables.ts';
import { makeYielder } from '../loops/fairScheduler.ts';
import type { Limits } from '../settings/limits.ts';
import type { DataKey } from '../users/dataKeys.ts';
import type { AssociatedData } from '../vault/seal.ts';
import {
  deleteStaged,
  findStagedTexts,
  insertStagedTexts,
  insertUnpublishedBlocks,
  type StagedAccount,
} from './store.ts';
import { splitEntries, TextBuffer } from './textBuffer.ts';

/** The account that transactions are fetched for, and the keys that seal and fingerprint them. */
export type StagingTarget = StagedAccount & {
  accountShortId: number;
  currency: string;
  dataKey: DataKey;
  fingerprintKey: Buffer;
  createdAt: string;
  /** When blocks that were stored before publishing are deleted unless they are published. */
  deleteAfter: string;
};

/** The bytes that all accounts of a refresh may still keep in memory instead of staging them. */
export type MemoryBudget = { bytes: number };

// Of the texts that are sealed together.
const sealedBytesMax = 64 * 1024;
const undecidedPerBlock = 1000;

/** The texts of transactions that may be stored already, until the last one has arrived. */
export class UndecidedTexts {
  readonly #db: Queries;
  readonly #target: StagingTarget;
  readonly #memory: MemoryBudget;
  readonly #buffer = new TextBuffer();
  #stagedCount = 0;

  constructor(db: Queries, target: StagingTarget, memory: MemoryBudget) {
    this.#db = db;
    this.#target = target;
    this.#memory = memory;
  }

  /** `position` is that of the transaction in the columns. */
  async add(position: number, text: Buffer): Promise<void> {
    this.#buffer.add(position, text);
    this.#memory.bytes -= text.length;
    if (this.#memory.bytes < 0) await this.#stage();
  }

  /** Forgets the texts. */
  clear(): void {
    this.#memory.bytes += this.#buffer.byteLength;
    this.#buffer.clear();
  }

  /** All texts with their positions, in the order in which they were added. */
  async *batches(): AsyncGenerator<BlockEntry[]> {
    for (let ordinal = 0; ordinal < this.#stagedCount; ordinal++) {
      const sealed = await findStagedTexts(this.#db, this.#target, ordinal);
      yield new Block(sealed, this.#target.dataKey.key, this.#boundTo(ordinal)).entries();
    }
    yield* this.#parts();
  }

  #boundTo(ordinal: number): AssociatedData {
    return ['undecided', this.#target.accountId, String(ordinal)];
  }

  #parts(): Generator<BlockEntry[]> {
    return splitEntries(entriesOf(this.#buffer), { countMax: undecidedPerBlock, bytesMax: sealedBytesMax });
  }

  async #stage(): Promise<void> {
    for (const entries of this.#parts()) {
      const ordinal = this.#stagedCount++;
      const { endUserId, refreshId, accountId, createdAt, dataKey } = this.#target;
      const sealed = sealBlock(entries, dataKey.key, this.#boundTo(ordinal));
      await insertStagedTexts(this.#db, { endUserId, refreshId, accountId, ordinal, sealed, createdAt });
    }
    this.clear();
  }
}

function* entriesOf(buffer: TextBuffer): Generator<BlockEntry> {
  for (let index = 0; index < buffer.count; index++) {
    yield { seq: buffer.position(index), text: buffer.text(index) };
  }
}

/** What a BlockWriter knows of the transactions, by their positions in the columns. */
type BlockWriterOptions = {
  memory: MemoryBudget;
  /** Texts are sorted and sealed when they have so many bytes. */
  sortBytes: number;
  /** Real time. */
  now(): Date;
  /** In days since 1970. */
  date(position: number): number;
  seq(position: number): number;
  /** Called with the place of each text. */
  onPlaced(position: number, place: { block: number; position: number }): void;
};

// Sealing 64 blocks takes longer than a millisecond, so the numbers of a refresh do not reach those of a later one.
const blocksPerMillisecond = 64;
const blocksPerTransaction = 16;

/**
 * Seals texts into blocks. Within a limit of bytes they are first sorted by date, so that a page touches few blocks, in
 * whatever order the bank sends. Blocks stay in memory until they are published; beyond a limit of bytes they are stored
 * before, where nothing refers to them yet.
 */
export class BlockWriter {
  readonly inMemory: TransactionBlockRow[] = [];
  /** The blocks that are stored already. */
  readonly stored: number[] = [];
  readonly #db: Database;
  readonly #target: StagingTarget;
  readonly #options: BlockWriterOptions;
  readonly #buffer = new TextBuffer();
  readonly #unstored: TransactionBlockRow[] = [];
  #lastBlock = 0;

  constructor(db: Database, target: StagingTarget, options: BlockWriterOptions) {
    this.#db = db;
    this.#target = target;
    this.#options = options;
  }

  async add(position: number, text: Buffer): Promise<void> {
    if (this.#buffer.byteLength + text.length > this.#options.sortBytes) await this.#seal();
    this.#buffer.add(position, text);
  }

  /** Seals and stores what is left. Call it after the last text. */
  async finish(): Promise<void> {
    await this.#seal();
    await this.#storeBlocks();
  }

  async #seal(): Promise<void> {
    const yieldTurn = makeYielder();
    const order = sortByDate(this.#buffer, this.#options);
    let next = 0;
    for (const entries of splitEntries(this.#entries(order), blockLimits)) {
      const block = this.#nextBlock();
      for (const position of entries.keys()) {
        this.#options.onPlaced(this.#buffer.position(order[next++]!), { block, position });
      }
      await this.#keep(block, entries);
      await yieldTurn();
    }
    this.#buffer.clear();
  }

  #nextBlock(): number {
    this.#lastBlock = Math.max(this.#lastBlock + 1, this.#options.now().getTime() * blocksPerMillisecond);
    return this.#lastBlock;
  }

  *#entries(order: Int32Array): Generator<BlockEntry> {
    for (const index of order) {
      yield { seq: this.#options.seq(this.#buffer.position(index)), text: this.#buffer.text(index) };
    }
  }

  async #keep(block: number, entries: readonly BlockEntry[]): Promise<void> {
    const { endUserId, accountShortId, accountId, dataKey } = this.#target;
    const sealed = sealBlock(entries, dataKey.key, blockOf(accountId));
    const transactionCount = entries.length;
    const row = { endUserId, accountShortId, block, dataKeyId: dataKey.id, transactionCount, sealed };
    const { memory } = this.#options;
    if (sealed.length <= memory.bytes) {
      memory.bytes -= sealed.length;
      this.inMemory.push(row);
      return;
    }
    this.#unstored.push(row);
    if (this.#unstored.length === blocksPerTransaction) await this.#storeBlocks();
  }

  async #storeBlocks(): Promise<void> {
    const rows = this.#unstored.splice(0);
    if (rows.length === 0) return;
    await this.#db.transaction((trx) => insertUnpublishedBlocks(trx, rows, this.#target.deleteAfter));
    this.stored.push(...rows.map(({ block }) => block));
  }
}

const blockLimits = { countMax: blockTransactionsMax, bytesMax: sealedBytesMax };

// Day numbers are within 22 bits, and a buffer holds fewer than 2^30 texts: both fit exactly into one number. Sorting
// plain numbers is ten times as fast as with a function that compares.
const indexFactor = 2 ** 30;
const dayOffset = 2 ** 20;

const sortByDate = (buffer: TextBuffer, { date }: Pick<BlockWriterOptions, 'date'>): Int32Array => {
  const keys = Float64Array.from(
    { length: buffer.count },
    (_, index) => (date(buffer.position(index)) + dayOffset) * indexFactor + index,
  ).sort();
  return Int32Array.from(keys, (key) => key % indexFactor);
};

/**
 * Deletes what a published refresh has staged, in bounded steps outside of the publishing transaction. Never throws:
 * the retention sweep deletes what is left.
 */
export const clearStaged = async (
  { db, limits }: { db: Database; limits: Limits },
  refresh: { endUserId: string; refreshId: string },
): Promise<void> => {
  try {
    while (await deleteStaged(db.write, refresh, limits.clearStagedRows)) {
      // Lets other requests use the database connection first.
      await setImmediate();
    }
  } catch {
    // The database is closed or cannot be reached.
  }
};
