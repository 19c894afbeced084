// The layout that the service is compared with: one row for each transaction, with its own sealed text, twelve columns and four
// indexes. Creating the rows is not measured.
import { randomBytes } from 'node:crypto';
import BetterSqlite3 from 'better-sqlite3';
import { type DataKey, makeDataKey, makeKey, seal } from '../../src/platform/vault/seal.ts';

/** A transaction as in a response, with the amount as text. */
export type PublicTransaction = {
  id: string;
  accountId: string;
  date: string;
  status: string;
  transactionRefresh: string;
  amount: string;
  description: string;
  reference: string;
};

/** The owner of a row's transaction, and the key that seals its text. */
export type SealedRowOwner = { endUserId: string; dataKey: DataKey };

const sealedRowsSchema = `
  create table transactions (
    end_user_id text not null, account_id text not null, id text not null, date text not null, seq integer not null,
    refresh_cursor text not null, status text not null, sealed blob not null, data_key_id text not null,
    transaction_fingerprint blob not null, bank_id_fingerprint blob, amount_fingerprint blob,
    primary key (end_user_id, account_id, id));
  create index transactions_by_date on transactions (end_user_id, account_id, date, seq);
  create index transactions_by_bank_id on transactions (end_user_id, account_id, bank_id_fingerprint);
  create index transactions_by_refresh on transactions (end_user_id, account_id, refresh_cursor, date desc, seq desc);
  create table data_keys (
    end_user_id text not null, id text not null, wrapped blob not null, primary key (end_user_id, id));`;

const fingerprintBytes = 16;

/** The row for a transaction, by column. */
export const makeSealedRow = (
  { id, accountId, date, status, transactionRefresh, amount, description, reference }: PublicTransaction,
  seq: number,
  { endUserId, dataKey }: SealedRowOwner,
) => {
  const texts = JSON.stringify({ description, reference }).slice(1, -1);
  return {
    end_user_id: endUserId,
    account_id: accountId,
    id,
    date,
    seq,
    refresh_cursor: transactionRefresh,
    status,
    sealed: seal(`"amount":${amount},${texts}`, dataKey.key, ['transaction', accountId, id]),
    data_key_id: dataKey.id,
    transaction_fingerprint: randomBytes(fingerprintBytes),
    bank_id_fingerprint: randomBytes(fingerprintBytes),
    amount_fingerprint: null,
  };
};

export type SealedRow = ReturnType<typeof makeSealedRow>;

export type SealedRowsFile = {
  /** Inserts rows with one prepared statement, in one database transaction. */
  insert(rows: readonly SealedRow[]): void;
  /** Stores a data key, wrapped under the key of the file. */
  addDataKey(owner: SealedRowOwner, wrappingKey: Buffer): void;
  close(): void;
};

/** A new SQLite file with empty tables, and the settings that the service uses for its own. */
export const createSealedRowsFile = (file: string): SealedRowsFile => {
  const db = new BetterSqlite3(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec(sealedRowsSchema);
  const insert = db.prepare(`insert into transactions values
    (@end_user_id, @account_id, @id, @date, @seq, @refresh_cursor, @status, @sealed, @data_key_id,
     @transaction_fingerprint, @bank_id_fingerprint, @amount_fingerprint)`);
  const insertKey = db.prepare('insert into data_keys values (?, ?, ?)');
  return {
    insert: db.transaction((rows: readonly SealedRow[]) => {
      for (const row of rows) insert.run(row);
    }),
    addDataKey: ({ endUserId, dataKey: { id, key } }, wrappingKey) => {
      insertKey.run(endUserId, id, seal(key.toString('base64url'), wrappingKey, ['data key', id]));
    },
    close: () => void db.close(),
  };
};

/** Writes transactions, newest first, into a new file, with one data key for each refresh. Returns the wrapping key. */
export const writeSealedRows = (
  file: string,
  endUserId: string,
  newestFirst: readonly PublicTransaction[],
): Buffer => {
  const wrappingKey = makeKey();
  const rowsFile = createSealedRowsFile(file);
  const owners = new Map<string, SealedRowOwner>();
  for (const { transactionRefresh } of newestFirst) {
    if (owners.has(transactionRefresh)) continue;
    const owner = { endUserId, dataKey: makeDataKey() };
    rowsFile.addDataKey(owner, wrappingKey);
    owners.set(transactionRefresh, owner);
  }
  rowsFile.insert(
    newestFirst.toReversed().map((one, seq) => makeSealedRow(one, seq, owners.get(one.transactionRefresh)!)),
  );
  rowsFile.close();
  return wrappingKey;
};
