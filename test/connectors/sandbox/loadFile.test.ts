// Loading a CSV file of transactions, completely or not at all.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeConnector } from '../../../connectors/kit/conformance.ts';
import { sandboxInstitutions } from '../../../connectors/sandbox/institutions.ts';
import {
  callAt,
  historyOf,
  institutionId,
  organizationId,
  readAllAccounts,
  signIn,
  signInDirectly,
  today,
} from '../../../connectors/sandbox/test/fixture.ts';
import { type LoadProgress, loadFile } from '../../../src/domain/institutions/sandbox/loadFile.ts';
import { setPassword } from '../../../src/domain/institutions/sandbox/setPassword.ts';
import { BankUnreachable, OperatorError } from '../../../src/platform/values/errors.ts';
import { databases, oneDatabase } from '../../support/databases.ts';
import { openSandbox, type TestSandbox } from '../../support/sandboxConnector.ts';

const header = 'login,account,date,transaction,amount,balance,description,reference';
const someRows = [
  'ada,101,1993-02-26,t1,1100.00,1100.00,CASH DEPOSIT,r1',
  'ada,101,1993-02-26,t2,-0.10,1099.90,"TRANSFER, ""NOW"" AND HERE",',
  'ada,102,1994-01-01,t1,5,5,Zinsgutschrift für März,r3',
  'bob,7,1993-05-05,,20.000,20.000,COFFEE,x',
  'bob,7,1993-05-05,,20.000,40.000,COFFEE,x',
];

const limits = { sandboxFileBytesMax: 1_000_000, sandboxFileRowsMax: 3_000 };

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sandbox-load-'));
});
afterAll(() => rm(directory, { recursive: true }));

const writeCsv = async (name: string, lines: string[] | Buffer): Promise<string> => {
  const path = join(directory, name);
  await writeFile(path, Buffer.isBuffer(lines) ? lines : `${lines.join('\n')}\n`);
  return path;
};

for (const database of databases) {
  describe(`loading a file again on ${database.name}`, () => {
    test('a login that is read meanwhile always has its accounts and transactions', async () => {
      const { db, secrets, storage, close } = await openSandbox(database);
      onTestFinished(close);
      const path = await writeCsv('again.csv', [header, ...someRows]);
      const load = () => loadFile(db, secrets, { organizationId, path, limits, now: today });
      await load();
      let isLoading = true;
      const loading = (async () => {
        for (let round = 0; round < 20; round++) await load();
        isLoading = false;
      })();
      const seen = new Set<string>();
      while (isLoading) {
        const accounts = await storage.loadedAccounts('ada');
        const { count } = await storage.loadedTransactions({ login: 'ada', account: '101' });
        // SQLite answers within the same turn of the event loop.
        await setImmediate();
        seen.add(`${accounts?.length} accounts, ${count} transactions`);
      }
      await loading;
      expect([...seen]).toEqual(['2 accounts, 2 transactions']);
    });
  });
}

for (const database of oneDatabase) {
  describe(`loading a file on ${database.name}`, () => {
    let sandbox: TestSandbox;
    beforeAll(async () => {
      sandbox = await openSandbox(database);
    });
    afterAll(() => sandbox.close());

    const load = async (path: string, onProgress?: (progress: LoadProgress) => void) =>
      loadFile(sandbox.db, sandbox.secrets, { organizationId, path, limits, now: today, onProgress });

    test('gives each login its accounts and transactions as in the file', async () => {
      const result = await load(await writeCsv('some.csv', [header, ...someRows]));
      expect(result).toEqual({ rows: 5, logins: 2, accounts: 3 });
      const ada = (await readAllAccounts(sandbox.connector, { username: 'ada', password: 'password' })).seen;
      expect(ada.map(({ account }) => account)).toEqual([
        {
          ...{ id: '101', name: 'Account 101', type: 'depository', number: '101', currency: 'CZK' },
          balance: { current: '1099.90', asOf: today.toISOString() },
        },
        expect.objectContaining({ id: '102', balance: { current: '5', asOf: today.toISOString() } }),
      ]);
      expect(ada[0]!.transactions).toEqual([
        {
          ...{ id: 't1', date: '1993-02-26', amount: '1100.00', status: 'posted' },
          ...{ description: 'CASH DEPOSIT', reference: 'r1' },
        },
        {
          ...{ id: 't2', date: '1993-02-26', amount: '-0.10', status: 'posted' },
          ...{ description: 'TRANSFER, "NOW" AND HERE', reference: '' },
        },
      ]);
      const bob = (await readAllAccounts(sandbox.connector, { username: 'bob' })).seen;
      const coffee = { date: '1993-05-05', amount: '20.000', description: 'COFFEE', reference: 'x' };
      expect(bob[0]!.transactions).toEqual([
        { ...coffee, status: 'posted' },
        { ...coffee, status: 'posted' },
      ]);
    });

    test('accepts columns in any order, unknown columns, a byte order mark, CRLF, gzip and a currency', async () => {
      const rows = [
        '\uFEFFBalance,extra,currency,login,account,date,transaction,amount,description,reference',
        '12.5,?,EUR,eve,9,2020-02-29,a,12.5,"two\nlines",r',
        '',
        '13.5,?,EUR,eve,9,2020-02-28,b,1.0,early,r',
      ];
      const path = await writeCsv('order.csv.gz', gzipSync(rows.join('\r\n')));
      expect(await load(path)).toEqual({ rows: 2, logins: 1, accounts: 1 });
      const [eve] = (await readAllAccounts(sandbox.connector, { username: 'eve' })).seen;
      // Sorted by date instead of file order; the balance is that of the last day.
      expect(eve!.transactions.map(({ date }) => date)).toEqual(['2020-02-28', '2020-02-29']);
      expect(eve!.account).toMatchObject({ currency: 'EUR', balance: { current: '12.5' } });
      expect(eve!.transactions[1]!.description).toBe('two\nlines');
    });

    test('returns each of many rows once, in bounded chunks, and reports progress', async () => {
      const rows = Array.from({ length: 2_600 }, (_, index) => {
        const day = String(1 + (index % 28)).padStart(2, '0');
        return `lot,1,2001-0${1 + (index % 9)}-${day},t${index},${index}.01,0,D${index},R${index}`;
      });
      const reports: LoadProgress[] = [];
      await load(await writeCsv('many.csv', [header, ...rows]), (progress) => reports.push(progress));
      expect(reports.map((progress) => progress.rows)).toEqual(
        [...reports.keys()].map((index) => Math.min(2_600, 250 * (index + 1))),
      );
      expect(reports.at(-1)!.bytes).toBe(reports[0]!.bytesTotal);
      const [lot] = (await readAllAccounts(sandbox.connector, { username: 'lot' })).seen;
      expect(new Set(lot!.transactions.map(({ id }) => id)).size).toBe(2_600);
      const { access } = await signInDirectly(sandbox.connector, { username: 'lot' });
      const since = '2001-05-10';
      const history = await historyOf(sandbox.connector, { access, accountId: '1', since }, callAt());
      const sizes: number[] = [];
      for await (const chunk of history.chunks) sizes.push(chunk.length);
      const expected = lot!.transactions.filter(({ date }) => date >= since).length;
      expect(history).toMatchObject({ completeFrom: since, count: expected });
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(expected);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
    });

    test('replaces the data of a login and deletes the old rows', async () => {
      const rowsOf = (count: number): string[] =>
        Array.from({ length: count }, (_, index) => `again,1,2001-01-01,t${index},1,${index},D,R`);
      await load(await writeCsv('again.csv', [header, ...rowsOf(600), 'other,1,2001-01-01,t,1,1,D,R']));
      const { access } = await signInDirectly(sandbox.connector, { username: 'again' });
      const history = await historyOf(sandbox.connector, { access, accountId: '1' }, callAt());
      const before = await sandbox.db.read('sandbox_transactions').count({ count: '*' }).first();
      await load(await writeCsv('again.csv', [header, ...rowsOf(2)]));
      const after = await sandbox.db.read('sandbox_transactions').count({ count: '*' }).first();
      expect(Number(after!.count)).toBe(Number(before!.count) - 598);
      for (const [username, count] of Object.entries({ again: 2, other: 1 })) {
        const { seen } = await readAllAccounts(sandbox.connector, { username });
        expect(seen[0]!.transactions, username).toHaveLength(count);
      }
      // A reader that started before must not mistake the rest for the complete history.
      const reading = (async () => {
        for await (const _ of history.chunks);
      })();
      await expect(reading).rejects.toBeInstanceOf(BankUnreachable);
    });

    test('checks passwords as for the built-in users', async () => {
      await load(await writeCsv('some.csv', [header, ...someRows]));
      await expect(signIn(sandbox.connector, { username: 'ada', password: 'x' })).rejects.toThrow(
        'wrong_credentials',
      );
      await setPassword(sandbox.storage, 'ada', 'lovelace');
      await expect(signIn(sandbox.connector, { username: 'ada' })).rejects.toThrow('wrong_credentials');
      await signInDirectly(sandbox.connector, { username: 'ada', password: 'lovelace' });
      await setPassword(sandbox.storage, 'ada', 'password');
    });

    test('stores no login, account, amount or text in the clear', async () => {
      const login = 'unmistakable-login';
      const row = `${login},ACCT777001,2001-01-01,TXN555001,91827.36,555123.99,UNMISTAKABLE TEXT,REF909090`;
      await load(await writeCsv('canary.csv', [header, row]));
      const tables = ['sandbox_transactions', 'sandbox_logins', 'sandbox_loads', 'sandbox_kv'];
      const rows = (await Promise.all(tables.map((table) => sandbox.db.read(table)))).flat();
      expect(rows.length).toBeGreaterThan(3);
      const values = row.split(',').filter((text) => text !== '2001-01-01');
      const encodings = values.flatMap((value) => [
        value,
        Buffer.from(value).toString('base64').slice(0, -4),
      ]);
      const found = rows
        .flatMap((each) => Object.values(each))
        .flatMap((value) => {
          const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value));
          return encodings.filter((text) => bytes.includes(text));
        });
      expect(found).toEqual([]);
    });

    describe('refuses with file and line, and loads nothing of', () => {
      const validRows = Array.from({ length: 300 }, (_, index) => `new,1,2001-01-01,t${index},1,1,D,R`);
      /** A file whose second line is wrong, and one whose first 300 rows are valid. */
      const second = (row: string): string[] => [header, row];
      const last = (row: string): string[] => [header, ...validRows, row];
      const tooMany = Array.from({ length: 3_001 }, (_, index) => `new,1,2001-01-01,t${index},1,1,D,R`);
      const bytes = (row: string): Buffer => Buffer.from(`${header}\n${row}\n`, 'latin1');
      const invalidFiles: [name: string, lines: string[] | Buffer, message: string][] = [
        ['an empty file', [], 'bad.csv is empty: the first line must name the columns.'],
        ['a header without rows', [header], 'bad.csv has no rows after the first line.'],
        [
          'a missing column',
          ['login,account'],
          'line 1: the column date is missing. Required columns: login,',
        ],
        ['a short row', last('new,1'), 'bad.csv, line 302: the row has 2 columns'],
        ['an invalid date', last('new,1,2001-02-29,t,1,1,D,R'), 'line 302, column date: must be a date'],
        ['an old date', second('new,1,1899-12-31,t,1,1,D,R'), 'line 2, column date'],
        ['an invalid amount', last('new,1,2001-02-02,t,"1,5",1,D,R'), 'line 302, column amount: must be a'],
        ['an amount with plus', second('new,1,2001-02-02,t,+1,1,D,R'), 'line 2, column amount'],
        ['an invalid balance', second('new,1,2001-02-02,t,1,1e3,D,R'), 'line 2, column balance'],
        ['an empty login', second(',1,2001-02-02,t,1,1,D,R'), 'line 2, column login'],
        ['a built-in username', second('good,1,2001-02-02,t,1,1,D,R'), 'line 2, column login'],
        ['an account with a space', second('new, 1,2001-02-02,t,1,1,D,R'), 'line 2, column account'],
        [
          'an invalid currency',
          [`${header},currency`, 'new,1,2001-02-02,t,1,1,D,R,Kc'],
          'line 2, column currency',
        ],
        ['an open quote', second('new,1,2001-02-02,t,1,1,"D,R'), 'bad.csv: Quote Not Closed'],
        [
          'a duplicate transaction id',
          [...second('new,1,2001-02-02,t1,1,1,D,R'), ...validRows],
          'line 4, column transaction',
        ],
        [
          'a duplicate transaction id in another batch',
          last('new,1,2001-02-02,t1,1,1,D,R'),
          'line 302, column transaction',
        ],
        [
          'invalid UTF-8',
          bytes('new,1,2001-02-02,t,1,1,\xff,R'),
          'line 2, column description: must be UTF-8',
        ],
        ['a row that is too long', bytes(`new,1,2001-02-02,t,1,1,${'x'.repeat(70_000)}`), 'Max Record Size'],
        ['too many rows', [header, ...tooMany], 'bad.csv has more than 3000 rows.'],
        ['too many bytes', last('\n'.repeat(1_000_000)), 'bad.csv has more than 1000000 bytes.'],
      ];
      for (const [name, lines, message] of invalidFiles) {
        test(name, async () => {
          const before = await countAll(sandbox);
          const failure = load(await writeCsv('bad.csv', lines));
          await expect(failure).rejects.toBeInstanceOf(OperatorError);
          await expect(failure).rejects.toThrow(message);
          await expect(signIn(sandbox.connector, { username: 'new' })).rejects.toThrow('wrong_credentials');
          expect(await countAll(sandbox)).toEqual(before);
        });
      }

      test('a gzip file that is invalid or truncated', async () => {
        const complete = gzipSync([header, ...validRows].join('\n'));
        for (const bytes of [Buffer.from('not gzip'), complete.subarray(0, -20)]) {
          const failure = load(await writeCsv('bad.csv.gz', bytes));
          await expect(failure).rejects.toBeInstanceOf(OperatorError);
          await expect(failure).rejects.toThrow('bad.csv.gz is not a complete gzip file');
        }
      });

      test('a small gzip file that unpacks to many bytes', async () => {
        const bomb = gzipSync([header, ...validRows, '\n'.repeat(64 * 1024 * 1024)].join('\n'));
        const before = await countAll(sandbox);
        const failure = load(await writeCsv('bad.csv.gz', bomb));
        await expect(failure).rejects.toBeInstanceOf(OperatorError);
        await expect(failure).rejects.toThrow('bad.csv.gz has more than 1000000 bytes after unpacking.');
        expect(await countAll(sandbox)).toEqual(before);
      });

      test('a missing file', async () => {
        await expect(load(join(directory, 'missing.csv'))).rejects.toThrow('is not a readable file');
        await expect(load(directory)).rejects.toBeInstanceOf(OperatorError);
      });
    });

    test('deletes the rows of a killed load after a day', async () => {
      const { db } = sandbox;
      const insertUnfinishedLoad = async (startedAt: string): Promise<number> => {
        const [load] = await db.write('sandbox_loads').insert({ organizationId, startedAt }).returning('id');
        const { id } = load!;
        const bytes = Buffer.alloc(16, id);
        await db.write('sandbox_transactions').insert({
          loadId: id,
          position: 2,
          loginFingerprint: bytes,
          accountFingerprint: bytes,
          date: '2001-01-01',
          sealed: bytes,
        });
        return id;
      };
      const old = await insertUnfinishedLoad('2026-11-20T09:59:59.000Z');
      const recent = await insertUnfinishedLoad('2026-11-20T10:00:01.000Z');
      await load(await writeCsv('some.csv', [header, ...someRows]));
      const left = await db.read('sandbox_transactions').whereIn('loadId', [old, recent]).pluck('loadId');
      expect(left).toEqual([recent]);
      expect(await db.read('sandbox_loads').whereIn('id', [old, recent]).pluck('id')).toEqual([recent]);
    });

    describe('a loaded login', () => {
      beforeAll(async () => {
        await load(await writeCsv('some.csv', [header, ...someRows]));
      });
      describeConnector('The sandbox connector with a loaded login', {
        connect: () => ({ institutions: sandboxInstitutions, connector: sandbox.connector }),
        institutionId,
        user: { username: 'ada', password: 'password' },
        unattended: true,
        wrong: { username: 'ada', password: 'wrong' },
        challenged: [],
        now: today,
      });
    });
  });
}

const countAll = async ({ db }: TestSandbox): Promise<number[]> =>
  Promise.all(
    ['sandbox_transactions', 'sandbox_logins', 'sandbox_loads'].map(async (table) => {
      const row = await db.read(table).count({ count: '*' }).first();
      return Number(row!.count);
    }),
  );
