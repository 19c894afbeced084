// A connector whose transactions a test controls: it adds, posts, removes and renumbers them, and responds late,
// incompletely or not at all. It is for production applications.
import type { BankAccount, BankTransaction, Connector } from '../../src/connectors/connector.ts';
import type { ConnectorModule } from '../../src/connectors/registry.ts';
import { BankUnreachable } from '../../src/errors.ts';

/** `key` identifies the transaction in the test; the bank's id may be missing or change with every read. */
export type ModelTransaction = Omit<BankTransaction, 'id'> & { key: number };

export type ModelAccount = { id: string; balance: string; transactions: ModelTransaction[] };

export type ResponseMode = 'complete' | 'down' | 'incomplete' | 'withoutFirstAccount';

export type ModelUser = {
  accounts: ModelAccount[];
  ids: 'stable' | 'none' | 'rotating';
  responseMode: ResponseMode;
  /** Awaited after every chunk of a history. */
  pause: () => Promise<void>;
  reads: number;
};

const chunkSize = 3;
const earliest = '2000-01-01';

const describeAccount = ({ id, balance }: ModelAccount, index: number): BankAccount => ({
  id,
  name: `Account ${index}`,
  type: 'depository',
  number: `9000${id}`,
  currency: 'EUR',
  balance: { current: balance },
});

/** The connector, and its users by username. */
export const makeModelConnector = (): { connector: ConnectorModule; users: Map<string, ModelUser> } => {
  const users = new Map<string, ModelUser>();
  const userOf = (access: string): ModelUser => users.get(access)!;
  const connector: Connector = {
    signIn: async ({ credentials }) => {
      const access = credentials.username!;
      if (userOf(access).responseMode === 'down') throw new BankUnreachable('down');
      return { kind: 'signedIn', access };
    },
    answer: async () => {
      throw new Error('This bank has no challenges.');
    },
    accounts: async (access) => {
      const { accounts, responseMode } = userOf(access);
      return accounts.map(describeAccount).slice(responseMode === 'withoutFirstAccount' ? 1 : 0);
    },
    history: async ({ access, accountId, since = earliest }) => {
      const user = userOf(access);
      user.reads += 1;
      const account = user.accounts.find(({ id }) => id === accountId)!;
      return { completeFrom: since, chunks: chunksOf(user, account, since) };
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
  since: string,
): AsyncGenerator<BankTransaction[]> {
  const read = user.reads;
  // A snapshot, like the response of a bank.
  const transactions = account.transactions
    .filter(({ date }) => date >= since)
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
