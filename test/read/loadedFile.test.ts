// Loads a file into the sandbox bank, links its logins, and compares the client's transactions with the file, digit by digit, for
// every page size. Only control characters are not preserved. If BERKA_CSV names a file from the Berka data set, it is also read.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, transactionPages, unwrap } from '../../client/index.ts';
import { loadFile } from '../../src/domain/institutions/sandbox/loadFile.ts';
import { oneDatabase } from '../support/databases.ts';
import { formatRows, makeRows, parseRows, type SandboxFileRow } from '../support/sandboxFile.ts';
import { link, startService, type TestService } from '../support/testService.ts';

const pageSizes = [1, 7, 100, 1000];
const linkConcurrency = 4;
// Reading a long account in pages of 1 takes many requests and tests little more than a shorter account.
const pagesMax = process.env.TEST_ALL ? Number.POSITIVE_INFINITY : 400;

type Values = Pick<SandboxFileRow, 'date' | 'amount' | 'description' | 'reference'>;

/** The expected transactions of one account: newest date first, and the last line of a day first. */
const toExpected = (rows: SandboxFileRow[]): Values[] =>
  rows
    .map((row, line) => ({ row, line }))
    .sort((left, right) => right.row.date.localeCompare(left.row.date) || right.line - left.line)
    .map(({ row: { date, amount, description, reference } }) => ({
      ...{ date, amount },
      ...{ description: withoutControls(description), reference: withoutControls(reference) },
    }));

/** The text without the control characters that the service removes. */
const withoutControls = (text: string): string =>
  ['\u0000', '\u0007', '\u0085'].reduce((kept, character) => kept.replaceAll(character, ''), text);

const toValues = ({ date, amount, description, reference }: Values): Values => ({
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

/** Links one login; returns its accounts by their names in the file. */
const linkLogin = async (service: TestService, login: string): Promise<Map<string, Account>> => {
  const { scopedToken, connectionId } = await link(service, { username: login });
  const client = exactClient(service, scopedToken!);
  const params = { path: { connectionId } };
  const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }));
  return new Map(accounts.map(({ id, name }) => [name.replace('Account ', ''), { client, id }]));
};

const listAll = async ({ client, id }: Account) => {
  const params = { path: { accountId: id } };
  return (await unwrap(client.GET('/accounts/{accountId}/transactions', { params }))).transactions;
};

const listByPages = async ({ client, id }: Account, pageSize: number) => {
  const listed = [];
  for await (const { transactions } of transactionPages(client, id, { pageSize }))
    listed.push(...transactions);
  return listed;
};

/** Reads one account without pages and with every page size; returns the ids of its transactions. */
const expectAccount = async (account: Account, rows: SandboxFileRow[]): Promise<string[]> => {
  const all = await listAll(account);
  expect(all.map(toValues)).toEqual(toExpected(rows));
  for (const pageSize of pageSizes.filter((size) => rows.length / size <= pagesMax)) {
    expect({ pageSize, listed: await listByPages(account, pageSize) }).toEqual({ pageSize, listed: all });
  }
  return all.map(({ id }) => id);
};

/** Links every login of the file, several at a time, and reads all accounts. */
const expectFile = async (
  service: TestService,
  rows: SandboxFileRow[],
): Promise<{ accounts: number; ids: Set<string> }> => {
  const queue = [...Map.groupBy(rows, ({ login }) => login)];
  const ids = new Set<string>();
  let accounts = 0;
  const linkNext = async (): Promise<void> => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [login, loginRows] = next;
      const linked = await linkLogin(service, login);
      const byAccount = Map.groupBy(loginRows, ({ account }) => account);
      expect([...linked.keys()].sort()).toEqual([...byAccount.keys()].sort());
      for (const [name, accountRows] of byAccount) {
        for (const id of await expectAccount(linked.get(name)!, accountRows)) ids.add(id);
        accounts += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: linkConcurrency }, linkNext));
  return { accounts, ids };
};

for (const database of oneDatabase) {
  describe(`a file of transactions on ${database.name}`, () => {
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
      const { db, secrets, config } = service.service;
      const { organizationId } = service;
      return loadFile(db, secrets.sandbox, { organizationId, path, limits: config.limits, now: new Date() });
    };

    test('is read back unchanged with every page size, and ids are unique', async () => {
      const rows = makeRows();
      const path = join(directory, 'bank.csv');
      await writeFile(path, formatRows(rows));
      // Checks that the tests' parser reads the generated file correctly.
      expect(await fileRows(path)).toEqual(rows);
      expect(await load(path)).toEqual({ rows: 2206, logins: 6, accounts: 12 });
      const { accounts, ids } = await expectFile(service, rows);
      expect({ accounts, ids: ids.size }).toEqual({ accounts: 12, ids: 2206 });
    });

    if (process.env.BERKA_CSV) {
      test('the Berka file is also read back unchanged', { timeout: 3_600_000 }, async () => {
        const path = process.env.BERKA_CSV!;
        const rows = await fileRows(path);
        expect((await load(path)).rows).toBe(rows.length);
        const { ids } = await expectFile(service, rows);
        expect(ids.size).toBe(rows.length);
        const accounts = [...(await linkLogin(service, 'berka-485')).values()];
        expect(accounts).toHaveLength(1);
        expect(await listAll(accounts[0]!)).toHaveLength(131);
      });
    }
  });
}
