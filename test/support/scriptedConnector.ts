// A connector for Production applications whose data a test sets: few transactions, so that linking is fast and every
// value is known.
import type {
  Balance,
  BankAccount,
  BankTransaction,
  Challenge,
  Connector,
} from '../../connectors/kit/contract.ts';
import type { ConnectorModule } from '../../connectors/kit/defineConnector.ts';
import { readSeparately } from '../../connectors/kit/readSeparately.ts';
import { BankRefused, BankUnreachable } from '../../src/platform/values/errors.ts';

/** A balance without `asOf` gets the time of the call. */
export type ScriptedAccount = Omit<BankAccount, 'balance'> & {
  balance?: Omit<Balance, 'asOf'> & Partial<Balance>;
  transactions: BankTransaction[];
  /** The first day that the bank returns; null if the bank does not report which days are complete. */
  completeFrom?: string | null;
  /** The last day for which the list is complete; by default there is no end. */
  completeTo?: string;
  /** True if the bank does not respond to requests for transactions. */
  isSilent?: boolean;
};

/** The calls that a test can hold or fail: every method, each history, and each of its chunks after the first. */
type Method = keyof Connector | 'history' | 'chunk';

/** All data is stored by login, so that refreshes of other tests' connections change nothing. */
export type ScriptedConnector = {
  module: ConnectorModule;
  /** Sets the accounts of a login, whose password is `password`. */
  setAccounts(username: string, accounts: ScriptedAccount[]): void;
  /** Removes the accounts of a login; the bank then refuses it. */
  remove(username: string): void;
  /** Makes the sign-in of this login require a challenge with this answer. */
  challenge(username: string, challenge: Challenge, answer: string): void;
  /** The number of calls to each method for this login so far. */
  callsOf(username: string): Calls;
  /** Makes every call to a method for this login wait until the returned function is called. */
  hold(username: string, method: Method): () => void;
  /** Makes the next call to a method for this login throw. */
  fail(username: string, method: Method, error: Error): void;
};

type Calls = Record<Method, number>;

type Login = {
  accounts: ScriptedAccount[] | undefined;
  challenge: { challenge: Challenge; answer: string } | undefined;
  calls: Calls;
  holds: Map<Method, Promise<void>>;
  failures: Map<Method, Error>;
};

const newLogin = (): Login => ({
  ...{ accounts: undefined, challenge: undefined, holds: new Map(), failures: new Map() },
  calls: {
    signIn: 0,
    answer: 0,
    challengeAction: 0,
    approveReading: 0,
    revoke: 0,
    accounts: 0,
    read: 0,
    history: 0,
    chunk: 0,
  },
});

/** The institutions of the scripted connector. */
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
/** Transactions may be later than a test's clock. */
const latest = '9999-12-31';

const signedIn = (username: string) => ({
  kind: 'signedIn' as const,
  access: username,
  deviceToken: `device of ${username}`,
});

/** An account with defaults. */
export const scriptedAccount = (overrides: Partial<ScriptedAccount> = {}): ScriptedAccount => ({
  id: 'main',
  name: 'Main Account',
  type: 'depository',
  number: 'XX00112233',
  currency: 'EUR',
  balance: { current: '10.00' },
  transactions: [],
  ...overrides,
});

/** A transaction with defaults. */
export const scriptedTransaction = (overrides: Partial<BankTransaction> = {}): BankTransaction => ({
  date: '2024-01-15',
  amount: '-1.00',
  description: 'TRANSACTION',
  reference: '',
  status: 'posted',
  ...overrides,
});

/**
 * Creates the connector, which splits a history into chunks of `chunkSize` transactions, and can revoke consents if `canRevoke`.
 */
export const makeScriptedConnector = ({ chunkSize = 1000, canRevoke = false } = {}): ScriptedConnector => {
  const logins = new Map<string, Login>();
  const loginOf = (username: string): Login => {
    const login = logins.get(username) ?? newLogin();
    logins.set(username, login);
    return login;
  };
  const onCall = async (username: string, method: Method): Promise<void> => {
    const { calls, holds, failures } = loginOf(username);
    calls[method] += 1;
    await holds.get(method);
    const failure = failures.get(method);
    failures.delete(method);
    if (failure) throw failure;
  };
  const accountsOf = (username: string): ScriptedAccount[] => {
    const { accounts } = loginOf(username);
    if (!accounts) throw new BankRefused('wrong_credentials');
    return accounts;
  };
  const bankAccountsOf = (username: string, now: Date): BankAccount[] =>
    accountsOf(username).map(
      ({
        transactions: _,
        isSilent: _silent,
        completeFrom: _from,
        completeTo: _to,
        balance,
        ...account
      }) => ({
        ...account,
        ...(balance && { balance: { asOf: now.toISOString(), ...balance } }),
      }),
    );
  const connector: Connector = {
    signIn: async ({ credentials, attended }) => {
      const { username = '', password } = credentials;
      await onCall(username, 'signIn');
      accountsOf(username);
      if (password !== 'password') throw new BankRefused('wrong_credentials', { attemptsLeft: 2 });
      const required = loginOf(username).challenge;
      if (!required || !attended) return signedIn(username);
      return { kind: 'challenge', challenge: required.challenge, challengeState: username };
    },
    answer: async ({ challengeState, answer }) => {
      await onCall(challengeState, 'answer');
      const { challenge, answer: expected } = loginOf(challengeState).challenge!;
      if (answer === expected) return signedIn(challengeState);
      return { kind: 'challenge', challenge, challengeState, retry: { attemptsLeft: null } };
    },
    // Resending and choosing another method change nothing, because nothing is sent and there is only one method.
    challengeAction: async ({ challengeState }) => {
      await onCall(challengeState, 'challengeAction');
      const { challenge } = loginOf(challengeState).challenge!;
      return { kind: 'challenge', challenge, challengeState };
    },
    accounts: async (access, { now }) => {
      await onCall(access, 'accounts');
      return bankAccountsOf(access, now);
    },
    ...(canRevoke && {
      revoke: async ({ deviceToken = '' }) => onCall(deviceToken.replace('device of ', ''), 'revoke'),
    }),
    read: readSeparately({
      accounts: async (access, { now }) => {
        await onCall(access, 'read');
        return bankAccountsOf(access, now);
      },
      history: async ({ access, accountId, since = earliest }) => {
        await onCall(access, 'history');
        const {
          transactions,
          isSilent,
          completeFrom: first = earliest,
          completeTo = latest,
        } = accountsOf(access).find(({ id }) => id === accountId)!;
        if (isSilent) throw new BankUnreachable('down');
        const recent = transactions.filter(({ date }) => date === '' || date >= since);
        const chunks = chunksOf(access, recent);
        if (first === null) return { count: recent.length, chunks };
        const completeFrom = since > first ? since : first;
        return { completeFrom, completeTo, count: recent.length, chunks };
      },
    }),
  };
  async function* chunksOf(username: string, transactions: BankTransaction[]) {
    for (let at = 0; at < transactions.length; at += chunkSize) {
      if (at > 0) await onCall(username, 'chunk');
      yield transactions.slice(at, at + chunkSize);
    }
  }
  return {
    module: { institutions, connector },
    setAccounts: (username, accounts) => void Object.assign(loginOf(username), { accounts }),
    remove: (username) => void Object.assign(loginOf(username), { accounts: undefined }),
    challenge: (username, challenge, answer) =>
      void Object.assign(loginOf(username), { challenge: { challenge, answer } }),
    callsOf: (username) => ({ ...loginOf(username).calls }),
    fail: (username, method, error) => void loginOf(username).failures.set(method, error),
    hold: (username, method) => {
      const { holds } = loginOf(username);
      const { promise, resolve } = Promise.withResolvers<void>();
      holds.set(method, promise);
      return () => {
        holds.delete(method);
        resolve();
      };
    },
  };
};
