// The databases find the transactions of a page with an index in the order of the page, from the start of the page, with and
// without table statistics. Otherwise, pages deep in an account would take as long as all pages before them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { days } from '../../src/platform/values/clock.ts';
import { databases } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { link, startService, type TestService } from '../support/testService.ts';

type Query = {
  limit: number;
  cursor?: string;
  refreshedSince?: string;
  date?: { gte?: string; lt?: string };
};
type Statement = { text: string; values: readonly unknown[] };

const firstDay = Date.UTC(2024, 0, 1);
const dayOf = (index: number): string => new Date(firstDay + days(index % 600)).toISOString().slice(0, 10);
const sinceEver = 'txr_00000000010000000000000000';

for (const database of databases) {
  describe(`a page of transactions on ${database.name}`, () => {
    let service: TestService;
    let find: (query: Query) => Promise<{ cursor: string; statements: Statement[] }>;
    const explain = async ({ text, values }: Statement): Promise<string> => {
      const { db } = service.service;
      const prefix =
        db.dialect === 'postgres'
          ? 'explain (analyze, costs off, timing off, buffers off)'
          : 'explain query plan';
      const { rows } = await db.write.run({ text: `${prefix} ${text}` }, values);
      return rows.map((row) => row['QUERY PLAN'] ?? row.detail).join('\n');
    };
    /** True if SQLite enters the index at a number in the statement's text, such as 0, instead of at a value of the page. */
    const startsAtConstant = async ({ text, values }: Statement): Promise<boolean> => {
      const { db } = service.service;
      if (db.dialect === 'postgres') return false;
      type Step = { opcode: string; p2: number; p3: number; p4: string };
      const steps = (await db.write.run({ text: `explain ${text}` }, values)).rows as Step[];
      const seek = steps.find(({ opcode }) => opcode.startsWith('Seek'))!;
      const register = seek.p3 + Number(seek.p4) - 1;
      return steps.some(({ opcode, p2 }) => opcode === 'Integer' && p2 === register);
    };
    beforeAll(async () => {
      const connector = makeScriptedConnector({ chunkSize: 1000 });
      service = await startService({ database, connectors: [connector.module] });
      const application = await service.addApplication({ environment: 'production' });
      // Each user's transactions are imported by a separate refresh.
      const linkUser = (username: string, count: number) => {
        const transactions = Array.from({ length: count }, (_, index) =>
          scriptedTransaction({ date: dayOf(index), description: `payment ${index}` }),
        );
        connector.setAccounts(username, [scriptedAccount({ id: username, number: username, transactions })]);
        return link(service, { username, institutionId: northBank, applicationId: application.id });
      };
      for (const username of ['ada', 'ben', 'cy']) await linkUser(username, 500);
      // Both indexes still have the same height, by which PostgreSQL might choose before it has statistics on the table.
      const linked = await linkUser('dan', 3000);
      const client = service.client(linked.scopedToken, application.apiKey);
      const path = { accountId: linked.accounts[0]!.id };
      find = async (query) => {
        const statements: Statement[] = [];
        const unwatch = service.service.db.watch((text, values) => {
          if (/from transactions\b/.test(text)) statements.push({ text, values });
        });
        const { data } = await client.GET('/accounts/{accountId}/transactions', { params: { path, query } });
        unwatch();
        return { cursor: data!.pagination.nextCursor!, statements };
      };
    });
    afterAll(() => service.close());

    const byDate = { sqlite: /PRIMARY KEY/, postgres: /Index Scan Backward using transactions_pkey/ };
    const byRefresh = {
      sqlite: /INDEX transactions_by_refresh/,
      postgres: /Scan using transactions_by_refresh/,
    };
    // If one refresh imported most transactions of a table, PostgreSQL may find the others of that refresh by date.
    const ofRefresh = { ...byRefresh, postgres: /Scan (Backward )?using transactions_(by_refresh|pkey)/ };
    const fromPosition = /\(date,seq\)<|Index Cond: .*ROW\(date, seq\) </;
    const fromRefresh = /refresh_time>|Index Cond: .*refresh_time >/;
    const requireIndex = async (statement: Statement, index: typeof byDate, start: RegExp): Promise<void> => {
      const plan = await explain(statement);
      expect(plan).toMatch(index[service.service.db.dialect]);
      expect(plan).toMatch(start);
      expect(plan).not.toMatch(/TEMP B-TREE|Sort|Rows Removed by Filter: \d{3}/);
    };

    for (const statistics of ['without', 'with']) {
      const analyze = async (): Promise<void> => {
        if (statistics === 'with') await service.service.db.write.run({ text: 'analyze' }, []);
      };

      test.each([
        ['newest date first', {}],
        ['between two dates', { date: { gte: dayOf(10), lt: dayOf(590) } }],
      ])(`%s begins where the index by date is entered, ${statistics} statistics`, async (_, filter) => {
        await analyze();
        const { cursor } = await find({ limit: 1000, ...filter });
        for (const page of [{}, { cursor }]) {
          const { statements } = await find({ limit: 10, ...filter, ...page });
          expect(statements).toHaveLength(1);
          await requireIndex(statements[0]!, byDate, fromPosition);
        }
      });

      test.each([
        ['of changes', {}],
        ['of changes since a date', { date: { gte: dayOf(10) } }],
      ])(`%s begins where the index by refresh is entered, ${statistics} statistics`, async (_, dates) => {
        await analyze();
        const filter = { refreshedSince: sinceEver, ...dates };
        const { cursor } = await find({ limit: 1000, ...filter });
        const { statements: first } = await find({ limit: 10, ...filter });
        const { statements: deep } = await find({ limit: 10, ...filter, cursor });
        expect([first.length, deep.length]).toEqual([1, 2]);
        await requireIndex(first[0]!, byRefresh, fromRefresh);
        await requireIndex(deep[0]!, ofRefresh, fromPosition);
        await requireIndex(deep[1]!, byRefresh, fromRefresh);
        expect(await startsAtConstant(deep[1]!)).toBe(false);
      });
    }
  });
}
