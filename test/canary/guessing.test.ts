// Fingerprints do not help an attacker who guesses. Numeric bank account ids, transactions without a reference and pending amounts
// have few possible values, but only the worker opens the box with each connection's key. As a control, the same attack with the
// worker's secret finds the values.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealFingerprintKey } from '../../src/flows/merge/fingerprints.ts';
import { deriveKeyPair, fingerprint, makeSecret } from '../../src/platform/vault/keys.ts';
import { unsealBox } from '../../src/platform/vault/seal.ts';
import { oneDatabase } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { link, startService, type TestService } from '../support/testService.ts';
import { keysOf, readSecrets } from './attack.ts';
import { dumpTables, type Row } from './dump.ts';

/** The guesses for each of three values, including the right one. With all keys, TEST_ALL makes ten million attempts. */
const guessCount = process.env.TEST_ALL ? 60_000 : 300;
/** Ten million attempts take two minutes on a slow machine. */
const timeout = 600_000;
const secretAccount = 4_711_000_000;
const secretCents = 5_000;
const date = '2024-01-15';
const description = 'RENT';

type Target = { connectionId: string; accountId: string };

/** The attacker knows everything but one number, and computes the fingerprint of each guess as the service does. */
const attacks: Record<string, (key: Buffer, target: Target, guess: number) => Buffer> = {
  'a bank account id': (key, { connectionId }, guess) =>
    fingerprint(key, 'bank account id', connectionId, [String(secretAccount - 100 + guess)]),
  'a transaction without a reference': (key, { accountId }, guess) =>
    fingerprint(key, 'transaction', accountId, [date, amountOf(guess), 'EUR', description, '']),
  'a pending amount': (key, { accountId }, guess) =>
    fingerprint(key, 'amount', accountId, [amountOf(guess), 'EUR']),
};

const amountOf = (guess: number): string =>
  `-${((secretCents - 100 + guess) / 100).toFixed(2)}`.replace(/\.?0+$/, '');

/** The first 12 bytes of every binary value, because fingerprints of transactions are no longer. */
const startsOf = (tables: Map<string, Row[]>): Set<string> => {
  const values = [...tables.values()].flatMap((rows) => rows.flatMap((row) => Object.values(row)));
  return new Set(values.filter(Buffer.isBuffer).map((bytes) => bytes.toString('latin1', 0, 12)));
};

/** The attacks that find a value with one of these keys, and the number of tries. */
const guessAll = (stored: Set<string>, target: Target, keys: readonly Buffer[]) => {
  let tries = 0;
  const isFound = (attack: (key: Buffer, target: Target, guess: number) => Buffer): boolean => {
    let found = false;
    for (const key of keys) {
      for (let guess = 0; guess < guessCount; guess++) {
        tries += 1;
        if (stored.has(attack(key, target, guess).toString('latin1', 0, 12))) found = true;
      }
    }
    return found;
  };
  const found = Object.keys(attacks).filter((name) => isFound(attacks[name]!));
  return { found, tries };
};

for (const database of oneDatabase) {
  describe(`guessing on ${database.name}`, () => {
    let service: TestService;
    let target: Target;
    beforeAll(async () => {
      const connector = makeScriptedConnector();
      const amount = `-${(secretCents / 100).toFixed(2)}`;
      const transactions = [
        scriptedTransaction({ date, amount, description }),
        scriptedTransaction({ date, amount, description: 'DEPOSIT', status: 'pending' }),
      ];
      const number = String(secretAccount);
      connector.setAccounts('ada', [scriptedAccount({ id: number, number, transactions })]);
      service = await startService({ database, connectors: [connector.module] });
      const { id: applicationId } = await service.addApplication({ environment: 'production' });
      const linked = await link(service, { applicationId, institutionId: northBank, username: 'ada' });
      target = { connectionId: linked.connectionId, accountId: linked.accounts[0]!.id };
    });
    afterAll(() => service?.close());

    const rowOf = async () =>
      (await service.service.db.read('connections').where({ id: target.connectionId }).first())!;
    const updateRow = (columns: object) =>
      service.service.db.write('connections').where({ id: target.connectionId }).update(columns);
    const allStarts = async () => startsOf(await dumpTables(service.service.db));

    /** The keys of an attacker who has the database and these secrets, and the 32-byte values of the row itself. */
    const keysWithout = async (name: string): Promise<Buffer[]> => {
      const secrets = await readSecrets(service.service.config.secretsDir);
      const ofOthers = [...secrets].filter(([file]) => file !== name).map(([, secret]) => secret);
      const { fingerprintKey, fingerprintKeyId } = await rowOf();
      const ofRow = [fingerprintKey!.subarray(0, 32), Buffer.from(fingerprintKeyId, 'hex'), Buffer.alloc(32)];
      return [...keysOf(ofOthers).symmetric, ...ofRow];
    };

    test('by an attacker with the database and every secret except `worker` finds nothing', {
      timeout,
    }, async () => {
      const keys = await keysWithout('worker');
      const { found, tries } = guessAll(await allStarts(), target, keys);
      expect(found).toEqual([]);
      expect(tries).toBe(keys.length * guessCount * 3);
      if (process.env.TEST_ALL) expect(tries).toBeGreaterThan(10_000_000);
    });

    test('by an attacker with the secret `worker` finds everything', async () => {
      const secrets = await readSecrets(service.service.config.secretsDir);
      const opened = unsealBox(deriveKeyPair(secrets.get('worker')!), (await rowOf()).fingerprintKey!);
      const key = Buffer.from(JSON.parse(opened.toString()).value, 'base64url');
      const { found } = guessAll(await allStarts(), target, [key]);
      expect(found).toEqual(Object.keys(attacks));
    });

    test('by a writer who plants a key finds nothing after the next refreshes', { timeout }, async () => {
      const { db, secrets, linking } = service.service;
      const key = makeSecret();
      const planted = sealFingerprintKey(key, target.connectionId, secrets.workerPublicKeys.current());
      const dueAt = new Date(0).toISOString();
      for (const columns of [planted, { fingerprintKey: planted.fingerprintKey }]) {
        const { fingerprintKey, fingerprintKeyId } = await rowOf();
        await updateRow({ ...columns, refreshedFullyAt: dueAt });
        await db.write('jobs').where({ connectionId: target.connectionId }).update({ dueAt });
        linking.wakeWorker();
        const hasRun = async () => {
          const job = await db.read('jobs').where({ connectionId: target.connectionId }).first();
          return !job || (job.dueAt > dueAt && job.leaseToken === null);
        };
        await expect.poll(hasRun, { timeout: 20_000 }).toBe(true);
        await updateRow({ fingerprintKey, fingerprintKeyId });
      }
      const keys = [key, ...(await keysWithout('worker'))];
      expect(guessAll(await allStarts(), target, keys).found).toEqual([]);
    });
  });
}
