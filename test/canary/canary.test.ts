// The whole database and all secrets of the service do not suffice to read a user's data without the user's token; and
// no log line and no error contains it.
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Queries } from '../../src/platform/db/open.ts';
import { parseScopedToken } from '../../src/platform/vault/scopedToken.ts';
import { databases } from '../support/databases.ts';
import { keysOf, readSecrets, tryAllKeys } from './attack.ts';
import { bytesOf, dumpTables, type Row, sqliteFiles } from './dump.ts';
import { type CanaryFixture, startCanaryFixture } from './fixture.ts';
import { provokeErrors, readAllData } from './provokeErrors.ts';
import { type Canary, encodingsOf, findCanaries } from './scanner.ts';

/** The columns with data that only its user may read. */
const sealedColumns: Record<string, string[]> = {
  accounts: ['sealed'],
  transaction_blocks: ['sealed'],
  staged_texts: ['sealed'],
  connections: ['credentials', 'fingerprintKey'],
  consent_revocations: ['credentials'],
  link_sessions: ['stateSealed', 'importRequestSealed', 'resultSealed'],
  sandbox_transactions: ['sealed'],
  sandbox_kv: ['sealed'],
  sandbox_logins: ['sealed'],
  webhook_endpoints: ['secret', 'replacedSecret'],
  simplefin_accesses: ['sealed'],
};

/** The columns that the service can decrypt without a user's token, with the reasons. */
const openedByDesign = [
  // The worker signs in at the bank without the user, and runs the imports that link sessions request.
  'connections.credentials',
  // The worker matches transactions of the bank with stored ones.
  'connections.fingerprintKey',
  // The worker revokes consents at the bank.
  'consent_revocations.credentials',
  'link_sessions.importRequestSealed',
  // The sandbox is the bank.
  'sandbox_kv.sealed',
  'sandbox_logins.sealed',
  'sandbox_transactions.sealed',
  // The worker signs webhooks.
  'webhook_endpoints.replacedSecret',
  'webhook_endpoints.secret',
];

const everyColumn = Object.entries(sealedColumns).flatMap(([table, columns]) =>
  columns.map((column) => ({ table, column })),
);

describe('the scanner', () => {
  const canary: Canary = { name: 'text', text: 'Füße of a “canary”/+?=-1' };
  const amount: Canary = { name: 'amount', text: '-7391846205.17' };

  test('finds a text in every encoding, regardless of its surroundings', () => {
    for (const { text } of [canary, amount]) {
      for (const encoding of encodingsOf(text)) {
        const bytes = Buffer.concat([Buffer.from('before'), encoding, Buffer.from('after')]);
        expect(findCanaries(bytes, [canary, amount])).toHaveLength(1);
      }
    }
  });

  test('finds a text within a longer encoded text', () => {
    for (const before of ['', 'x', 'xy', 'xyz']) {
      const whole = Buffer.from(`${before}${canary.text}zz`);
      for (const form of ['base64', 'base64url', 'hex'] as const) {
        expect(findCanaries(Buffer.from(whole.toString(form)), [canary])).toEqual(['text']);
      }
    }
  });

  test('finds nothing in other bytes', () => {
    expect(findCanaries(Buffer.from('Füße of a canary'), [canary, amount])).toEqual([]);
  });
});

for (const database of databases) {
  describe(`a database with data of every kind, on ${database.name}`, () => {
    let fixture: CanaryFixture;
    let directory: string;
    let secrets: Map<string, Buffer>;
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'canary-'));
      fixture = await startCanaryFixture(database, directory);
      await readAllData(fixture);
      secrets = await readSecrets(fixture.service.service.config.secretsDir);
    });
    afterAll(async () => {
      fixture.release();
      await fixture.service.close();
      await fixture.webhooks.close();
      await rm(directory, { recursive: true });
    });
    const dump = () => dumpTables(fixture.service.service.db);

    describe('the scan', () => {
      test('covers every sealed column: each has a value', async () => {
        const tables = await dump();
        for (const { table, column } of everyColumn) {
          const rows = tables.get(table)!.filter((row) => row[column] !== null);
          expect({ table, column, hasValue: rows.length > 0 }).toEqual({ table, column, hasValue: true });
        }
      });

      test('covers every binary column: sealed, a fingerprint, a public key, a signature or an id', async () => {
        const found = new Set<string>();
        for (const [table, rows] of await dump()) {
          for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
            if (Buffer.isBuffer(value) && !/[fF]ingerprint$|^publicKey$|^signature$/.test(column))
              found.add(`${table}.${column}`);
          }
        }
        const known = everyColumn.map(({ table, column }) => `${table}.${column}`);
        expect([...found].sort()).toEqual(
          [
            ...[...known, 'data_keys.sealed', 'data_keys.wrapped', 'transactions.id'],
            ...['accounts.keySealed', 'accounts.keyWrapped'],
          ].sort(),
        );
      });

      test('finds no canary in any column of any table', async () => {
        expect(findCanaries(bytesOf(await dump()), fixture.canaries)).toEqual([]);
      });

      if (database.name === 'SQLite') {
        test('finds no canary in any byte of the files, before and after a checkpoint', async () => {
          const { db, config } = fixture.service.service;
          const before = await sqliteFiles(config.databaseUrl);
          expect(before.includes(Buffer.from('transactions_by_refresh'))).toBe(true);
          expect(findCanaries(before, fixture.canaries)).toEqual([]);
          await db.write.raw('pragma wal_checkpoint(truncate)');
          expect(findCanaries(await sqliteFiles(config.databaseUrl), fixture.canaries)).toEqual([]);
        });

        test('finds a canary in the files of a copy with unencrypted accounts', async () => {
          const { databaseUrl } = fixture.service.service.config;
          const file = join(directory, 'copy.db');
          for (const part of ['', '-wal']) {
            await copyFile(`${databaseUrl.slice('sqlite:'.length)}${part}`, `${file}${part}`);
          }
          const copy = await openDatabase(`sqlite:${file}`);
          const planted = fixture.canaries[0]!;
          await copy.write('accounts').update({ sealed: Buffer.from(`{"text":"${planted.text}"}`) });
          expect(findCanaries(await sqliteFiles(`sqlite:${file}`), [planted])).toEqual([planted.name]);
          await copy.close();
        });
      }

      test.each(everyColumn)(
        'finds a canary in the columns where $column of $table is not encrypted',
        async ({ table, column }) => {
          const { db } = fixture.service.service;
          const planted = fixture.canaries[5]!;
          const undone = new Error('rolled back');
          const run = async (trx: Queries): Promise<void> => {
            await trx(table).update({
              [column]: Buffer.from(Buffer.from(planted.text as string).toString('base64')),
            });
            const tables = await dumpTables({ dialect: db.dialect, read: trx });
            expect(findCanaries(bytesOf(tables), [planted])).toEqual([planted.name]);
            throw undone;
          };
          await expect(db.transaction(run)).rejects.toBe(undone);
        },
      );
    });

    describe('outputs', () => {
      test('the progress of a link session is counts, and its failure a code', async () => {
        for (const row of (await dump()).get('link_sessions')!) {
          if (row.progress !== null) expect(row.progress).toMatch(/^\{"done":\d+(,"total":\d+)?\}$/);
          if (row.failure !== null) expect(row.failure).toMatch(/^[a-z_]+$/);
        }
      });

      test('no error response and no log line contains sent texts', async () => {
        const bodies = await provokeErrors(fixture);
        expect(bodies.length).toBeGreaterThan(20);
        expect(findCanaries(Buffer.from(bodies.join('\n')), fixture.canaries)).toEqual([]);
        const log = fixture.logLines.join('\n');
        expect(fixture.logLines.length).toBeGreaterThan(50);
        expect(log).toContain('link session failed');
        const path: Canary = { name: 'URL of a webhook', text: fixture.webhookPath };
        expect(findCanaries(Buffer.from(log), [...fixture.canaries, externalUser, path])).toEqual([]);
      });

      test('no webhook contains anything but ids, types, codes and times', async () => {
        const { webhooks, canaries } = fixture;
        expect(webhooks.received.map(({ event }) => event.type)).toContain('connection.created');
        const bodies = webhooks.received.map(({ body }) => body).join('\n');
        expect(findCanaries(Buffer.from(bodies), [...canaries, externalUser])).toEqual([]);
      });
    });

    describe('the attack', () => {
      /** The columns that these secrets open, the columns that keys found there open, and all texts of the latter. */
      const openWith = async (given: Buffer[]) => {
        const tables = await dump();
        const first = tryAllKeys(tables, keysOf(given), fixture.canaries);
        const second = tryAllKeys(tables, keysOf(keysWithin(first.boxes)), fixture.canaries);
        return { first: [...first.columns].sort(), second: [...second.columns].sort(), boxes: second.boxes };
      };
      const canaryNamed = (name: string) => fixture.canaries.find((canary) => canary.name === name)!;
      const servingSecrets = ['api-keys', 'identity', 'cursors', 'sandbox', 'worker.pub', 'row-signing.pub'];

      test('with all secrets of the service decrypts the columns by design and no others', async () => {
        const all = [...servingSecrets, 'worker', 'row-signing'];
        expect([...secrets.keys()]).toEqual(expect.arrayContaining(all));
        const opened = await openWith([...secrets.values(), ...shortValues(await dump())]);
        expect(opened).toMatchObject({ first: openedByDesign, second: [] });
      });

      test('with the secrets of a serving process decrypts no bank data but the sandbox’s', async () => {
        const opened = await openWith(servingSecrets.map((name) => secrets.get(name)!));
        const ofSandbox = openedByDesign.filter((column) => column.startsWith('sandbox'));
        expect(opened).toMatchObject({ first: ofSandbox, second: [] });
      });

      test('with a user’s token decrypts that user’s data and no other’s', async () => {
        const { secret } = parseScopedToken(fixture.linked.production.scopedToken!)!;
        const opened = await openWith([secret]);
        expect(opened).toMatchObject({
          first: ['accounts.keySealed', 'accounts.keyWrapped', 'data_keys.sealed', 'data_keys.wrapped'],
          second: ['accounts.sealed', 'transaction_blocks.sealed'],
        });
        const own = ['description', 'amount', 'accountName'].map((name) => `production user: ${name}`);
        const read = findCanaries(Buffer.concat(opened.boxes), fixture.canaries);
        expect(read).toEqual(expect.arrayContaining(own));
        expect(read.filter((name) => name.startsWith('sandbox user'))).toEqual([]);
      });

      // The secrets of the sandbox user: an unclaimed token, a claimed one, and the password.
      test.each([
        ['the claim', 0, 'unclaimed'],
        ['the password', 2, 'active'],
      ])(
        'with %s of a SimpleFIN access decrypts that user’s data, and nothing once it is revoked',
        async (_, at, state) => {
          const { application, url } = fixture.service;
          const secret = canaryNamed(`SimpleFIN secret ${at}, its bytes`).text as Buffer;
          expect(await openWith([secret])).toMatchObject({
            first: ['simplefin_accesses.sealed'],
            second: expect.arrayContaining(['accounts.keySealed', 'data_keys.sealed']),
          });
          const headers = { Authorization: `Bearer ${application.apiKey}` };
          const list = await fetch(`${url}/simplefin/accesses`, { headers });
          const { accesses } = (await list.json()) as { accesses: { id: string; state: string }[] };
          const { id } = accesses.find((access) => access.state === state)!;
          const revoked = await fetch(`${url}/simplefin/accesses/${id}`, { method: 'DELETE', headers });
          expect(revoked.status).toBe(204);
          expect((await openWith([secret])).first).toEqual([]);
        },
      );

      test('with a claimed setup token decrypts nothing', async () => {
        const claimed = canaryNamed('SimpleFIN secret 1, its bytes').text as Buffer;
        expect((await openWith([claimed])).first).toEqual([]);
      });

      test('with a link session’s secret decrypts the undelivered result of that session', async () => {
        const delivered = Buffer.from(fixture.linked.production.session.secret, 'base64url');
        expect((await openWith([delivered])).first).toEqual([]);
        const undelivered = Buffer.from(canaryNamed('link session secret 7').text as string, 'base64url');
        expect((await openWith([undelivered])).first).toEqual(['link_sessions.resultSealed']);
      });

      test('with the secret of a link session that imports finds neither typed values nor accounts', async () => {
        const tables = await dump();
        for (const { id, secret } of fixture.importing) {
          const { stateSealed } = tables.get('link_sessions')!.find((row) => row.id === id)!;
          expect(stateSealed).not.toBeNull();
          const keys = keysOf([Buffer.from(secret, 'base64url')]);
          expect([...tryAllKeys(tables, keys, fixture.canaries).columns]).toEqual([]);
          // The state still contains the secret of a new user, which proves that the key is right.
          const state: Canary = { name: 'new user', text: '"userSecret"' };
          expect([...tryAllKeys(tables, keys, [state]).columns]).toEqual(['link_sessions.stateSealed']);
        }
      });
    });
  });
}

const externalUser: Canary = { name: 'external user id', text: '"user-1"' };

/** Unencrypted values that could be keys. */
const shortValues = (tables: Map<string, Row[]>): Buffer[] =>
  [...tables.values()].flat().flatMap((row) =>
    Object.values(row).flatMap((value) => {
      const bytes = typeof value === 'string' ? Buffer.from(value, 'base64url') : value;
      return Buffer.isBuffer(bytes) && bytes.length >= 32 && bytes.length <= 64
        ? [bytes.subarray(0, 32)]
        : [];
    }),
  );

/** All 32-byte values within decrypted texts, as bytes or in base64. */
const keysWithin = (boxes: Buffer[]): Buffer[] =>
  boxes.flatMap((box) => {
    if (box.length === 32) return [box];
    return [...box.toString('latin1').matchAll(/[A-Za-z0-9_-]{43}/g)].map(([text]) =>
      Buffer.from(text, 'base64url'),
    );
  });
