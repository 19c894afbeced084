// Keeps one organization's SandboxStorage in the database, with no login, account or text in the clear.
import type { BankTransaction } from '../../../../connectors/kit/contract.ts';
import type { LoadedAccount, SandboxStorage } from '../../../../connectors/sandbox/storage.ts';
import type { Database } from '../../../platform/db/open.ts';
import { BankUnreachable } from '../../../platform/values/errors.ts';
import {
  nameFingerprints,
  type SandboxKeyset,
  sealNamed,
  unsealNamed,
  unsealTransaction,
} from './rowEncryption.ts';
import * as store from './store.ts';

const chunkMax = 1_000;
const positionMax = 2 ** 31 - 1;
/** The number of attempts to read a login while new files are being loaded. */
const readAttemptsMax = 10;

/** `keys` are derived from the versions of the service's sandbox secret. */
export const makeDatabaseStorage = (
  db: Database,
  keys: SandboxKeyset,
  organizationId: string,
): SandboxStorage => {
  const fingerprintsOf = (key: string): Buffer[] => nameFingerprints(keys, organizationId, `value ${key}`);
  const find = async (key: string, ...positions: [number, number]): Promise<string[]> =>
    (await store.findValues(db.read, fingerprintsOf(key), positions)).map((row) => unsealNamed(keys, row));
  const write = (key: string, value: string, { isItem }: { isItem: boolean }): Promise<number> =>
    keys.withCurrent(({ key: current }) =>
      db.transaction(async (trx) => {
        await store.lockSandbox(trx, organizationId);
        const fingerprints = fingerprintsOf(key);
        const position = isItem ? (await store.findLastPosition(trx, fingerprints)) + 1 : 0;
        const row = sealNamed(current, organizationId, `value ${key}`, value);
        await store.putValue(trx, fingerprints, { ...row, position });
        return position;
      }),
    );
  const loaded = { db, keys, organizationId };

  return {
    get: async (key) => (await find(key, 0, 0))[0],
    put: async (key, value) => {
      await write(key, value, { isItem: false });
    },
    append: (key, value) => write(key, value, { isItem: true }),
    list: (key, length = positionMax) => find(key, 1, length),
    loadedAccounts: async (login) => {
      const found = await readLogin(loaded, login, (key) => findAccounts(loaded, key));
      return found?.map(({ account }) => account);
    },
    loadedTransactions: (request) => loadedTransactions(loaded, request),
  };
};

type Loaded = { db: Database; keys: SandboxKeyset; organizationId: string };
type LoginKey = NonNullable<Awaited<ReturnType<typeof store.findLogin>>>;

const findAccounts = async (
  { db, keys, organizationId }: Loaded,
  loginKey: LoginKey,
): Promise<{ accountKey: LoginKey & { accountFingerprint: Buffer }; account: LoadedAccount }[]> => {
  const accounts = [];
  for (const accountFingerprint of await store.findAccountFingerprints(db.read, loginKey)) {
    const accountKey = { ...loginKey, accountFingerprint };
    const last = await store.findLastLoadedTransaction(db.read, accountKey);
    if (!last) continue;
    const { account } = unsealTransaction(keys, { ...last, organizationId });
    accounts.push({ accountKey, account });
  }
  return accounts;
};

/**
 * Calls `read` for the load that a login uses; undefined if it uses none. Once the login uses a newer load, the rows of the
 * older one are deleted, so the login is read again if its load changed. Throws BankUnreachable('incomplete').
 */
const readLogin = async <Found>(
  { db, keys, organizationId }: Loaded,
  login: string,
  read: (key: LoginKey) => Promise<Found>,
): Promise<Found | undefined> => {
  const find = () => store.findLogin(db.read, nameFingerprints(keys, organizationId, `login ${login}`));
  for (let attempt = 1; attempt <= readAttemptsMax; attempt++) {
    const key = await find();
    if (!key) return undefined;
    const found = await read(key);
    if ((await find())?.loadId === key.loadId) return found;
  }
  throw new BankUnreachable('incomplete');
};

const loadedTransactions = async (
  loaded: Loaded,
  { login, account, since = '' }: { login: string; account: string; since?: string },
): Promise<{ count: number; chunks: AsyncIterable<BankTransaction[]> }> => {
  const { db, keys, organizationId } = loaded;
  const counted = await readLogin(loaded, login, async (key) => {
    const found = (await findAccounts(loaded, key)).find((each) => each.account.account === account);
    return (
      found && { ...found, count: await store.countLoadedTransactions(db.read, found.accountKey, since) }
    );
  });
  if (!counted) throw new BankUnreachable('incomplete');
  const { accountKey, count } = counted;
  async function* chunks(): AsyncGenerator<BankTransaction[]> {
    let read = 0;
    let after = { date: since, position: 0 };
    while (read < count) {
      const rows = await store.findLoadedTransactionsAfter(db.read, accountKey, after, chunkMax);
      const last = rows.at(-1);
      // A new load of this login deleted these rows.
      if (!last) throw new BankUnreachable('incomplete');
      yield rows.map((row) => unsealTransaction(keys, { ...row, organizationId }).transaction);
      read += rows.length;
      after = last;
    }
    if (read !== count) throw new BankUnreachable('incomplete');
  }
  return { count, chunks: chunks() };
};
