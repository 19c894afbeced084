// What the bank holds, and what a consumer reads of it with a token: the two must be equal, every entry once.
import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { createClient, unwrap } from '../../client/index.ts';
import { canonicalDecimal } from '../../src/json.ts';
import { callAt, entriesOf, openSandbox } from '../banks/sandboxVisit.ts';
import { type FileRow, printRows } from '../transactions/bankFile.ts';

type Spoken = { date: string; amount: string; description: string; reference: string };

/** The entries of each account, in one spelling and in order; twins stand twice. */
export type Truth = Map<string, string[]>;

const spell = ({ date, amount, description, reference }: Spoken): string =>
  [date, canonicalDecimal(amount), description, reference].join(' | ');

const entryOf = (login: string, account: string, at: number): FileRow => {
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
export const rowsOf = (login: string, counts: readonly number[]): FileRow[] =>
  counts.flatMap((count, account) =>
    Array.from({ length: count }, (_, at) => entryOf(login, `${login}-${account}`, at)),
  );

export const writeRows = (path: string, rows: readonly FileRow[]): Promise<void> =>
  writeFile(path, printRows(rows));

/** What the sandbox bank shows for the rows of one login. */
export const truthOfRows = (rows: readonly FileRow[]): Truth => {
  const byAccount = Map.groupBy(rows, ({ account }) => `Account ${account}`);
  return new Map([...byAccount].map(([name, ofAccount]) => [name, ofAccount.map(spell).sort()]));
};

/** What the sandbox bank shows to one of its own users, after the code where one is asked for. */
export const truthOfUser = async (username: string): Promise<Truth> => {
  const sandbox = await openSandbox({ slowStepMs: 0 });
  try {
    const { bank } = sandbox;
    const call = callAt(new Date());
    const credentials = { username, password: 'password' };
    const asked = await bank.signIn({ institutionId: 'sandbox-bank', credentials, attended: true }, call);
    const signedIn =
      asked.kind === 'signedIn'
        ? asked
        : await bank.answer({ dialogue: asked.challengeState, answer: '123456' }, call);
    if (signedIn.kind !== 'signedIn') throw new Error(`${username} is asked for more than a code.`);
    const { access } = signedIn;
    const truth: Truth = new Map();
    for (const { id, name } of await bank.accounts(access, call)) {
      const entries = await entriesOf(bank, { access, accountId: id }, call.now);
      truth.set(name, entries.map(spell).sort());
    }
    return truth;
  } finally {
    await sandbox.close();
  }
};

export type Seen = {
  connectionIds: string[];
  accountIds: string[];
  /** Every entry's id, with what it says; what is void is left out. */
  live: Map<string, string>;
  truth: Truth;
};

/** Reads all that a token gives access to. */
export const readAll = async (
  at: { url: string; apiKey: string },
  scopedToken: string | undefined,
): Promise<Seen> => {
  const client = createClient({ baseUrl: at.url, apiKey: at.apiKey, scopedToken, exactAmounts: true });
  const { connections } = await unwrap(client.GET('/connections', {}));
  const seen: Seen = { connectionIds: [], accountIds: [], live: new Map(), truth: new Map() };
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
        expect(seen.live.has(entry.id)).toBe(false);
        seen.live.set(entry.id, spell(entry));
      }
      seen.truth.set(name, live.map(spell).sort());
    }
  }
  return seen;
};
