// A connector that generates its transactions while they are read: a million of them take no memory, and a login returns
// the same transactions in every process. It is for Production applications, like an operator's own connector.
import type { BankTransaction, Connector } from '../../connectors/kit/contract.ts';
import type { ConnectorModule } from '../../connectors/kit/defineConnector.ts';
import { readSeparately } from '../../connectors/kit/readSeparately.ts';
import { toIsoDate } from '../../src/platform/values/clock.ts';
import { BankRefused } from '../../src/platform/values/errors.ts';
import { makeSeededRandom } from '../soak/seededRandom.ts';

/** The bank returns the first `transactions` of `span`, which are spread evenly over the last `days` days. */
export type Login = {
  transactions: number;
  span: number;
  days: number;
  /** The default is by date. In random order, each day's transactions still come oldest first. */
  order?: 'random';
  /** The number of newest transactions that are pending. */
  pending?: number;
  /** Appended to each description. A different suffix changes all texts. */
  revision?: string;
  /** Description and reference together have 36 characters, like those of the sandbox's large account. */
  longTexts?: true;
};

export const benchInstitutionId = 'bench-bank';

const chunkSize = 1000;
const dayMs = 86_400_000;
const descriptions = ['GREENGROCER MARKET STREET', 'CITY TRANSPORT MONTHLY PASS', 'SALARY', 'BOOKSHOP 0412'];

const today = Math.floor(Date.now() / dayMs);

const dayAt = ({ span, days }: Login, index: number): number =>
  today - days + 1 + Math.floor((index * days) / span);

const dateAt = (login: Login, index: number): string =>
  new Date(dayAt(login, index) * dayMs).toISOString().slice(0, 10);

const textsAt = ({ longTexts, revision = '' }: Login, index: number) =>
  longTexts
    ? {
        description: `CARD SALE TERMINAL ${index % 10}`,
        reference: `TX ${String(index).padStart(13, '0')}`,
      }
    : {
        description: `${descriptions[index % descriptions.length]} ${index}${revision}`,
        reference: `REF ${index}`,
      };

/** One transaction of the login's only account; index 0 is the oldest. */
export const transactionAt = (login: Login, index: number): BankTransaction => ({
  id: `bank-${index}`,
  date: dateAt(login, index),
  amount: `${index % 7 === 0 ? '' : '-'}${(index * 37) % 5000}.${10 + (index % 90)}`,
  ...textsAt(login, index),
  status: index < login.transactions - (login.pending ?? 0) ? 'posted' : 'pending',
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
  const order = login.order === 'random' ? shuffleDays(login, from) : undefined;
  for (let start = from; start < login.transactions; start += chunkSize) {
    const length = Math.min(chunkSize, login.transactions - start);
    yield Array.from({ length }, (_, offset) => {
      const index = start + offset;
      return transactionAt(login, order ? order[index - from]! : index);
    });
  }
}

/** The indexes from `from` in random order, but ascending within a day. */
const shuffleDays = (login: Login, from: number): Uint32Array => {
  const random = makeSeededRandom(1);
  const order = Uint32Array.from({ length: login.transactions - from }, (_, offset) => from + offset);
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.between(0, last);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  const nextOfDay = new Map<number, number>();
  for (let index = login.transactions - 1; index >= from; index--) nextOfDay.set(dayAt(login, index), index);
  return order.map((index) => {
    const day = dayAt(login, index);
    const next = nextOfDay.get(day)!;
    nextOfDay.set(day, next + 1);
    return next;
  });
};

export type GeneratedConnector = {
  connector: ConnectorModule;
  /** Sets the bank's data for a login from now on. Any password is accepted. */
  setLogin(username: string, login: Login): void;
};

export const makeGeneratedConnector = (): GeneratedConnector => {
  const logins = new Map<string, Login>();
  const loginOf = (username: string): Login => {
    const login = logins.get(username);
    if (!login) throw new BankRefused('wrong_credentials');
    return login;
  };
  const accounts: Connector['accounts'] = async (access, { now }) => {
    loginOf(access);
    const balance = { current: '1520.75', available: '1498.20', asOf: now.toISOString() };
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
  };
  const connector: Connector = {
    signIn: async ({ credentials }) => ({ kind: 'signedIn', access: credentials.username ?? '' }),
    answer: async () => {
      throw new BankRefused('wrong_credentials');
    },
    accounts,
    read: readSeparately({
      accounts,
      history: async ({ access, since }, { now }) => {
        const login = loginOf(access);
        const from = firstIndexSince(login, since);
        return {
          completeFrom: since ?? dateAt(login, 0),
          completeTo: toIsoDate(now),
          count: login.transactions - from,
          chunks: chunksOf(login, from),
        };
      },
    }),
  };
  const fields = [{ name: 'username', label: 'Username', secret: false }];
  return {
    connector: {
      ...{ institutions: [{ id: benchInstitutionId, name: 'Bench Bank', fields }], connector },
      limits: { unattendedReadsPerDay: Number.POSITIVE_INFINITY },
    },
    setLogin: (username, login) => void logins.set(username, login),
  };
};
