// A bank whose every entry a test decides about: it adds, posts, withdraws, renumbers, answers late, half or not
// at all. A connector like any other, for Production applications.
import type { Connector, BankAccount, BankTransaction } from '../../src/connectors/connector.ts';
import type { ConnectorModule } from '../../src/connectors/registry.ts';
import { BankUnreachable } from '../../src/errors.ts';

/** `key` is the entry's identity in the test; the bank's id may be absent or change at every reading. */
export type ModelEntry = Omit<BankTransaction, 'id'> & { key: number };

export type ModelAccount = { id: string; balance: string; entries: ModelEntry[] };

export type Mood = 'well' | 'down' | 'half' | 'withoutFirstAccount';

export type Person = {
  accounts: ModelAccount[];
  ids: 'stable' | 'none' | 'rotating';
  mood: Mood;
  /** Awaited in the middle of every history. */
  pause: () => Promise<void>;
  readings: number;
};

const chunkEntries = 3;
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
export const makeModelBank = (): { connector: ConnectorModule; people: Map<string, Person> } => {
  const people = new Map<string, Person>();
  const personOf = (access: string): Person => people.get(access)!;
  const connector: Connector = {
    signIn: async ({ credentials }) => {
      const access = credentials.username!;
      if (personOf(access).mood === 'down') throw new BankUnreachable('down');
      return { kind: 'signedIn', access };
    },
    answer: async () => {
      throw new Error('This bank asks nothing.');
    },
    accounts: async (access) => {
      const { accounts, mood } = personOf(access);
      return accounts.map(describeAccount).slice(mood === 'withoutFirstAccount' ? 1 : 0);
    },
    history: async ({ access, accountId, since = earliest }) => {
      const person = personOf(access);
      person.readings += 1;
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
  person: Person,
  account: ModelAccount,
  since: string,
): AsyncGenerator<BankTransaction[]> {
  const reading = person.readings;
  // Taken at once, as a bank's answer is.
  const entries = account.entries
    .filter(({ date }) => date >= since)
    .sort((left, right) => left.date.localeCompare(right.date) || left.key - right.key)
    .map(({ key, ...entry }) => ({ ...entry, ...idOf(person.ids, key, reading) }));
  for (let at = 0; at < entries.length; at += chunkEntries) {
    yield entries.slice(at, at + chunkEntries);
    await person.pause();
    if (person.mood === 'half') throw new BankUnreachable('incomplete');
  }
}

const idOf = (ids: Person['ids'], key: number, reading: number): { id?: string } => {
  if (ids === 'none') return {};
  return { id: ids === 'stable' ? `e${key}` : `e${key}-${reading}` };
};
