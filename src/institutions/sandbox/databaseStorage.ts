// The SandboxStorage of one organization in the database. Keys are stored as fingerprints and values sealed, so that the
// files contain no login, account or text in the clear.
import type { BankTransaction } from '../../../connectors/kit/contract.ts';
import type { LoadedAccount, SandboxStorage } from '../../../connectors/sandbox/storage.ts';
import type { Database } from '../../db/open.ts';
import { BankUnreachable } from '../../errors.ts';
import { fingerprint } from '../../vault/keys.ts';
import type { Keyset } from '../../vault/keyset.ts';
import { type AssociatedData, seal, unseal } from '../../vault/seal.ts';
import { accountFingerprint, loginFingerprint, unsealRow } from './rowEncryption.ts';
import { openSandboxKeys, type SandboxKeys } from './sandboxKeys.ts';
import {
  countLoadedTransactions,
  countValues,
  findAccountFingerprints,
  findLastLoadedTransaction,
  findLoadedTransactionsAfter,
  findLoadOfLogin,
  findValue,
  findValues,
  insertValue,
  putValue,
} from './store.ts';

const chunkMax = 1_000;
/** How often a login is read, if each time a new file is loaded while it is read. */
const readAttemptsMax = 10;

/** `secrets` are the versions of the service's sandbox secret. */
export const makeDatabaseStorage = (
  db: Database,
  secrets: Keyset<Buffer>,
  organizationId: string,
): SandboxStorage => {
  let opened: Promise<SandboxKeys> | undefined;
  const openKeys = (): Promise<SandboxKeys> => {
    opened ??= openSandboxKeys(db, secrets, organizationId);
    return opened;
  };
  /** How the values of a key are found and sealed. */
  const openKey = async (key: string) => {
    const { fingerprints, sealing } = await openKeys();
    const keyFingerprint = fingerprint(fingerprints, 'kv', organizationId, [key]);
    const boundTo: AssociatedData = ['sandbox kv', organizationId, keyFingerprint.toString('hex')];
    return {
      keyFingerprint,
      seal: (value: string): Buffer => seal(value, sealing, boundTo),
      unseal: (sealed: Buffer): string => unseal(sealed, sealing, boundTo),
    };
  };

  return {
    get: async (key) => {
      const { keyFingerprint, unseal } = await openKey(key);
      const sealed = await findValue(db.read, keyFingerprint);
      return sealed && unseal(sealed);
    },
    put: async (key, value) => {
      const { keyFingerprint, seal } = await openKey(key);
      await putValue(db.write, keyFingerprint, seal(value));
    },
    append: async (key, value) => {
      const { keyFingerprint, seal } = await openKey(key);
      const sealed = seal(value);
      // If another process takes the position first, the next one is tried.
      for (;;) {
        const position = (await countValues(db.write, keyFingerprint)) + 1;
        if (await insertValue(db.write, { keyFingerprint, position, sealed })) return position;
      }
    },
    list: async (key, length) => {
      const { keyFingerprint, unseal } = await openKey(key);
      return (await findValues(db.read, keyFingerprint, length)).map(unseal);
    },
    loadedAccounts: async (login) => loadedAccounts(db, await openKeys(), login),
    loadedTransactions: async (request) => loadedTransactions(db, await openKeys(), request),
  };
};

const loadedAccounts = async (
  db: Database,
  keys: SandboxKeys,
  login: string,
): Promise<LoadedAccount[] | undefined> => {
  const ownFingerprint = loginFingerprint(keys, login);
  return readLoad(db, ownFingerprint, async (loadId) => {
    const loginKey = { loadId, loginFingerprint: ownFingerprint };
    const accounts: LoadedAccount[] = [];
    for (const accountFingerprint of await findAccountFingerprints(db.read, loginKey)) {
      const last = await findLastLoadedTransaction(db.read, { ...loginKey, accountFingerprint });
      if (last) accounts.push(unsealRow(keys, loadId, last).account);
    }
    return accounts;
  });
};

/**
 * What `read` finds in the load that a login uses; undefined if it uses none. Once the login uses a newer load, the rows of the
 * older one are deleted, so the login is read again if its load has changed. Throws BankUnreachable('incomplete').
 */
const readLoad = async <Found>(
  db: Database,
  login: Buffer,
  read: (loadId: number) => Promise<Found>,
): Promise<Found | undefined> => {
  for (let attempt = 1; attempt <= readAttemptsMax; attempt++) {
    const loadId = await findLoadOfLogin(db.read, login);
    if (loadId === undefined) return undefined;
    const found = await read(loadId);
    if ((await findLoadOfLogin(db.read, login)) === loadId) return found;
  }
  throw new BankUnreachable('incomplete');
};

const loadedTransactions = async (
  db: Database,
  keys: SandboxKeys,
  { login, account, since = '' }: { login: string; account: string; since?: string },
): Promise<{ count: number; chunks: AsyncIterable<BankTransaction[]> }> => {
  const ownFingerprint = loginFingerprint(keys, login);
  const counted = await readLoad(db, ownFingerprint, async (loadId) => {
    const accountKey = {
      loadId,
      loginFingerprint: ownFingerprint,
      accountFingerprint: accountFingerprint(keys, login, account),
    };
    return { accountKey, count: await countLoadedTransactions(db.read, accountKey, since) };
  });
  if (!counted) throw new BankUnreachable('incomplete');
  const { accountKey, count } = counted;
  async function* chunks(): AsyncGenerator<BankTransaction[]> {
    let read = 0;
    let after = { date: since, position: 0 };
    while (read < count) {
      const rows = await findLoadedTransactionsAfter(db.read, accountKey, after, chunkMax);
      const last = rows.at(-1);
      // A new load of this login has deleted these rows.
      if (!last) throw new BankUnreachable('incomplete');
      yield rows.map((row) => unsealRow(keys, accountKey.loadId, row).transaction);
      read += rows.length;
      after = { date: last.date, position: last.position };
    }
    if (read !== count) throw new BankUnreachable('incomplete');
  }
  return { count, chunks: chunks() };
};
