// Fetches the pages of an account's transactions one after the other.
import { createHash } from 'node:crypto';
import { abortableSleep, BankUnreachable } from '@bank-connection/connector-kit';
import type { operations } from '../../generated/enableBanking.ts';
import { dataOf, type EnableBankingDeps, type Provider } from './client.ts';
import type { Row } from './transaction.ts';

export type Query = NonNullable<operations['getTransactions']['parameters']['query']>;

export type AccountReader = {
  deps: EnableBankingDeps;
  provider: Provider;
  uid: string;
  signal: AbortSignal;
};

const pagesMax = 1000;
/** Banks return empty pages while they prepare a long history. */
const emptyPagesMax = 20;

/**
 * All pages of a query. Each request repeats the query's parameters. Throws BankUnreachable('incomplete') if a page or a key is
 * repeated, or if too many pages are empty: a history with gaps would make transactions void.
 */
export async function* readPages(
  { deps, provider, uid, signal }: AccountReader,
  query: Query,
): AsyncGenerator<Row[], void> {
  const seen = new Set<string>();
  let key: string | undefined;
  let empty = 0;
  for (let pages = 0; pages < pagesMax; pages++) {
    const params = { path: { account_id: uid }, query: { ...query, ...(key && { continuation_key: key }) } };
    const page = await dataOf(provider.GET('/accounts/{account_id}/transactions', { params }));
    const rows = page.transactions ?? [];
    if (rows.length > 0) requireNew(seen, `page ${hashOf(rows)}`);
    yield rows;
    if (!page.continuation_key) return;
    key = page.continuation_key;
    requireNew(seen, `key ${key}`);
    empty = rows.length === 0 ? empty + 1 : 0;
    if (empty > emptyPagesMax) break;
    if (empty > 0) await abortableSleep(deps.emptyPagePauseMs, signal);
  }
  throw new BankUnreachable('incomplete');
}

const requireNew = (seen: Set<string>, what: string): void => {
  if (seen.has(what)) throw new BankUnreachable('incomplete');
  seen.add(what);
};

const hashOf = (rows: readonly Row[]): string => {
  const rest = rows.map(({ transaction_id: _, ...row }) => row);
  return createHash('sha256').update(JSON.stringify(rest)).digest('base64url');
};
