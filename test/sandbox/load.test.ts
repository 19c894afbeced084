// Loading a file of entries: all of it or nothing, exactly as it stands there, on both databases.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxInstitutions } from '../../src/connectors/sandbox/institutions.ts';
import { setPassword } from '../../src/connectors/sandbox/setPassword.ts';
import { type LoadProgress, loadFile } from '../../src/connectors/sandbox/storage/loadFile.ts';
import { BankUnreachable, OperatorError } from '../../src/errors.ts';
import { describeConnector } from '../connectors/conformance.ts';
import { databases } from '../support/databases.ts';
import {
  callAt,
  institutionId,
  openSandbox,
  readAllAccounts,
  signIn,
  signInDirectly,
  type TestSandbox,
  today,
} from '../support/sandboxConnector.ts';

const headings = 'login,account,date,transaction,amount,balance,description,reference';
const someRows = [
  'ada,101,1993-02-26,t1,1100.00,1100.00,CASH DEPOSIT,r1',
  'ada,101,1993-02-26,t2,-0.10,1099.90,"TRANSFER, ""NOW"" AND HERE",',
  'ada,102,1994-01-01,t1,5,5,Zinsgutschrift für März,r3',
  'bob,7,1993-05-05,,20.000,20.000,COFFEE,x',
  'bob,7,1993-05-05,,20.000,40.000,COFFEE,x',
];

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sandbox-load-'));
});
afterAll(() => rm(directory, { recursive: true }));

const fileOf = async (name: string, lines: string[] | Buffer): Promise<string> => {
  const path = join(directory, name);
  await writeFile(path, Buffer.isBuffer(lines) ? lines : `${lines.join('\n')}\n`);
  return path;
};

for (const database of databases) {
  describe(`loading a file on ${database.name}`, () => {
    let sandbox: TestSandbox;
    beforeAll(async () => {
      sandbox = await openSandbox({}, database);
    });
    afterAll(() => sandbox.close());

    const load = async (path: string, onProgress?: (progress: LoadProgress) => void) =>
      loadFile(sandbox.db, sandbox.secret, { path, now: today, onProgress });

    test('shows each login its accounts and entries as the file has them', async () => {
      const result = await load(await fileOf('some.csv', [headings, ...someRows]));
      expect(result).toEqual({ rows: 5, logins: 2, accounts: 3 });
      const ada = (await readAllAccounts(sandbox.connector, { username: 'ada', password: 'password' })).seen;
      expect(ada.map(({ account }) => account)).toEqual([
        {
          id: '101',
          name: 'Account 101',
          type: 'depository',
          number: '101',
          currency: 'CZK',
          balance: { current: '1099.90' },
        },
        expect.objectContaining({ id: '102', balance: { current: '5' } }),
      ]);
      expect(ada[0]!.transactions).toEqual([
        {
          id: 't1',
          date: '1993-02-26',
          amount: '1100.00',
          description: 'CASH DEPOSIT',
          reference: 'r1',
          status: 'posted',
        },
        {
          id: 't2',
          date: '1993-02-26',
          amount: '-0.10',
          description: 'TRANSFER, "NOW" AND HERE',
          reference: '',
          status: 'posted',
        },
      ]);
      const bob = (await readAllAccounts(sandbox.connector, { username: 'bob' })).seen;
      const coffee = { date: '1993-05-05', amount: '20.000', description: 'COFFEE', reference: 'x' };
      expect(bob[0]!.transactions).toEqual([
        { ...coffee, status: 'posted' },
        { ...coffee, status: 'posted' },
      ]);
    });

    test('takes columns in any order, other columns, a byte order mark, CRLF, gzip and a currency', async () => {
      const rows = [
        '\uFEFFBalance,extra,currency,login,account,date,transaction,amount,description,reference',
        '12.5,?,EUR,eve,9,2020-02-29,a,12.5,"two\nlines",r',
        '',
        '13.5,?,EUR,eve,9,2020-02-28,b,1.0,early,r',
      ];
      const path = await fileOf('order.csv.gz', gzipSync(rows.join('\r\n')));
      expect(await load(path)).toEqual({ rows: 2, logins: 1, accounts: 1 });
      const [eve] = (await readAllAccounts(sandbox.connector, { username: 'eve' })).seen;
      // By date, whatever the order of the file; the balance is that of the last day.
      expect(eve!.transactions.map(({ date }) => date)).toEqual(['2020-02-28', '2020-02-29']);
      expect(eve!.account).toMatchObject({ currency: 'EUR', balance: { current: '12.5' } });
      expect(eve!.transactions[1]!.description).toBe('two\nlines');
    });

    test('many rows come back every one once, in bounded chunks, with progress on the way', async () => {
      const rows = Array.from({ length: 2_600 }, (_, at) => {
        const day = String(1 + (at % 28)).padStart(2, '0');
        return `lot,1,2001-0${1 + (at % 9)}-${day},t${at},${at}.01,0,D${at},R${at}`;
      });
      const seen: LoadProgress[] = [];
      await load(await fileOf('many.csv', [headings, ...rows]), (progress) => seen.push(progress));
      expect(seen.map((progress) => progress.rows)).toEqual(
        [...seen.keys()].map((at) => Math.min(2_600, 250 * (at + 1))),
      );
      expect(seen.at(-1)!.bytes).toBe(seen[0]!.bytesTotal);
      const [lot] = (await readAllAccounts(sandbox.connector, { username: 'lot' })).seen;
      expect(new Set(lot!.transactions.map(({ id }) => id)).size).toBe(2_600);
      const { access } = await signInDirectly(sandbox.connector, { username: 'lot' });
      const since = '2001-05-10';
      const history = await sandbox.connector.history({ access, accountId: '1', since }, callAt());
      const sizes: number[] = [];
      for await (const chunk of history.chunks) sizes.push(chunk.length);
      const expected = lot!.transactions.filter(({ date }) => date >= since).length;
      expect(history).toMatchObject({ completeFrom: since, count: expected });
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(expected);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
    });

    test('replaces what a login had, and leaves nothing of it behind', async () => {
      const rowsOf = (count: number): string[] =>
        Array.from({ length: count }, (_, at) => `again,1,2001-01-01,t${at},1,${at},D,R`);
      await load(await fileOf('again.csv', [headings, ...rowsOf(600), 'other,1,2001-01-01,t,1,1,D,R']));
      const { access } = await signInDirectly(sandbox.connector, { username: 'again' });
      const reading = await sandbox.connector.history({ access, accountId: '1' }, callAt());
      const before = await sandbox.db.read('sandbox_transactions').count({ count: '*' }).first();
      await load(await fileOf('again.csv', [headings, ...rowsOf(2)]));
      const then = await sandbox.db.read('sandbox_transactions').count({ count: '*' }).first();
      expect(Number(then!.count)).toBe(Number(before!.count) - 598);
      expect(
        (await readAllAccounts(sandbox.connector, { username: 'again' })).seen[0]!.transactions.length,
      ).toBe(2);
      expect(
        (await readAllAccounts(sandbox.connector, { username: 'other' })).seen[0]!.transactions.length,
      ).toBe(1);
      // A reader who began before must not take what is left for everything.
      const walking = (async () => {
        for await (const _ of reading.chunks);
      })();
      await expect(walking).rejects.toBeInstanceOf(BankUnreachable);
    });

    test('asks for the same passwords as everybody', async () => {
      await load(await fileOf('some.csv', [headings, ...someRows]));
      await expect(signIn(sandbox.connector, { username: 'ada', password: 'x' })).rejects.toThrow(
        'wrong_credentials',
      );
      await setPassword(sandbox.storage, 'ada', 'lovelace');
      await expect(signIn(sandbox.connector, { username: 'ada' })).rejects.toThrow('wrong_credentials');
      await signInDirectly(sandbox.connector, { username: 'ada', password: 'lovelace' });
      await setPassword(sandbox.storage, 'ada', 'password');
    });

    test('shows neither logins, accounts, amounts nor texts in the database', async () => {
      const login = 'unmistakable-login';
      const row = `${login},ACCT777001,2001-01-01,TXN555001,91827.36,555123.99,UNMISTAKABLE TEXT,REF909090`;
      await load(await fileOf('canary.csv', [headings, row]));
      const tables = ['sandbox_transactions', 'sandbox_logins', 'sandbox_loads', 'sandbox_kv'];
      const rows = (await Promise.all(tables.map((table) => sandbox.db.read(table)))).flat();
      expect(rows.length).toBeGreaterThan(3);
      const words = row.split(',').filter((text) => text !== '2001-01-01');
      const spellings = words.flatMap((word) => [word, Buffer.from(word).toString('base64').slice(0, -4)]);
      const shown = rows
        .flatMap((each) => Object.values(each))
        .flatMap((value) => {
          const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value));
          return spellings.filter((text) => bytes.includes(text));
        });
      expect(shown).toEqual([]);
    });

    describe('refuses, saying where, and loads nothing of', () => {
      const good = Array.from({ length: 300 }, (_, at) => `new,1,2001-01-01,t${at},1,1,D,R`);
      const bad: [name: string, lines: string[] | Buffer, message: string][] = [
        ['an empty file', [], 'bad.csv is empty: the first line must name the columns.'],
        ['headings alone', [headings], 'bad.csv has no rows after the first line.'],
        [
          'a missing column',
          ['login,account'],
          'bad.csv, line 1: there is no column date; required are login,',
        ],
        ['a short row', [headings, ...good, 'new,1'], 'bad.csv, line 302: the row has 2 columns'],
        [
          'a bad date',
          [headings, ...good, 'new,1,2001-02-29,t,1,1,D,R'],
          'line 302, column date: must be a date',
        ],
        ['an old date', [headings, 'new,1,1899-12-31,t,1,1,D,R'], 'line 2, column date'],
        [
          'a bad amount',
          [headings, ...good, 'new,1,2001-02-02,t,"1,5",1,D,R'],
          'line 302, column amount: must be a',
        ],
        ['an amount with plus', [headings, 'new,1,2001-02-02,t,+1,1,D,R'], 'line 2, column amount'],
        ['a bad balance', [headings, 'new,1,2001-02-02,t,1,1e3,D,R'], 'line 2, column balance'],
        ['an empty login', [headings, ',1,2001-02-02,t,1,1,D,R'], 'line 2, column login'],
        ['a login of the sandbox itself', [headings, 'good,1,2001-02-02,t,1,1,D,R'], 'line 2, column login'],
        ['an account with a space', [headings, 'new, 1,2001-02-02,t,1,1,D,R'], 'line 2, column account'],
        [
          'a bad currency',
          [`${headings},currency`, 'new,1,2001-02-02,t,1,1,D,R,Kc'],
          'line 2, column currency',
        ],
        ['an open quote', [headings, 'new,1,2001-02-02,t,1,1,"D,R'], 'bad.csv: Quote Not Closed'],
        [
          'a second entry with the same id',
          [headings, 'new,1,2001-02-02,t1,1,1,D,R', ...good],
          'line 4, column transaction',
        ],
        [
          'such a one far away',
          [headings, ...good, 'new,1,2001-02-02,t1,1,1,D,R'],
          'line 302, column transaction',
        ],
        [
          'other bytes than UTF-8',
          Buffer.from(`${headings}\nnew,1,2001-02-02,t,1,1,\xff,R\n`, 'latin1'),
          'line 2, column description: must be UTF-8',
        ],
        [
          'a row without end',
          Buffer.from(`${headings}\nnew,1,2001-02-02,t,1,1,${'x'.repeat(70_000)}`),
          'Max Record Size',
        ],
      ];
      for (const [name, lines, message] of bad) {
        test(name, async () => {
          const before = await countAll(sandbox);
          const failure = load(await fileOf('bad.csv', lines));
          await expect(failure).rejects.toBeInstanceOf(OperatorError);
          await expect(failure).rejects.toThrow(message);
          await expect(signIn(sandbox.connector, { username: 'new' })).rejects.toThrow('wrong_credentials');
          expect(await countAll(sandbox)).toEqual(before);
        });
      }

      test('a gzip file that is none, or is cut off', async () => {
        const whole = gzipSync([headings, ...good].join('\n'));
        for (const bytes of [Buffer.from('not gzip'), whole.subarray(0, -20)]) {
          const failure = load(await fileOf('bad.csv.gz', bytes));
          await expect(failure).rejects.toBeInstanceOf(OperatorError);
          await expect(failure).rejects.toThrow('bad.csv.gz is not a complete gzip file');
        }
      });

      test('a file that is not there', async () => {
        await expect(load(join(directory, 'missing.csv'))).rejects.toThrow('is not a file that can be read');
        await expect(load(directory)).rejects.toBeInstanceOf(OperatorError);
      });
    });

    test('sweeps what a killed load left, once it is a day old', async () => {
      const { db } = sandbox;
      const orphan = async (startedAt: string): Promise<number> => {
        const [{ id }] = await db.write('sandbox_loads').insert({ started_at: startedAt }).returning('id');
        const bytes = Buffer.alloc(16, id);
        await db.write('sandbox_transactions').insert({
          load_id: id,
          position: 2,
          login_fingerprint: bytes,
          account_fingerprint: bytes,
          date: '2001-01-01',
          sealed: bytes,
        });
        return id;
      };
      const old = await orphan('2026-11-20T09:59:59.000Z');
      const going = await orphan('2026-11-20T10:00:01.000Z');
      await load(await fileOf('some.csv', [headings, ...someRows]));
      const left = await db.read('sandbox_transactions').whereIn('load_id', [old, going]).pluck('load_id');
      expect(left).toEqual([going]);
      expect(await db.read('sandbox_loads').whereIn('id', [old, going]).pluck('id')).toEqual([going]);
    });

    describe('a loaded login', () => {
      beforeAll(async () => {
        await load(await fileOf('some.csv', [headings, ...someRows]));
      });
      describeConnector('The sandbox bank, for a loaded login,', {
        connect: () => ({ institutions: sandboxInstitutions, connector: sandbox.connector }),
        institutionId,
        user: { username: 'ada', password: 'password' },
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
