// The sandbox bank's memory, kept in the database: every key is a fingerprint there and every value sealed, so
// that a byte search finds no login, account or text.

import type { Database } from '../../../db/open.ts';
import { BankUnreachable } from '../../../errors.ts';
import { fingerprint } from '../../../vault/fingerprint.ts';
import { type AssociatedData, seal, unseal } from '../../../vault/seal.ts';
import type { BankTransaction } from '../../connector.ts';
import type { LoadedAccount, SandboxStorage } from '../sandboxStorage.ts';
import {
  accountFingerprint,
  deriveSandboxKeys,
  loginFingerprint,
  type SandboxKeys,
  unsealRow,
} from './rowEncryption.ts';
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

/** The memory over a database, under the service's sandbox secret (32 bytes). */
export const makeDatabaseStorage = (db: Database, secret: Buffer): SandboxStorage => {
  const keys = deriveSandboxKeys(secret);
  const printOf = (key: string): Buffer => fingerprint(keys.fingerprints, 'memory', '', [key]);
  const placeOf = (print: Buffer): AssociatedData => ['sandbox memory', print.toString('hex')];
  const sealFor = (print: Buffer, value: string): Buffer => seal(value, keys.sealing, placeOf(print));

  return {
    get: async (key) => {
      const print = printOf(key);
      const sealed = await findValue(db.read, print);
      return sealed && unseal(sealed, keys.sealing, placeOf(print));
    },
    put: async (key, value) => {
      const print = printOf(key);
      await putValue(db.write, print, sealFor(print, value));
    },
    append: async (key, value) => {
      const keyFingerprint = printOf(key);
      const sealed = sealFor(keyFingerprint, value);
      // Somebody else may append at the same time: whoever comes second takes the next position.
      for (;;) {
        const position = (await countValues(db.write, keyFingerprint)) + 1;
        if (await insertValue(db.write, { keyFingerprint, position, sealed })) return position;
      }
    },
    list: async (key, length) => {
      const print = printOf(key);
      const values = await findValues(db.read, print, length);
      return values.map((sealed) => unseal(sealed, keys.sealing, placeOf(print)));
    },
    loadedAccounts: (login) => loadedAccounts(db, keys, login),
    loadedTransactions: (request) => loadedTransactions(db, keys, request),
  };
};

const loadedAccounts = async (
  db: Database,
  keys: SandboxKeys,
  login: string,
): Promise<LoadedAccount[] | undefined> => {
  const print = loginFingerprint(keys, login);
  const loadId = await findLoadOfLogin(db.read, print);
  if (loadId === undefined) return undefined;
  const accounts: LoadedAccount[] = [];
  for (const account of await findAccountFingerprints(db.read, { loadId, loginFingerprint: print })) {
    const last = await findLastLoadedTransaction(db.read, {
      loadId,
      loginFingerprint: print,
      accountFingerprint: account,
    });
    if (last) accounts.push(unsealRow(keys, loadId, last).account);
  }
  return accounts;
};

const loadedTransactions = async (
  db: Database,
  keys: SandboxKeys,
  { login, account, since = '' }: { login: string; account: string; since?: string },
): Promise<{ count: number; chunks: AsyncIterable<BankTransaction[]> }> => {
  const print = loginFingerprint(keys, login);
  const loadId = await findLoadOfLogin(db.read, print);
  if (loadId === undefined) throw new BankUnreachable('incomplete');
  const held = {
    loadId,
    loginFingerprint: print,
    accountFingerprint: accountFingerprint(keys, login, account),
  };
  const count = await countLoadedTransactions(db.read, held, since);
  async function* chunks(): AsyncGenerator<BankTransaction[]> {
    let given = 0;
    let after = { date: since, position: 0 };
    while (given < count) {
      const rows = await findLoadedTransactionsAfter(db.read, held, after, chunkMax);
      const last = rows.at(-1);
      // Another load of this login has taken these entries away.
      if (!last) throw new BankUnreachable('incomplete');
      yield rows.map((row) => unsealRow(keys, loadId!, row).entry);
      given += rows.length;
      after = { date: last.date, position: last.position };
    }
    if (given !== count) throw new BankUnreachable('incomplete');
  }
  return { count, chunks: chunks() };
};
