// The inside of the service as the demo shows it. Only the demo's process calls this, with connections of the demo's sessions.
import { findStoredAccount } from '../accounts/store.ts';
import { DemoError } from '../demo/errors.ts';
import type { DemoInside, StoredTable, StoredValue } from '../demo/inside.ts';
import type { Service } from '../service.ts';
import { findStoredTransactions } from '../transactions/store.ts';
import { findDataKeys, findResourceOwner } from '../users/store.ts';

const transactionsMax = 25;
const shownBytes = 2048;

export const makeDemoInside = (service: Service): DemoInside => ({
  logoOf: (institutionId) => service.registry.find('sandbox', institutionId)?.profile.logo,
  readStoredRows: (account) => readStoredRows(service, account),
});

const readStoredRows = async (
  { db: { read } }: Service,
  { connectionId, accountId: id }: { connectionId: string; accountId: string },
): Promise<StoredTable[]> => {
  // The connection is the session's, so its end user decides: another one's account is not found.
  const owner = await findResourceOwner(read, connectionId);
  const account = owner && (await findStoredAccount(read, { endUserId: owner.endUserId, id }));
  if (account?.connectionId !== connectionId) throw new DemoError(404, 'The account has no stored rows.');
  const { endUserId, shortId: accountShortId } = account;
  const { transactions, blocks } = await findStoredTransactions(
    read,
    { endUserId, accountShortId },
    transactionsMax,
  );
  const keyIds = blocks.map(({ dataKeyId }) => dataKeyId);
  const dataKeys = await findDataKeys(read, endUserId, keyIds);
  return [
    toTable('transactions', transactions),
    toTable('transaction_blocks', blocks),
    toTable('data_keys', dataKeys),
    toTable('accounts', [account]),
  ];
};

const toTable = (table: string, rows: object[]): StoredTable => ({
  table,
  rows: rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [toSnakeCase(column), toValue(value)])),
  ),
});

const toSnakeCase = (column: string): string =>
  column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const toValue = (value: string | number | null | Buffer): StoredValue =>
  value instanceof Uint8Array
    ? { hex: value.subarray(0, shownBytes).toString('hex'), bytes: value.length }
    : value;
