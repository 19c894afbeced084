// A bank that shows what a test tells it to, for Production applications: a connector like any other, with few
// entries, so that linking is quick and every value that comes out is known beforehand.
import type { Connector, BankAccount, BankTransaction, Challenge } from '../../src/connectors/connector.ts';
import type { ConnectorModule } from '../../src/connectors/registry.ts';
import { BankRefused } from '../../src/errors.ts';

export type ScriptedAccount = BankAccount & { transactions: BankTransaction[] };

/** What can be held: every method, and the chunks of a history after its first. */
type Method = keyof Connector | 'chunk';

export type ScriptedConnector = {
  connector: ConnectorModule;
  /** What a login shows from now on. Its password is `password`. */
  setAccounts(username: string, accounts: ScriptedAccount[]): void;
  /** The bank knows this login no longer. */
  remove(username: string): void;
  /** Asks this login for `answer` before it is let in. */
  challenge(username: string, challenge: Challenge, answer: string): void;
  /** How often each method was called. */
  calls: Record<Method, number>;
  /** From now on every call of a method waits, until the function that comes back is called. */
  hold(method: Method): () => void;
  /** The next call of a method throws this. */
  fail(method: Method, error: Error): void;
};

/** The scripted bank's institutions. */
export const northBank = 'north-bank';
export const southBank = 'south-bank';

const fields = [
  { name: 'username', label: 'Username', secret: false },
  { name: 'password', label: 'Password', secret: true },
];
const institutions = [
  { id: northBank, name: 'North Bank', fields },
  { id: southBank, name: 'South Bank', fields },
];
const earliest = '1900-01-01';

const signedIn = (username: string) => ({
  kind: 'signedIn' as const,
  access: username,
  deviceToken: `device of ${username}`,
});

/** One account with what a test does not care about filled in. */
export const scriptedAccount = (given: Partial<ScriptedAccount> = {}): ScriptedAccount => ({
  id: 'main',
  name: 'Main Account',
  type: 'depository',
  number: 'XX00112233',
  currency: 'EUR',
  balance: { current: '10.00' },
  transactions: [],
  ...given,
});

/** One entry with what a test does not care about filled in. */
export const scriptedTransaction = (given: Partial<BankTransaction> = {}): BankTransaction => ({
  date: '2024-01-15',
  amount: '-1.00',
  description: 'ENTRY',
  reference: '',
  status: 'posted',
  ...given,
});

/** The bank; `chunkEntries` is how many entries it gives at a time. */
export const makeScriptedConnector = ({ chunkEntries = 1000 } = {}): ScriptedConnector => {
  const logins = new Map<string, ScriptedAccount[]>();
  const challenges = new Map<string, { challenge: Challenge; answer: string }>();
  const calls = { signIn: 0, answer: 0, accounts: 0, history: 0, chunk: 0 };
  const held = new Map<Method, Promise<void>>();
  const failures = new Map<Method, Error>();
  const called = async (method: Method): Promise<void> => {
    calls[method] += 1;
    await held.get(method);
    const failure = failures.get(method);
    failures.delete(method);
    if (failure) throw failure;
  };
  const shownTo = (username: string): ScriptedAccount[] => {
    const accounts = logins.get(username);
    if (!accounts) throw new BankRefused('wrong_credentials');
    return accounts;
  };
  const connector: Connector = {
    signIn: async ({ credentials, attended }) => {
      await called('signIn');
      const { username = '', password } = credentials;
      shownTo(username);
      if (password !== 'password') throw new BankRefused('wrong_credentials', { attemptsLeft: 2 });
      const question = challenges.get(username);
      if (!question || !attended) return signedIn(username);
      return { kind: 'challenge', challenge: question.challenge, challengeState: username };
    },
    answer: async ({ challengeState, answer }) => {
      await called('answer');
      const { challenge, answer: expected } = challenges.get(challengeState)!;
      if (answer === expected) return signedIn(challengeState);
      return { kind: 'challenge', challenge, challengeState, retry: { attemptsLeft: null } };
    },
    accounts: async (access) => {
      await called('accounts');
      return shownTo(access).map(({ transactions: _, ...account }) => account);
    },
    history: async ({ access, accountId, since = earliest }) => {
      await called('history');
      const { transactions } = shownTo(access).find(({ id }) => id === accountId)!;
      const shown = transactions.filter(({ date }) => date >= since);
      return { completeFrom: since, count: shown.length, chunks: chunksOf(shown) };
    },
  };
  async function* chunksOf(entries: BankTransaction[]): AsyncGenerator<BankTransaction[]> {
    for (let at = 0; at < entries.length; at += chunkEntries) {
      if (at > 0) await called('chunk');
      yield entries.slice(at, at + chunkEntries);
    }
  }
  return {
    connector: { institutions, connector },
    setAccounts: (username, accounts) => void logins.set(username, accounts),
    remove: (username) => void logins.delete(username),
    challenge: (username, challenge, answer) => void challenges.set(username, { challenge, answer }),
    calls,
    fail: (method, error) => void failures.set(method, error),
    hold: (method) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(method, promise);
      return () => {
        held.delete(method);
        resolve();
      };
    },
  };
};
