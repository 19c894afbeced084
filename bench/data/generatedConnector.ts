// A bank whose histories are made while they are read: a million entries cost no memory, and the same login
// shows the same entries in every process. For Production applications, as a connector of an operator's is.
import type { Connector, BankTransaction } from '../../src/connectors/connector.ts';
import type { ConnectorModule } from '../../src/connectors/registry.ts';
import { BankRefused } from '../../src/errors.ts';

/** `entries` are shown, of `span` that would fill all the days up to today evenly. */
export type Login = { transactions: number; span: number; days: number };

export const bankId = 'bench-bank';

const chunkSize = 1000;
const dayMs = 86_400_000;
const descriptions = ['GREENGROCER MARKET STREET', 'CITY TRANSPORT MONTHLY PASS', 'SALARY', 'BOOKSHOP 0412'];

const today = Math.floor(Date.now() / dayMs);

const dateAt = ({ span, days }: Login, at: number): string =>
  new Date((today - days + 1 + Math.floor((at * days) / span)) * dayMs).toISOString().slice(0, 10);

/** One entry of a login's only account, counted from the oldest. */
export const transactionAt = (login: Login, at: number): BankTransaction => ({
  id: `bank-${at}`,
  date: dateAt(login, at),
  amount: `${at % 7 === 0 ? '' : '-'}${(at * 37) % 5000}.${10 + (at % 90)}`,
  description: `${descriptions[at % descriptions.length]} ${at}`,
  reference: `REF ${at}`,
  status: 'posted',
});

// The dates rise with the count, so the first entry of a date is found by halving.
const firstIndexSince = (login: Login, since: string | undefined): number => {
  if (since === undefined) return 0;
  let low = 0;
  let high = login.transactions;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (dateAt(login, middle) < since) low = middle + 1;
    else high = middle;
  }
  return low;
};

async function* chunksOf(login: Login, from: number): AsyncGenerator<BankTransaction[]> {
  for (let at = from; at < login.transactions; at += chunkSize) {
    const length = Math.min(chunkSize, login.transactions - at);
    yield Array.from({ length }, (_, offset) => transactionAt(login, at + offset));
  }
}

export type GeneratedConnector = {
  connector: ConnectorModule;
  /** What a login shows from now on. Any password will do. */
  setLogin(username: string, login: Login): void;
};

export const makeGeneratedConnector = (): GeneratedConnector => {
  const logins = new Map<string, Login>();
  const shownTo = (username: string): Login => {
    const login = logins.get(username);
    if (!login) throw new BankRefused('wrong_credentials');
    return login;
  };
  const connector: Connector = {
    signIn: async ({ credentials }) => ({ kind: 'signedIn', access: credentials.username ?? '' }),
    answer: async () => {
      throw new BankRefused('wrong_credentials');
    },
    accounts: async (access) => {
      shownTo(access);
      const balance = { current: '1520.75', available: '1498.20' };
      return [
        {
          id: 'main',
          name: 'Main Account',
          type: 'depository',
          number: 'XX00112233',
          currency: 'EUR',
          balance,
        },
      ];
    },
    history: async ({ access, since }) => {
      const login = shownTo(access);
      const from = firstIndexSince(login, since);
      const completeFrom = since ?? dateAt(login, 0);
      return { completeFrom, count: login.transactions - from, chunks: chunksOf(login, from) };
    },
  };
  const fields = [{ name: 'username', label: 'Username', secret: false }];
  return {
    connector: { institutions: [{ id: bankId, name: 'Bench Bank', fields }], connector },
    setLogin: (username, login) => void logins.set(username, login),
  };
};
