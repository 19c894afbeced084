// A connector that generates its transactions while they are read: a million take no memory, and one login returns
// the same transactions in every process. It is for Production applications, like an operator's own connector.
import type { BankTransaction, Connector } from '../../src/connectors/connector.ts';
import type { ConnectorModule } from '../../src/connectors/registry.ts';
import { BankRefused } from '../../src/errors.ts';

/** The bank returns the first `transactions` of `span`, which are spread evenly over the last `days` days. */
export type Login = { transactions: number; span: number; days: number };

export const benchInstitutionId = 'bench-bank';

const chunkSize = 1000;
const dayMs = 86_400_000;
const descriptions = ['GREENGROCER MARKET STREET', 'CITY TRANSPORT MONTHLY PASS', 'SALARY', 'BOOKSHOP 0412'];

const today = Math.floor(Date.now() / dayMs);

const dateAt = ({ span, days }: Login, index: number): string =>
  new Date((today - days + 1 + Math.floor((index * days) / span)) * dayMs).toISOString().slice(0, 10);

/** One transaction of the login's only account; index 0 is the oldest. */
export const transactionAt = (login: Login, index: number): BankTransaction => ({
  id: `bank-${index}`,
  date: dateAt(login, index),
  amount: `${index % 7 === 0 ? '' : '-'}${(index * 37) % 5000}.${10 + (index % 90)}`,
  description: `${descriptions[index % descriptions.length]} ${index}`,
  reference: `REF ${index}`,
  status: 'posted',
});

// Dates ascend with the index, so that a binary search finds the first transaction of a date.
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
  for (let start = from; start < login.transactions; start += chunkSize) {
    const length = Math.min(chunkSize, login.transactions - start);
    yield Array.from({ length }, (_, offset) => transactionAt(login, start + offset));
  }
}

export type GeneratedConnector = {
  connector: ConnectorModule;
  /** Sets what the bank returns for a login from now on. It accepts any password. */
  setLogin(username: string, login: Login): void;
};

export const makeGeneratedConnector = (): GeneratedConnector => {
  const logins = new Map<string, Login>();
  const loginOf = (username: string): Login => {
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
      loginOf(access);
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
      const login = loginOf(access);
      const from = firstIndexSince(login, since);
      const completeFrom = since ?? dateAt(login, 0);
      return { completeFrom, count: login.transactions - from, chunks: chunksOf(login, from) };
    },
  };
  const fields = [{ name: 'username', label: 'Username', secret: false }];
  return {
    connector: { institutions: [{ id: benchInstitutionId, name: 'Bench Bank', fields }], connector },
    setLogin: (username, login) => void logins.set(username, login),
  };
};
