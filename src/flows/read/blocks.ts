// Opens the blocks that contain transaction texts, and their data keys, each at most once per response.
import { Block, blockBinding } from '../../domain/codec/block.ts';
import type {
  Frame,
  PrintTransactions,
  PublicTransactionRow,
  TransactionOwner,
} from '../../domain/codec/transaction.ts';
import type { Database } from '../../platform/db/open.ts';
import { sql } from '../../platform/db/sql.ts';
import { CorruptData } from '../../platform/values/errors.ts';
import type { EndUserKeys, StoredDataKey } from '../../platform/vault/endUserKeys.ts';
import type { AccountRef } from './authorize.ts';

/** A sealed block, with its data key if that exists. On PostgreSQL, the bytes are base64. */
export type StoredBlock = { block: number; sealedBlock: Buffer | string; dataKeyId: string } & (
  | StoredDataKey
  | { id: null }
);

// A wrapped key does not need its sealed box, and each blob costs SQLite's driver more than 1 µs.
/** The columns of a StoredBlock. PostgreSQL sends bytes as hexadecimal text, which is longer and slower to read. */
export const blockColumns = (sealed: string): string =>
  `transaction_blocks.block, ${sealed} as "sealedBlock", data_key_id as "dataKeyId", data_keys.id, wrapped,
    case when wrapped is null then data_keys.sealed end as sealed`;
export const onSqlite = 'transaction_blocks.sealed';
export const onPostgres = "encode(transaction_blocks.sealed, 'base64')";

/** Joins the data keys of the blocks. */
export const joinDataKeys = `left join data_keys
    on data_keys.end_user_id = transaction_blocks.end_user_id and data_keys.id = data_key_id`;

const selectBlocksWhere = (sealed: string, isListed: string) => `
  select ${blockColumns(sealed)}
  from transaction_blocks ${joinDataKeys}
  where transaction_blocks.end_user_id = :endUserId and account_short_id = :accountShortId and block ${isListed}`;
// PostgreSQL looks up an array in the index, but does not know that a subquery is short.
const selectBlocks = sql<TransactionOwner & { blocks: string }, StoredBlock>(
  selectBlocksWhere(onSqlite, 'in (select value from json_each(:blocks))'),
  selectBlocksWhere(onPostgres, "= any(cast(translate(:blocks, '[]', '{}') as bigint[]))"),
);

export type ReadBlocks = ReturnType<typeof makeReadBlocks>;

/**
 * Reads an account's transactions as `print` formats them, each time from the current database of `source`. The frame is
 * created once the rows are found. `findRows` runs again if a refresh moved a block's texts and deleted the block meanwhile.
 * Throws CorruptData.
 */
export const makeReadBlocks = (
  source: { db: Database },
  userKeys: EndUserKeys,
  { id: accountId, endUserId, shortId: accountShortId }: AccountRef,
  print: PrintTransactions,
  known: readonly StoredBlock[] = [],
) => {
  const openBlock = makeBlockOpener(source.db, userKeys, accountId);
  let open = new Map<number, Block>();
  /** Opens all blocks of these rows; false if one does not exist. */
  const openAll = async (rows: readonly PublicTransactionRow[]): Promise<boolean> => {
    const numbers = new Set(rows.map(({ block }) => block));
    const missing = [...numbers].filter((number) => !open.has(number));
    if (missing.length === 0) return true;
    let stored = known.filter(({ block }) => numbers.has(block));
    if (stored.length < missing.length) {
      const blocks = JSON.stringify(missing);
      stored = await selectBlocks(source.db.read, { endUserId, accountShortId, blocks });
    }
    // Only adjacent rows share blocks, so other blocks are not kept.
    open = new Map([...open].filter(([number]) => numbers.has(number)));
    for (const block of stored) open.set(block.block, openBlock(block));
    return [...numbers].every((number) => open.has(number));
  };
  return async (findRows: () => Promise<PublicTransactionRow[]>, frame?: () => Frame): Promise<Buffer> => {
    let rows = await findRows();
    if (!(await openAll(rows))) {
      rows = await findRows();
      if (!(await openAll(rows)))
        throw new CorruptData('A transaction refers to a block that does not exist.');
    }
    return print(rows, accountId, (block) => open.get(block)!, frame?.());
  };
};

// A list of all an account's transactions may need any number of data keys; at most this many stay open.
const openKeysMax = 2000;

/** Opens blocks of an account. Throws CorruptData. */
export const makeBlockOpener = (
  db: Database,
  userKeys: EndUserKeys,
  accountId: string,
): ((stored: StoredBlock) => Block) => {
  const keys = new Map<string, Buffer>();
  let saving = Promise.resolve();
  const openKey = (stored: StoredBlock): Buffer => {
    const known = keys.get(stored.dataKeyId);
    if (known) return known;
    if (stored.id === null) throw new CorruptData('A record refers to a data key that does not exist.');
    if (keys.size >= openKeysMax) keys.clear();
    const key = userKeys.openDataKey(stored);
    keys.set(stored.id, key);
    // Saved one after another, so that a page with many refreshes leaves database connections to other requests. Not awaited,
    // and a failure is ignored: the next reader then unseals the box again.
    if (!stored.wrapped) saving = saving.then(() => saveWrapped(db, userKeys, stored.id, key)).catch(ignore);
    return key;
  };
  return (stored) => {
    const { sealedBlock } = stored;
    const key = openKey(stored);
    const sealed = typeof sealedBlock === 'string' ? decodeBase64(sealedBlock) : sealedBlock;
    return new Block(sealed, key, blockBinding(accountId));
  };
};

/** Holds the sealed block being opened, because allocating memory for each block costs more than opening it. */
const scratch = Buffer.alloc(2 ** 17);

/** The bytes are valid until the next call. */
const decodeBase64 = (text: string): Buffer =>
  text.length > scratch.length
    ? Buffer.from(text, 'base64')
    : scratch.subarray(0, scratch.write(text, 'base64'));

const saveWrapped = async (db: Database, userKeys: EndUserKeys, id: string, key: Buffer): Promise<void> => {
  const { endUserId } = userKeys;
  const unwrapped = db.write('data_keys').where({ endUserId, id }).whereNull('wrapped');
  await unwrapped.update({ wrapped: userKeys.wrapDataKey(id, key) });
};

const ignore = (): void => {};
