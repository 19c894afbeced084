// A bank whose every entry a test decides about: it adds, posts, withdraws, renumbers, answers late, half or not
// at all. A connector like any other, for Production applications.
import type { BankAccount, BankTransaction, Connector } from '../../src/connectors/connector.ts';
import type { ConnectorModule } from '../../src/connectors/registry.ts';
import { BankUnreachable } from '../../src/errors.ts';

/** `key` is the entry's identity in the test; the bank's id may be absent or change at every reading. */
export type ModelTransaction = Omit<BankTransaction, 'id'> & { key: number };

export type ModelAccount = { id: string; balance: string; transactions: ModelTransaction[] };

export type ResponseMode = 'well' | 'down' | 'half' | 'withoutFirstAccount';

export type ModelUser = {
  accounts: ModelAccount[];
  ids: 'stable' | 'none' | 'rotating';
  responseMode: ResponseMode;
  /** Awaited in the middle of every history. */
  pause: () => Promise<void>;
  reads: number;
};

const chunkSize = 3;
const earliest = '2000-01-01';

const describeAccount = ({ id, balance }: ModelAccount, at: number): BankAccount => ({
  id,
  name: `Account ${at}`,
  type: 'depository',
  number: `9000${id}`,
  currency: 'EUR',
  balance: { current: balance },
});

/** The connector, and the people it knows by username. */
export const makeModelConnector = (): { connector: ConnectorModule; people: Map<string, ModelUser> } => {
  const people = new Map<string, ModelUser>();
  const personOf = (access: string): ModelUser => people.get(access)!;
  const connector: Connector = {
    signIn: async ({ credentials }) => {
      const access = credentials.username!;
      if (personOf(access).responseMode === 'down') throw new BankUnreachable('down');
      return { kind: 'signedIn', access };
    },
    answer: async () => {
      throw new Error('This bank asks nothing.');
    },
    accounts: async (access) => {
      const { accounts, responseMode } = personOf(access);
      return accounts.map(describeAccount).slice(responseMode === 'withoutFirstAccount' ? 1 : 0);
    },
    history: async ({ access, accountId, since = earliest }) => {
      const person = personOf(access);
      person.reads += 1;
      const account = person.accounts.find(({ id }) => id === accountId)!;
      return { completeFrom: since, chunks: chunksOf(person, account, since) };
    },
  };
  const fields = [
    { name: 'username', label: 'Username', secret: false },
    { name: 'password', label: 'Password', secret: true },
  ];
  return { connector: { institutions: [{ id: 'model', name: 'Model Bank', fields }], connector }, people };
};

async function* chunksOf(
  person: ModelUser,
  account: ModelAccount,
  since: string,
): AsyncGenerator<BankTransaction[]> {
  const reading = person.reads;
  // Taken at once, as a bank's answer is.
  const entries = account.transactions
    .filter(({ date }) => date >= since)
    .sort((left, right) => left.date.localeCompare(right.date) || left.key - right.key)
    .map(({ key, ...entry }) => ({ ...entry, ...idOf(person.ids, key, reading) }));
  for (let at = 0; at < entries.length; at += chunkSize) {
    yield entries.slice(at, at + chunkSize);
    await person.pause();
    if (person.responseMode === 'half') throw new BankUnreachable('incomplete');
  }
}

const idOf = (ids: ModelUser['ids'], key: number, reading: number): { id?: string } => {
  if (ids === 'none') return {};
  return { id: ids === 'stable' ? `e${key}` : `e${key}-${reading}` };
};
