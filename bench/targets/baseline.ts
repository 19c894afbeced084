// The baseline: the minimum that returns the same responses from one sealed row for each transaction. Bare node:http, one
// prepared better-sqlite3 statement per response, libsodium. No routing, validation, credentials or log. The data keys are
// unwrapped before the first request, except for /page-opening-keys, which unwraps them on each request. Transactions are
// in a separate file (data/sealedRows.ts), accounts and connections in the service's file.
import { createServer } from 'node:http';
import BetterSqlite3 from 'better-sqlite3';
import sodium from 'sodium-native';
import { type PublicAccountRow, unsealAccount } from '../../src/domain/codec/account.ts';
import { makeEndUserKeys } from '../../src/platform/vault/endUserKeys.ts';
import { parseScopedToken } from '../../src/platform/vault/scopedToken.ts';

/** The options of the baseline, as JSON in BASELINE_OPTIONS. */
export type BaselineOptions = {
  file: string;
  sealedRowsFile: string;
  /** The key that wraps the data keys in `sealedRowsFile`, in base64. */
  wrappingKey: string;
  scopedToken: string;
  connectionId: string;
  accountId: string;
  transactionId: string;
};

type TransactionRow = {
  id: string;
  date: string;
  refresh_cursor: string;
  status: string;
  sealed: Buffer;
  data_key_id: string;
  wrapped: Buffer;
};

const options: BaselineOptions = JSON.parse(process.env.BASELINE_OPTIONS ?? '{}');
const { file, sealedRowsFile, scopedToken, connectionId, accountId, transactionId } = options;
const { endUserId, secret } = parseScopedToken(scopedToken)!;
const db = new BetterSqlite3(file, { readonly: true });
const sealedRows = new BetterSqlite3(sealedRowsFile, { readonly: true });

const user = db.prepare('select * from end_users where end_user_id = ?').get(endUserId) as {
  application_id: string;
  public_key: Buffer;
};
const userKeys = makeEndUserKeys(
  { applicationId: user.application_id, endUserId, publicKey: user.public_key },
  secret,
)!;
const accountKeys = db
  .prepare('select key_sealed, key_wrapped from accounts where end_user_id = ? and id = ?')
  .get(endUserId, accountId) as { key_sealed: Buffer; key_wrapped: Buffer | null };
const { key_sealed: sealed, key_wrapped: wrapped } = accountKeys;
const accountKey = userKeys.openDataKey({
  id: accountId,
  ...(wrapped ? { wrapped, sealed: null } : { sealed, wrapped: null }),
});

const headerBytes = 25;
const overhead = headerBytes + 16;
const plaintext = Buffer.alloc(65_536);

/** Decrypts XChaCha20-Poly1305 into one reused buffer. */
const unsealText = (sealed: Buffer, associatedData: string, key: Buffer): string => {
  const length = sealed.length - overhead;
  sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
    plaintext.subarray(0, length),
    null,
    sealed.subarray(headerBytes),
    Buffer.from(associatedData),
    sealed.subarray(1, headerBytes),
    key,
  );
  return plaintext.toString('utf8', 0, length);
};

const transactionJson = (row: TransactionRow, key: Buffer): string => {
  const ids = `${accountId.length}:${accountId} ${row.id.length}:${row.id}`;
  const fields = unsealText(row.sealed, `1 11:transaction ${ids}`, key);
  const { id, date, status, refresh_cursor } = row;
  const clearFields = `"id":"${id}","accountId":"${accountId}","date":"${date}","status":"${status}"`;
  return `{${clearFields},"transactionRefresh":"${refresh_cursor}",${fields}}`;
};

const columns = 'transactions.id, date, refresh_cursor, status, transactions.sealed, data_key_id';
const ofAccount = 'transactions.end_user_id = ? and account_id = ?';
const newest = 'order by date desc, seq desc limit 100';
const selectPage = sealedRows.prepare(`select ${columns} from transactions where ${ofAccount} ${newest}`);
const selectPageWithKeys = sealedRows.prepare(
  `select ${columns}, wrapped from transactions
   join data_keys on data_keys.end_user_id = transactions.end_user_id and data_keys.id = data_key_id
   where ${ofAccount} ${newest}`,
);
const selectTransaction = sealedRows.prepare(
  `select ${columns} from transactions where ${ofAccount} and id = ?`,
);
const selectAccount = db.prepare(
  `select id, connection_id as "connectionId", sealed, last_refresh_time as "lastRefreshTime", replaced_by as "replacedBy",
     history_from as "historyFrom", deselected_at as "deselectedAt"
   from accounts where end_user_id = ? and id = ?`,
);
const selectConnections = db.prepare(
  'select * from connections where end_user_id = ? and revoked_at is null order by created_at, id',
);

const wrappingKey = Buffer.from(options.wrappingKey, 'base64');
const unwrapDataKey = ({ data_key_id, wrapped }: Pick<TransactionRow, 'data_key_id' | 'wrapped'>): Buffer =>
  Buffer.from(
    unsealText(wrapped, `1 8:data key ${data_key_id.length}:${data_key_id}`, wrappingKey),
    'base64url',
  );
const dataKeys = new Map(
  (sealedRows.prepare('select id as data_key_id, wrapped from data_keys').all() as TransactionRow[]).map(
    (row) => [row.data_key_id, unwrapDataKey(row)],
  ),
);

const pageJson = (transactions: string[]): string =>
  `{"transactions":[${transactions.join(',')}],"pagination":{"hasMore":true}}`;

type UntypedRow = Record<string, never>;

const account = (): string => {
  const row = selectAccount.get(endUserId, accountId) as PublicAccountRow;
  return JSON.stringify({ account: unsealAccount(row, accountKey) });
};

const connections = (): string =>
  JSON.stringify({
    connections: (selectConnections.all(endUserId) as UntypedRow[]).map((row) => ({
      id: row.id,
      institution: { id: row.institution_id, name: row.institution_name },
      status: row.reconnect_reason === null ? 'active' : 'needs_reconnect',
      createdAt: row.created_at,
      refreshedAt: row.refreshed_at,
    })),
  });

const handlers: Record<string, () => string> = {
  '/page': () => {
    const rows = selectPage.all(endUserId, accountId) as TransactionRow[];
    return pageJson(rows.map((row) => transactionJson(row, dataKeys.get(row.data_key_id)!)));
  },
  '/page-opening-keys': () => {
    const rows = selectPageWithKeys.all(endUserId, accountId) as TransactionRow[];
    return pageJson(rows.map((row) => transactionJson(row, unwrapDataKey(row))));
  },
  '/account': account,
  '/transaction': () => {
    const row = selectTransaction.get(endUserId, accountId, transactionId) as TransactionRow;
    return `{"transaction":${transactionJson(row, dataKeys.get(row.data_key_id)!)}}`;
  },
  '/connections': connections,
  [`/${connectionId}`]: connections,
};

createServer((request, response) => {
  const body = handlers[request.url ?? '']?.();
  if (body === undefined) return void response.writeHead(404).end();
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
