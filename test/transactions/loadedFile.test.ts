// Money and text come back as they were given: a file is loaded, its logins are linked, and what our own client
// reads equals the file, entry by entry and digit by digit, for every page size. Where BERKA_CSV names a file of
// the Berka data set, all of that is read too.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, transactionPages, unwrap } from '../../client/index.ts';
import { loadFile } from '../../src/connectors/sandbox/storage/loadFile.ts';
import { databases } from '../support/databases.ts';
import { link, startService, type TestService } from '../support/testService.ts';
import { type SandboxFileRow, makeRows, formatRows, parseRows } from '../support/sandboxFile.ts';

const pageSizes = [1, 7, 100, 1000];
const linkedAtOnce = 4;
// A long account by pages of 1 is many requests that say little more than those of a shorter one.
const pagesMax = process.env.TEST_ALL ? Number.POSITIVE_INFINITY : 400;

type Entry = Pick<SandboxFileRow, 'date' | 'amount' | 'description' | 'reference'>;

/** What the interface must answer for one account: the newest date first, and the last line first within a day. */
const expectedOf = (rows: SandboxFileRow[]): Entry[] =>
  rows
    .map((row, line) => ({ row, line }))
    .sort((left, right) => right.row.date.localeCompare(left.row.date) || right.line - left.line)
    .map(({ row: { date, amount, description, reference } }) => ({ date, amount, description, reference }));

const entryOf = ({ date, amount, description, reference }: Entry): Entry => ({
  date,
  amount,
  description,
  reference,
});

const fileRows = async (path: string): Promise<SandboxFileRow[]> => {
  const bytes = await readFile(path);
  return parseRows((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString());
};

type Account = { client: ReturnType<typeof exactClient>; id: string };

const exactClient = (service: TestService, scopedToken: string) =>
  createClient({
    baseUrl: service.url,
    apiKey: service.application.apiKey,
    scopedToken,
    exactAmounts: true,
  });

/** Links one login and finds its accounts by the names that the sandbox bank gives them. */
const linkLogin = async (service: TestService, login: string): Promise<Map<string, Account>> => {
  const { scopedToken, connectionId } = await link(service, { username: login });
  const client = exactClient(service, scopedToken!);
  const params = { path: { connectionId } };
  const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }));
  return new Map(accounts.map(({ id, name }) => [name.replace('Account ', ''), { client, id }]));
};

const everything = async ({ client, id }: Account) => {
  const params = { path: { accountId: id } };
  return (await unwrap(client.GET('/accounts/{accountId}/transactions', { params }))).transactions;
};

const walk = async ({ client, id }: Account, pageSize: number) => {
  const walked = [];
  for await (const { transactions } of transactionPages(client, id, { pageSize }))
    walked.push(...transactions);
  return walked;
};

/** Reads one account in every way, and gives the ids of its entries. */
const expectAccount = async (account: Account, rows: SandboxFileRow[]): Promise<string[]> => {
  const whole = await everything(account);
  expect(whole.map(entryOf)).toEqual(expectedOf(rows));
  for (const pageSize of pageSizes.filter((size) => rows.length / size <= pagesMax)) {
    expect({ pageSize, walked: await walk(account, pageSize) }).toEqual({ pageSize, walked: whole });
  }
  return whole.map(({ id }) => id);
};

/** Links every login of the file, some at a time, and reads all that it brought. */
const expectFile = async (
  service: TestService,
  rows: SandboxFileRow[],
): Promise<{ accounts: number; ids: Set<string> }> => {
  const waiting = [...Map.groupBy(rows, ({ login }) => login)];
  const ids = new Set<string>();
  let accounts = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [login, ofLogin] = next;
      const linked = await linkLogin(service, login);
      const byAccount = Map.groupBy(ofLogin, ({ account }) => account);
      expect([...linked.keys()].sort()).toEqual([...byAccount.keys()].sort());
      for (const [name, ofAccount] of byAccount) {
        for (const id of await expectAccount(linked.get(name)!, ofAccount)) ids.add(id);
        accounts += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: linkedAtOnce }, work));
  return { accounts, ids };
};

for (const database of databases) {
  describe(`a file of bank entries on ${database.name}`, () => {
    let service: TestService;
    let directory: string;
    beforeAll(async () => {
      service = await startService({ database });
      directory = await mkdtemp(join(tmpdir(), 'loaded-file-'));
    });
    afterAll(async () => {
      await service.close();
      await rm(directory, { recursive: true });
    });
    const load = (path: string) => {
      const { db, secrets } = service.service;
      return loadFile(db, secrets.sandbox, { path, now: new Date() });
    };

    test('comes back equal, every id once, by every page size', async () => {
      const rows = makeRows();
      const path = join(directory, 'bank.csv');
      await writeFile(path, formatRows(rows));
      // What the rule made is what another reader finds in the file.
      expect(await fileRows(path)).toEqual(rows);
      expect(await load(path)).toEqual({ rows: 2206, logins: 6, accounts: 12 });
      const { accounts, ids } = await expectFile(service, rows);
      expect({ accounts, ids: ids.size }).toEqual({ accounts: 12, ids: 2206 });
    });

    if (process.env.BERKA_CSV) {
      test('the Berka file comes back equal too', { timeout: 3_600_000 }, async () => {
        const path = process.env.BERKA_CSV!;
        const rows = await fileRows(path);
        expect((await load(path)).rows).toBe(rows.length);
        const { ids } = await expectFile(service, rows);
        expect(ids.size).toBe(rows.length);
        const known = [...(await linkLogin(service, 'berka-485')).values()];
        expect(known).toHaveLength(1);
        expect(await everything(known[0]!)).toHaveLength(131);
      });
    }
  });
}
