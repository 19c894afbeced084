// SimpleFIN's response to a request for accounts combines the shapes of versions 1 and 2. It has fields that applications need
// beyond the protocol: `payee` and `memo` of each transaction, `available-balance` of each account, and `domain` of each
// institution.

import {
  openTransaction,
  type PrintTransactions,
  type PublicTransactionRow,
  statusPending,
  statusVoid,
} from '../../domain/codec/transaction.ts';
import { connectionState, decodeLaggingAccountIds } from '../../domain/connections/connection.ts';
import type { ReadableConnection } from '../../domain/connections/store.ts';
import type { Database } from '../../platform/db/open.ts';
import { addMilliseconds, days } from '../../platform/values/clock.ts';
import { Forbidden } from '../../platform/values/errors.ts';
import { type Decimal, JsonStream } from '../../platform/values/json.ts';
import { type AccountWithRef, readAccountsWithRef } from '../read/accounts.ts';
import type { ReadGrant } from '../read/authorize.ts';
import { type StreamOptions, streamAccount } from '../read/listTransactions.ts';
import { allDays } from '../read/transactionRows.ts';
import type { OpenedSimplefinAccess } from './accesses.ts';

/** An application's request. Times are in seconds since 1970; `endDate` is exclusive. */
export type AccountSetRequest = {
  startDate?: number;
  endDate?: number;
  /** True to include pending transactions, unless the access excludes them. */
  pending: boolean;
  balancesOnly: boolean;
  /** Only these accounts. */
  accountIds?: readonly string[];
};

export type AccountSetOptions = StreamOptions & {
  /** The URL of the SimpleFIN server, as applications know it. */
  serverUrl: string;
  /** The number of days of transactions returned without a `startDate`. */
  defaultDays: number;
  now: Date;
  institutionOf(connection: ReadableConnection): InstitutionInfo;
};

/** `domain` is empty if unknown. */
type InstitutionInfo = { id: string; name: string; domain: string };

const daySeconds = 24 * 3600;
// 12:00 UTC is the same date in nearly every time zone.
const noonSeconds = 12 * 3600;

/**
 * The accounts that an access covers, with their transactions as a stream. Throws Forbidden if none of them can be read any
 * more, NotFound if one was just deleted, and CorruptData.
 */
export const readAccountSet = async (
  db: Database,
  { row, grant, accountIds }: OpenedSimplefinAccess,
  request: AccountSetRequest,
  options: AccountSetOptions,
): Promise<JsonStream> => {
  const covered: CoveredConnection[] = [];
  for (const connection of grant.connections) {
    const all = await readAccountsWithRef(db, grant, connection);
    const accounts = accountIds ? all.filter(({ account }) => accountIds.has(account.id)) : all;
    if (accounts.length > 0 || !accountIds)
      covered.push({ connection, institution: options.institutionOf(connection), accounts });
  }
  if (covered.length === 0) throw new Forbidden();
  const { accountIds: requested } = request;
  const shown = covered.map(({ accounts, ...rest }) => ({
    ...rest,
    accounts: requested ? accounts.filter(({ account }) => requested.includes(account.id)) : accounts,
  }));
  const errors = [...shown.flatMap(errorsOf), ...errorsOfUncovered(requested, covered)];
  const head = {
    errors: [...new Set(errors.map(({ msg }) => msg))],
    errlist: errors,
    connections: shown.map(({ connection, institution }) => ({
      conn_id: connection.id,
      name: institution.name,
      org_id: institution.id,
      org_name: institution.name,
      sfin_url: options.serverUrl,
    })),
  };
  const pending = request.pending && row.postedOnly === 0;
  const items = accountStreams(db, grant, shown, { ...options, ...request, pending });
  return new JsonStream('accounts', items, { before: withoutBraces(head) });
};

type CoveredConnection = {
  connection: ReadableConnection;
  institution: InstitutionInfo;
  accounts: AccountWithRef[];
};

const withoutBraces = (value: object): string => JSON.stringify(value).slice(1, -1);

type AccountSetError = {
  code: 'con.' | 'con.auth' | 'act.' | 'act.failed' | 'act.missingdata';
  msg: string;
  conn_id?: string;
  account_id?: string;
};

/** From the first message's wording, applications recognize that the user must sign in again. */
const errorsOf = ({ connection, institution, accounts }: CoveredConnection): AccountSetError[] => {
  const conn_id = connection.id;
  const state = connectionState(connection);
  if (state === 'needs_reconnect')
    return [{ code: 'con.auth', msg: `Connection to ${institution.name} may need attention`, conn_id }];
  if (state === 'revoked')
    return [{ code: 'con.', msg: `Connection to ${institution.name} has ended`, conn_id }];
  const lagging = new Set(decodeLaggingAccountIds(connection));
  return accounts.flatMap(({ account: { id: account_id, name, balance } }): AccountSetError[] => {
    if (lagging.has(account_id))
      return [
        { code: 'act.failed', msg: `${institution.name} did not answer for ${name}`, conn_id, account_id },
      ];
    if (balance.current !== undefined) return [];
    const msg = `${institution.name} provides no balance for ${name}`;
    return [{ code: 'act.missingdata', msg, conn_id, account_id }];
  });
};

/** Accounts of other users, those that the access does not cover, and those that do not exist give the same error. */
const errorsOfUncovered = (
  requested: readonly string[] = [],
  covered: readonly CoveredConnection[],
): AccountSetError[] => {
  const known = new Set(covered.flatMap(({ accounts }) => accounts.map(({ account }) => account.id)));
  const msg = 'A requested account does not exist, or this access does not cover it';
  return [...new Set(requested)]
    .filter((id) => !known.has(id))
    .map((account_id) => ({ code: 'act.', msg, account_id }));
};

async function* accountStreams(
  db: Database,
  grant: ReadGrant,
  connections: readonly CoveredConnection[],
  list: AccountSetRequest & AccountSetOptions,
): AsyncGenerator<JsonStream> {
  const transactionList = toTransactionList(list);
  let source = db;
  for (const { institution, accounts } of connections) {
    for (const { account, ref } of accounts) {
      const details = accountToJson(account, institution, list.serverUrl);
      const items = list.balancesOnly ? none() : streamAccount(source, grant, ref, transactionList, list);
      yield new JsonStream('transactions', items, { before: withoutBraces(details) });
      source = db.patient;
    }
  }
}

async function* none(): AsyncGenerator<Buffer> {}

const accountToJson = (
  account: AccountWithRef['account'],
  institution: InstitutionInfo,
  serverUrl: string,
) => {
  const { id, connectionId, name, lastFour, currency, balance } = account;
  const { current = 0, available = current, asOf = new Date(0).toISOString() } = balance;
  return {
    org: { ...institution, 'sfin-url': serverUrl },
    id,
    conn_id: connectionId,
    name: lastFour === '' ? name : `${name} (${lastFour})`,
    currency,
    balance: printBalance(current),
    'available-balance': printBalance(available),
    'balance-date': Math.floor(Date.parse(asOf) / 1000),
  };
};

const printBalance = (amount: number | Decimal): string => toMoney(JSON.stringify(amount)!);

/** Applications drop the point, so there must be two digits after it; never fewer than the bank sent. */
export const toMoney = (decimalText: string): string => {
  const [whole, digits = ''] = decimalText.split('.');
  return `${whole}.${digits.padEnd(2, '0')}`;
};

type TransactionList = Parameters<typeof streamAccount>[3];

const toTransactionList = (list: AccountSetRequest & AccountSetOptions): TransactionList => {
  const { now, defaultDays, endDate, pending } = list;
  const startDate = list.startDate ?? addMilliseconds(now, -days(defaultDays)).getTime() / 1000;
  return {
    days: {
      firstDay: toFirstDay(startDate),
      lastDay: endDate === undefined ? allDays.lastDay : toFirstDay(endDate) - 1,
    },
    includes: ({ status }) => status !== statusVoid && (pending || status !== statusPending),
    print: printTransactions,
  };
};

/** The first day whose noon is not before a time in seconds. */
const toFirstDay = (time: number): number => Math.ceil((time - noonSeconds) / daySeconds);

const printTransactions: PrintTransactions = (rows, _accountId, getBlock) =>
  Buffer.from(rows.map((row) => transactionToJson(row, openTransaction(row, getBlock(row.block)))).join(','));

const transactionToJson = (
  { status }: PublicTransactionRow,
  { id, date, amount, description }: ReturnType<typeof openTransaction>,
): string => {
  const time = date * daySeconds + noonSeconds;
  const isPending = status === statusPending;
  return (
    `{"id":"${id}","posted":${time},"transacted_at":${time},"amount":"${toMoney(amount)}",` +
    `"description":${description},"payee":${description},"memo":"","pending":${isPending}}`
  );
};
