// Reads the texts of transactions from their blocks, as JSON for a response.

import { Block, blockOf } from '../codec/block.ts';
import type { PrintTransactions, PublicTransactionRow } from '../codec/transaction.ts';
import type { Database } from '../db/open.ts';
import { CorruptData } from '../errors.ts';
import { makeKeyring } from '../users/dataKeys.ts';
import type { Reader } from '../vault/scopedToken.ts';
import type { AccountRef } from './store.ts';
import { findBlocks } from './store.ts';

export type BlockReader = {
  /**
   * The transactions of these rows as `print` makes them. `findRows` runs a second time if a block was deleted
   * meanwhile, because a refresh has moved its texts. Throws CorruptData.
   */
  read(findRows: () => Promise<PublicTransactionRow[]>): Promise<Buffer>;
};

/** A reader for the blocks of an account, each time from the database that `source` has then. */
export const makeBlockReader = (
  source: { db: Database },
  reader: Reader,
  { id: accountId, endUserId, shortId: accountShortId }: AccountRef,
  print: PrintTransactions,
): BlockReader => {
  const keyring = makeKeyring(source.db, reader);
  let open = new Map<number, Block>();
  /** Opens all blocks of these rows; false if one does not exist. */
  const openAll = async (rows: readonly PublicTransactionRow[]): Promise<boolean> => {
    const numbers = new Set(rows.map(({ block }) => block));
    const missing = [...numbers].filter((number) => !open.has(number));
    if (missing.length === 0) return true;
    const stored = await findBlocks(source.db.read, { endUserId, accountShortId }, missing);
    keyring.open(stored.flatMap((block) => (block.id === null ? [] : [block])));
    // Rows that follow each other share blocks; others are not kept.
    open = new Map([...open].filter(([number]) => numbers.has(number)));
    for (const { block, sealedBlock, dataKeyId } of stored) {
      open.set(block, new Block(sealedBlock, keyring.get(dataKeyId), blockOf(accountId)));
    }
    return [...numbers].every((number) => open.has(number));
  };
  return {
    read: async (findRows) => {
      let rows = await findRows();
      if (!(await openAll(rows))) {
        rows = await findRows();
        if (!(await openAll(rows)))
          throw new CorruptData('A transaction refers to a block that does not exist.');
      }
      return print(rows, accountId, (block) => open.get(block)!);
    },
  };
};
