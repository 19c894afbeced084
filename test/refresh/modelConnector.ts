// A connector for Production applications whose transactions a test controls: the bank adds, posts, removes and renumbers
// them, and responds late, incompletely or not at all.
import type { BankAccount, BankTransaction, Connector } from '../../connectors/kit/contract.ts';
import type { ConnectorModule } from '../../connectors/kit/defineConnector.ts';
import { readSeparately } from '../../connectors/kit/readSeparately.ts';
import { addMilliseconds, days, toIsoDate } from '../../src/platform/values/clock.ts';
import { BankUnreachable } from '../../src/platform/values/errors.ts';

/** `key` identifies the transaction in the test; the bank's id may be missing or change with every read. */
export type ModelTransaction = Omit<BankTransaction, 'id'> & { key: number };

export type ModelAccount = { id: string; balance: string; transactions: ModelTransaction[] };

export type ResponseMode =
  | 'complete'
  | 'down'
  | 'incomplete'
  | 'withoutFirstAccount'
  /** The bank does not respond for the first account. */
  | 'firstAccountFails'
  /** Histories end the day before. */
  | 'endsYesterday'
  /** The bank does not report the days for which its histories are complete. */
  | 'withoutRange'
  /** The bank reports histories as complete, but leaves out every second transaction. */
  | 'leavesOut';

export type ModelUser = {
  accounts: ModelAccount[];
  ids: 'stable' | 'none' | 'rotating';
  responseMode: ResponseMode;
  /** Awaited after every chunk of a history. */
  pause: () => Promise<void>;
  reads: number;
  /**
   * The newest device token, a number that each conversation renews, and the newest one with which a worker has signed in: the
   * bank accepts no token older than that.
   */
  deviceToken: number;
  usedDeviceToken: number;
};

const chunkSize = 3;
const earliest = '2000-01-01';
const latest = '9999-12-31';

const describeAccount = ({ id, balance }: ModelAccount, index: number, now: Date): BankAccount => ({
  id,
  name: `Account ${index}`,
  type: 'depository',
  number: `9000${id}`,
  currency: 'EUR',
  balance: { current: balance, asOf: now.toISOString() },
});

/** The connector, and its users by username. */
export const makeModelConnector = (): { connector: ConnectorModule; users: Map<string, ModelUser> } => {
  const users = new Map<string, ModelUser>();
  const userOf = (access: string): ModelUser => users.get(access)!;
  const accounts: Connector['accounts'] = async (access, { now }) => {
    const user = userOf(access);
    return user.accounts
      .map((account, index) => describeAccount(account, index, now))
      .slice(user.responseMode === 'withoutFirstAccount' ? 1 : 0);
  };
  const read = readSeparately({
    accounts,
    history: async ({ access, accountId, since = earliest }, { now }) => {
      const user = userOf(access);
      user.reads += 1;
      const index = user.accounts.findIndex(({ id }) => id === accountId);
      if (user.responseMode === 'firstAccountFails' && index === 0) throw new BankUnreachable('down');
      const yesterday = toIsoDate(addMilliseconds(now, -days(1)));
      const completeTo = user.responseMode === 'endsYesterday' ? yesterday : latest;
      const chunks = chunksOf(user, user.accounts[index]!, { since, completeTo });
      return user.responseMode === 'withoutRange' ? { chunks } : { completeFrom: since, completeTo, chunks };
    },
  });
  const connector: Connector = {
    signIn: async ({ credentials, attended, deviceToken }) => {
      const access = credentials.username!;
      const user = userOf(access);
      if (user.responseMode === 'down') throw new BankUnreachable('down');
      if (!attended) {
        if (!(Number(deviceToken) >= user.usedDeviceToken)) throw new Error('An old device token was used.');
        user.usedDeviceToken = Number(deviceToken);
      }
      return { kind: 'signedIn', access };
    },
    answer: async () => {
      throw new Error('This bank has no challenges.');
    },
    accounts,
    read: async (access, request, context) => {
      const user = userOf(access);
      const reading = await read(access, request, context);
      return { ...reading, end: async () => ({ deviceToken: String(++user.deviceToken) }) };
    },
  };
  const fields = [
    { name: 'username', label: 'Username', secret: false },
    { name: 'password', label: 'Password', secret: true },
  ];
  return { connector: { institutions: [{ id: 'model', name: 'Model Bank', fields }], connector }, users };
};

async function* chunksOf(
  user: ModelUser,
  account: ModelAccount,
  { since, completeTo }: { since: string; completeTo: string },
): AsyncGenerator<BankTransaction[]> {
  const read = user.reads;
  // A snapshot, like the response of a bank.
  const transactions = account.transactions
    .filter(({ date }) => date >= since && date <= completeTo)
    .filter(({ key }) => user.responseMode !== 'leavesOut' || (key + read) % 2 === 0)
    .sort((left, right) => left.date.localeCompare(right.date) || left.key - right.key)
    .map(({ key, ...transaction }) => ({ ...transaction, ...idOf(user.ids, key, read) }));
  for (let start = 0; start < transactions.length; start += chunkSize) {
    yield transactions.slice(start, start + chunkSize);
    await user.pause();
    if (user.responseMode === 'incomplete') throw new BankUnreachable('incomplete');
  }
}

const idOf = (ids: ModelUser['ids'], key: number, read: number): { id?: string } => {
  if (ids === 'none') return {};
  return { id: ids === 'stable' ? `e${key}` : `e${key}-${read}` };
};
