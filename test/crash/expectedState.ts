// The transactions of the bank, and those that a consumer reads with a scoped token, which must be equal.
import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { createClient, unwrap } from '../../client/index.ts';
import {
  callAt,
  institutionId,
  makeConnector,
  readTransactions,
} from '../../connectors/sandbox/test/fixture.ts';
import { canonicalDecimal } from '../../src/platform/values/json.ts';
import { formatRows, type SandboxFileRow } from '../support/sandboxFile.ts';

type TransactionFields = { date: string; amount: string; description: string; reference: string };

/** The sorted transactions of each account in a comparable form, with duplicates. */
export type ExpectedState = Map<string, string[]>;

const toComparable = ({ date, amount, description, reference }: TransactionFields): string =>
  [date, canonicalDecimal(amount), description, reference].join(' | ');

const makeRow = (login: string, account: string, index: number): SandboxFileRow => {
  // Every fiftieth transaction repeats the previous one, without a bank id.
  const source = index % 50 === 49 ? index - 1 : index;
  const cents = `${(source * 37) % 1000}.${String(source % 100).padStart(2, '0')}`;
  return {
    ...{ login, account, transaction: source === index ? `t${index}` : '', balance: '1250.75' },
    date: new Date(Date.UTC(2025, 0, 1 + (source % 600))).toISOString().slice(0, 10),
    amount: source % 3 === 0 ? cents : `-${cents}`,
    description: `TRANSACTION ${source} OF ${account}`,
    reference: source % 4 === 0 ? '' : `R${source}`,
  };
};

/** The rows of a login, with this many transactions in each account. */
export const makeLoginRows = (login: string, counts: readonly number[]): SandboxFileRow[] =>
  counts.flatMap((count, account) =>
    Array.from({ length: count }, (_, index) => makeRow(login, `${login}-${account}`, index)),
  );

export const writeRows = (path: string, rows: readonly SandboxFileRow[]): Promise<void> =>
  writeFile(path, formatRows(rows));

/** The expected state of the rows of one login. */
export const expectedStateOfRows = (rows: readonly SandboxFileRow[]): ExpectedState => {
  const byAccount = Map.groupBy(rows, ({ account }) => `Account ${account}`);
  return new Map([...byAccount].map(([name, accountRows]) => [name, accountRows.map(toComparable).sort()]));
};

/** The expected state of a built-in sandbox user; answers its code challenge, if any. */
export const expectedStateOfUser = async (username: string): Promise<ExpectedState> => {
  const connector = makeConnector();
  const call = callAt(new Date());
  const credentials = { username, password: 'password' };
  const result = await connector.signIn(
    { institution: { id: institutionId }, credentials, attended: true },
    call,
  );
  const signedIn =
    result.kind === 'signedIn'
      ? result
      : await connector.answer({ challengeState: result.challengeState, answer: '123456' }, call);
  if (signedIn.kind !== 'signedIn') throw new Error(`${username} has more challenges than a code.`);
  const { access } = signedIn;
  const expected: ExpectedState = new Map();
  for (const { id, name } of await connector.accounts(access, call)) {
    const transactions = await readTransactions(connector, { access, accountId: id }, call.now);
    expected.set(name, transactions.map(toComparable).sort());
  }
  return expected;
};

export type ReadState = {
  connectionIds: string[];
  accountIds: string[];
  /** The comparable form of each transaction that is not void, by id. */
  textById: Map<string, string>;
  state: ExpectedState;
};

/** Reads everything that is accessible with a scoped token. */
export const readState = async (
  installation: { url: string; apiKey: string },
  scopedToken: string | undefined,
): Promise<ReadState> => {
  const client = createClient({
    baseUrl: installation.url,
    apiKey: installation.apiKey,
    scopedToken,
    exactAmounts: true,
  });
  const { connections } = await unwrap(client.GET('/connections', {}));
  const read: ReadState = { connectionIds: [], accountIds: [], textById: new Map(), state: new Map() };
  for (const { id: connectionId } of connections) {
    read.connectionIds.push(connectionId);
    const path = { connectionId };
    const list = await unwrap(client.GET('/connections/{connectionId}/accounts', { params: { path } }));
    for (const { id, name } of list.accounts) {
      read.accountIds.push(id);
      const params = { path: { accountId: id } };
      const { transactions } = await unwrap(client.GET('/accounts/{accountId}/transactions', { params }));
      const valid = transactions.filter(({ status }) => status !== 'void');
      for (const transaction of valid) {
        expect(read.textById.has(transaction.id)).toBe(false);
        read.textById.set(transaction.id, toComparable(transaction));
      }
      read.state.set(name, valid.map(toComparable).sort());
    }
  }
  return read;
};
