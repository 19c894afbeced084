// The vault holds: with the whole database and every secret of the service at hand, nobody reads what a user's
// token opens; and no log line and no error repeats it either.
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { parseScopedToken } from '../../src/vault/scopedToken.ts';
import { tryAllKeys, keysOf, readSecrets } from './attack.ts';
import { bytesOf, dumpTables, type Row, sqliteFiles } from './dump.ts';
import { provokeErrors, readAllData } from './provokeErrors.ts';
import { type Canary, findCanaries, spellingsOf } from './scanner.ts';
import { type CanaryFixture, startCanaryFixture } from './fixture.ts';
import { databases } from '../support/databases.ts';

/** Every column that holds something that only its user may read, with a text that it might hold in plain. */
const sealedColumns: Record<string, string[]> = {
  accounts: ['details_sealed', 'balance_sealed'],
  transactions: ['sealed'],
  staged_transactions: ['sealed'],
  connections: ['credentials'],
  link_sessions: ['state_sealed', 'import_request_sealed', 'result_sealed'],
  sandbox_transactions: ['sealed'],
  sandbox_kv: ['sealed'],
};

/** What the service itself must be able to read, and why: nothing else may open without a user's token. */
const openedByDesign = [
  // The worker signs in at the bank unattended, and follows the order of a session.
  'connections.credentials',
  'link_sessions.import_request_sealed',
  // The bank that we play ourselves.
  'sandbox_transactions.sealed',
];

const everyColumn = Object.entries(sealedColumns).flatMap(([table, columns]) =>
  columns.map((column) => ({ table, column })),
);

describe('the scanner', () => {
  const canary: Canary = { name: 'it', text: 'Füße of a “canary”/+?=-1' };
  const amount: Canary = { name: 'money', text: '-7391846205.17' };

  test('finds a text in every spelling, whatever stands around it', () => {
    for (const { text } of [canary, amount]) {
      for (const spelling of spellingsOf(text)) {
        const bytes = Buffer.concat([Buffer.from('before'), spelling, Buffer.from('after')]);
        expect(findCanaries(bytes, [canary, amount])).toHaveLength(1);
      }
    }
  });

  test('finds a text within something longer that was encoded as a whole', () => {
    for (const before of ['', 'x', 'xy', 'xyz']) {
      const whole = Buffer.from(`${before}${canary.text}zz`);
      for (const form of ['base64', 'base64url', 'hex'] as const) {
        expect(findCanaries(Buffer.from(whole.toString(form)), [canary])).toEqual(['it']);
      }
    }
  });

  test('finds nothing where there is nothing', () => {
    expect(findCanaries(Buffer.from('Füße of a canary'), [canary, amount])).toEqual([]);
  });
});

for (const database of databases) {
  describe(`a database that has seen much, on ${database.name}`, () => {
    let scene: CanaryFixture;
    let directory: string;
    let secrets: Map<string, Buffer>;
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'canary-'));
      scene = await startCanaryFixture(database, directory);
      await readAllData(scene);
      secrets = await readSecrets(scene.service.service.config.secretsDir);
    });
    afterAll(async () => {
      scene.release();
      await scene.service.close();
      await rm(directory, { recursive: true });
    });
    const dump = () => dumpTables(scene.service.service.db);

    describe('the scan', () => {
      test('sees something in every sealed column', async () => {
        const tables = await dump();
        for (const { table, column } of everyColumn) {
          const held = tables.get(table)!.filter((row) => row[column] !== null);
          expect({ table, column, rows: held.length > 0 }).toEqual({ table, column, rows: true });
        }
      });

      test('knows every column that holds bytes: sealed, or a fingerprint or public key', async () => {
        const found = new Set<string>();
        for (const [table, rows] of await dump()) {
          for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
            if (Buffer.isBuffer(value) && !/_fingerprint$|^public_key$/.test(column))
              found.add(`${table}.${column}`);
          }
        }
        const known = everyColumn.map(({ table, column }) => `${table}.${column}`);
        expect([...found].sort()).toEqual([...known, 'data_keys.sealed', 'data_keys.wrapped'].sort());
      });

      test('finds no canary in any column of any table', async () => {
        expect(findCanaries(bytesOf(await dump()), scene.canaries)).toEqual([]);
      });

      if (database.name === 'SQLite') {
        test('finds no canary in any byte of the files, before and after the log is written back', async () => {
          const { db, config } = scene.service.service;
          const before = await sqliteFiles(config.databaseUrl);
          expect(before.includes(Buffer.from('transactions_by_refresh'))).toBe(true);
          expect(findCanaries(before, scene.canaries)).toEqual([]);
          await db.write.raw('pragma wal_checkpoint(truncate)');
          expect(findCanaries(await sqliteFiles(config.databaseUrl), scene.canaries)).toEqual([]);
        });

        test.each(everyColumn)(
          'finds it in the files of a copy where $column of $table is plain',
          async (place) => {
            const { config } = scene.service.service;
            const file = join(directory, `${place.table}.${place.column}.db`);
            for (const part of ['', '-wal']) {
              await copyFile(`${config.databaseUrl.slice('sqlite:'.length)}${part}`, `${file}${part}`);
            }
            const copy = await openDatabase(`sqlite:${file}`);
            const planted = scene.canaries[0]!;
            await copy.write(place.table).update({ [place.column]: Buffer.from(`{"it":"${planted.text}"}`) });
            expect(findCanaries(await sqliteFiles(`sqlite:${file}`), [planted])).toEqual([planted.name]);
            await copy.close();
          },
        );
      }

      test.each(everyColumn)('finds it among the columns where $column of $table is plain', async (place) => {
        const { db } = scene.service.service;
        const planted = scene.canaries[5]!;
        const trx = await db.write.transaction();
        try {
          await trx(place.table).update({
            [place.column]: Buffer.from(Buffer.from(planted.text as string).toString('base64')),
          });
          const tables = await dumpTables({ dialect: db.dialect, read: trx });
          expect(findCanaries(bytesOf(tables), [planted])).toEqual([planted.name]);
        } finally {
          await trx.rollback();
        }
      });
    });

    describe('what is told', () => {
      test('a session’s progress is counts, and why a session failed is a code', async () => {
        for (const row of (await dump()).get('link_sessions')!) {
          if (row.progress !== null) expect(row.progress).toMatch(/^\{"done":\d+(,"total":\d+)?\}$/);
          if (row.failure !== null) expect(row.failure).toMatch(/^[a-z_]+$/);
        }
      });

      test('no error repeats what was sent, and no line of the log says anything of it', async () => {
        const bodies = await provokeErrors(scene);
        expect(bodies.length).toBeGreaterThan(20);
        expect(findCanaries(Buffer.from(bodies.join('\n')), scene.canaries)).toEqual([]);
        const log = scene.logLines.join('\n');
        expect(scene.logLines.length).toBeGreaterThan(50);
        expect(log).toContain('link session failed');
        expect(findCanaries(Buffer.from(log), [...scene.canaries, externalUser])).toEqual([]);
      });
    });

    describe('the attack', () => {
      test('with every secret of the service opens what the service must open, and nothing else', async () => {
        expect([...secrets.keys()]).toEqual(
          expect.arrayContaining(['api-keys', 'cursors', 'sandbox', 'worker', 'worker.pub', 'fingerprints']),
        );
        const tables = await dump();
        const keys = keysOf([...secrets.values(), ...shortValues(tables)]);
        const first = tryAllKeys(tables, keys, scene.canaries);
        expect([...first.columns].sort()).toEqual(openedByDesign);
        // What was in there may hold keys: try those too.
        const found = keysOf(keysWithin(first.boxes));
        expect([...tryAllKeys(tables, found, scene.canaries).columns].sort()).toEqual([]);
      });

      test('with the secrets of a process that only faces the internet opens nothing of a bank’s', async () => {
        const facing = ['api-keys', 'cursors', 'sandbox', 'worker.pub'].map((name) => secrets.get(name)!);
        const { columns } = tryAllKeys(await dump(), keysOf(facing), scene.canaries);
        expect([...columns]).toEqual(['sandbox_transactions.sealed']);
      });

      test('with a user’s token opens that user’s data and no other’s: it would find a way', async () => {
        const { secret } = parseScopedToken(scene.linked.production.scopedToken!)!;
        const tables = await dump();
        const first = tryAllKeys(tables, keysOf([secret]), scene.canaries);
        expect([...first.columns].sort()).toEqual(['data_keys.sealed', 'data_keys.wrapped']);
        const second = tryAllKeys(tables, keysOf(keysWithin(first.boxes)), scene.canaries);
        expect([...second.columns].sort()).toEqual([
          ...['accounts.balance_sealed', 'accounts.details_sealed', 'transactions.sealed'],
        ]);
        const own = [
          'production user: description',
          'production user: amount',
          'production user: accountName',
        ];
        const read = findCanaries(Buffer.concat(second.boxes), scene.canaries);
        expect(read).toEqual(expect.arrayContaining(own));
        expect(read.filter((name) => name.startsWith('sandbox user'))).toEqual([]);
      });

      test('with a session’s secret opens that session', async () => {
        const { session } = scene.linked.production;
        const secret = Buffer.from(session.secret, 'base64url');
        expect([...tryAllKeys(await dump(), keysOf([secret]), scene.canaries).columns]).toEqual([]);
        const unfetched = Buffer.from(
          scene.canaries.find(({ name }) => name === 'session secret 6')!.text as string,
          'base64url',
        );
        const opened = tryAllKeys(await dump(), keysOf([unfetched]), scene.canaries);
        expect([...opened.columns].sort()).toEqual(['link_sessions.result_sealed']);
      });
    });
  });
}

const externalUser: Canary = { name: 'external user id', text: '"user-1"' };

/** What is stored in the open may be a key as well. */
const shortValues = (tables: Map<string, Row[]>): Buffer[] =>
  [...tables.values()].flat().flatMap((row) =>
    Object.values(row).flatMap((value) => {
      const bytes = typeof value === 'string' ? Buffer.from(value, 'base64url') : value;
      return Buffer.isBuffer(bytes) && bytes.length >= 32 && bytes.length <= 64
        ? [bytes.subarray(0, 32)]
        : [];
    }),
  );

/** Every 32 bytes within what was opened that may be a key, as they are or in base64. */
const keysWithin = (boxes: Buffer[]): Buffer[] =>
  boxes.flatMap((box) => {
    if (box.length === 32) return [box];
    return [...box.toString('latin1').matchAll(/[A-Za-z0-9_-]{43}/g)].map(([text]) =>
      Buffer.from(text, 'base64url'),
    );
  });
