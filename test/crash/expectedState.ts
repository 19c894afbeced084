// What the bank holds, and what a consumer reads of it with a token: the two must be equal, every entry once.
import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { createClient, unwrap } from '../../client/index.ts';
import { canonicalDecimal } from '../../src/json.ts';
import { callAt, openSandbox, readTransactions } from '../support/sandboxConnector.ts';
import { formatRows, type SandboxFileRow } from '../support/sandboxFile.ts';

type TransactionFields = { date: string; amount: string; description: string; reference: string };

/** The entries of each account, in one spelling and in order; twins stand twice. */
export type ExpectedState = Map<string, string[]>;

const toComparable = ({ date, amount, description, reference }: TransactionFields): string =>
  [date, canonicalDecimal(amount), description, reference].join(' | ');

const makeRow = (login: string, account: string, at: number): SandboxFileRow => {
  // Every fiftieth is the one before it once more, and the bank gives it no id.
  const like = at % 50 === 49 ? at - 1 : at;
  const cents = `${(like * 37) % 1000}.${String(like % 100).padStart(2, '0')}`;
  return {
    ...{ login, account, transaction: like === at ? `t${at}` : '', balance: '1250.75' },
    date: new Date(Date.UTC(2025, 0, 1 + (like % 600))).toISOString().slice(0, 10),
    amount: like % 3 === 0 ? cents : `-${cents}`,
    description: `ENTRY ${like} OF ${account}`,
    reference: like % 4 === 0 ? '' : `R${like}`,
  };
};

/** The rows of a login whose accounts have so many entries. */
export const makeLoginRows = (login: string, counts: readonly number[]): SandboxFileRow[] =>
  counts.flatMap((count, account) =>
    Array.from({ length: count }, (_, at) => makeRow(login, `${login}-${account}`, at)),
  );

export const writeRows = (path: string, rows: readonly SandboxFileRow[]): Promise<void> =>
  writeFile(path, formatRows(rows));

/** What the sandbox bank shows for the rows of one login. */
export const expectedStateOfRows = (rows: readonly SandboxFileRow[]): ExpectedState => {
  const byAccount = Map.groupBy(rows, ({ account }) => `Account ${account}`);
  return new Map([...byAccount].map(([name, ofAccount]) => [name, ofAccount.map(toComparable).sort()]));
};

/** What the sandbox bank shows to one of its own users, after the code where one is asked for. */
export const expectedStateOfUser = async (username: string): Promise<ExpectedState> => {
  const sandbox = await openSandbox({ slowStepMs: 0 });
  try {
    const { connector } = sandbox;
    const call = callAt(new Date());
    const credentials = { username, password: 'password' };
    const asked = await connector.signIn(
      { institutionId: 'sandbox-bank', credentials, attended: true },
      call,
    );
    const signedIn =
      asked.kind === 'signedIn'
        ? asked
        : await connector.answer({ challengeState: asked.challengeState, answer: '123456' }, call);
    if (signedIn.kind !== 'signedIn') throw new Error(`${username} is asked for more than a code.`);
    const { access } = signedIn;
    const truth: ExpectedState = new Map();
    for (const { id, name } of await connector.accounts(access, call)) {
      const entries = await readTransactions(connector, { access, accountId: id }, call.now);
      truth.set(name, entries.map(toComparable).sort());
    }
    return truth;
  } finally {
    await sandbox.close();
  }
};

export type ReadState = {
  connectionIds: string[];
  accountIds: string[];
  /** Every entry's id, with what it says; what is void is left out. */
  textById: Map<string, string>;
  state: ExpectedState;
};

/** Reads all that a token gives access to. */
export const readState = async (
  at: { url: string; apiKey: string },
  scopedToken: string | undefined,
): Promise<ReadState> => {
  const client = createClient({ baseUrl: at.url, apiKey: at.apiKey, scopedToken, exactAmounts: true });
  const { connections } = await unwrap(client.GET('/connections', {}));
  const seen: ReadState = { connectionIds: [], accountIds: [], textById: new Map(), state: new Map() };
  for (const { id: connectionId } of connections) {
    seen.connectionIds.push(connectionId);
    const path = { connectionId };
    const list = await unwrap(client.GET('/connections/{connectionId}/accounts', { params: { path } }));
    for (const { id, name } of list.accounts) {
      seen.accountIds.push(id);
      const params = { path: { accountId: id } };
      const { transactions } = await unwrap(client.GET('/accounts/{accountId}/transactions', { params }));
      const live = transactions.filter(({ status }) => status !== 'void');
      for (const entry of live) {
        expect(seen.textById.has(entry.id)).toBe(false);
        seen.textById.set(entry.id, toComparable(entry));
      }
      seen.state.set(name, live.map(toComparable).sort());
    }
  }
  return seen;
};
