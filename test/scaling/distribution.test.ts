// That the tables can be spread over many nodes: of all that the service asks PostgreSQL while it links, reads,
// refreshes, reconnects and deletes, every statement names the distribution column of each table it touches, and of
// tables that lie together the same value, so that one node answers it. Scans are few, and each is listed here.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { days } from '../../src/clock.ts';
import { distributedTables, distributeTables, distributionStatements } from '../../src/db/citus.ts';
import { openDatabase } from '../../src/db/open.ts';
import { sweep } from '../../src/retention/sweep.ts';
import { databases } from '../support/databases.ts';
import {
  driveToImport,
  link,
  openLinkSession,
  startService,
  type TestService,
} from '../support/testService.ts';
import { analyzeStatement, loadParser, type TableAccess } from './analyzeStatement.ts';
import { captureStatements, type Statement } from './captureStatements.ts';

/** Questions to all nodes, by what makes each known, with why it may be one. */
const scans = [
  { statement: /^select .* from "jobs" where .*"due_at" <= /, why: 'finding due work' },
  {
    statement: /^select .* from "connections" where "purge_started_at" is null and/,
    why: 'sweep: connections that are over',
  },
  {
    statement: /^select .* from "connections" where "purge_started_at" [<>]=? /,
    why: 'sweep: connections marked gone',
  },
  {
    statement: /^select .* from "link_sessions" where "expires_at" <= /,
    why: 'sweep: sessions that are over',
  },
  {
    statement: /^select distinct .* from "staged_transactions"/,
    why: 'sweep: what refreshes that died have left',
  },
  {
    statement: /^delete from "link_sessions" where "connection_id"/,
    why: 'sweep: sessions of what is deleted',
  },
];

const distribution = Object.fromEntries(Object.entries(distributedTables));
const groupOf = (table: string): string => distributedTables[table]!.colocateWith ?? table;

/** What one statement does that one node could not answer; undefined where it can. */
const problemOf = (touched: TableAccess[]): string | undefined => {
  const open = touched.find(({ values }) => values === undefined);
  if (open) return `${open.table} without ${distribution[open.table]!.column}`;
  const groups = new Set(touched.map(({ table }) => groupOf(table)));
  if (groups.size > 1) return `${[...groups].join(' and ')} together, which lie apart`;
  const places = new Set(touched.flatMap(({ values }) => values));
  const isList = touched.length === 1;
  return places.size > 1 && !isList
    ? `${groupOf(touched[0]!.table)} at ${places.size} places at once`
    : undefined;
};

const known = (columnsOf: Map<string, Set<string>>) => ({ distribution, columnsOf });

describe('a statement is read as PostgreSQL reads it', () => {
  const tables = {
    end_users: 'end_user_id id',
    connections: 'end_user_id id',
    jobs: 'connection_id kind',
    resource_owners: 'id',
  };
  const columnsOf = new Map(
    Object.entries(tables).map(([table, names]) => [table, new Set(names.split(' '))]),
  );
  const cases: [sql: string, values: unknown[], problem: string | undefined][] = [
    ['select 1', [], undefined],
    ['select * from organizations', [], undefined],
    ['select * from connections where end_user_id = $1 and id = $2', ['u', 'c'], undefined],
    ['select * from connections where id = $1', ['c'], 'connections without end_user_id'],
    [
      'select * from connections where end_user_id = $1 or id = $2',
      ['u', 'c'],
      'connections without end_user_id',
    ],
    ['select * from connections where not end_user_id = $1', ['u'], 'connections without end_user_id'],
    ['select * from connections where end_user_id > $1', ['u'], 'connections without end_user_id'],
    ['select * from resource_owners where id in ($1, $2)', ['a', 'b'], undefined],
    [
      'select * from connections c join end_users u on u.end_user_id = c.end_user_id where u.end_user_id = $1',
      ['u'],
      undefined,
    ],
    [
      'select * from connections c left join end_users u on u.id = c.id where u.end_user_id = $1',
      ['u'],
      'connections without end_user_id',
    ],
    [
      'select * from connections c, end_users u where u.end_user_id = $1 and c.end_user_id = $2',
      ['u', 'v'],
      'end_users at 2 places at once',
    ],
    [
      'delete from connections where end_user_id = $1 and id in (select id from connections where id > $2)',
      ['u', 'c'],
      'connections without end_user_id',
    ],
    [
      `delete from connections where end_user_id = $1 and not exists (
         select 1 from end_users where end_users.end_user_id = connections.end_user_id)`,
      ['u'],
      undefined,
    ],
    [
      'delete from jobs where connection_id = $1 and not exists (select 1 from resource_owners where id = connection_id)',
      ['c'],
      'jobs and resource_owners together, which lie apart',
    ],
    ['insert into resource_owners (kind, id) values ($1, $2), ($1, $3)', ['k', 'a', 'b'], undefined],
    [
      'insert into resource_owners (id) select id from connections where end_user_id = $1',
      ['u'],
      'resource_owners without id',
    ],
    ['update connections set id = $2 where end_user_id = $1', ['u', 'c'], undefined],
    [
      'with made (id) as (values ($2)) update connections set id = made.id from made where end_user_id = $1',
      ['u', 'c'],
      undefined,
    ],
    ['with found as (select id from resource_owners) select * from found', [], 'resource_owners without id'],
  ];
  beforeAll(loadParser);
  test.each(cases)('%s', (sql, values, problem) => {
    expect(problemOf(analyzeStatement(sql, values, known(columnsOf)))).toBe(problem);
  });
});

for (const kind of databases.filter(({ name }) => name === 'PostgreSQL')) {
  describe('on PostgreSQL', () => {
    let service: TestService;
    let captured: ReturnType<typeof captureStatements>;
    const columnsOf = new Map<string, Set<string>>();

    beforeAll(async () => {
      await loadParser();
      service = await startService({
        database: kind,
        limits: { sweepGraceSeconds: 0, sweepChunkRows: 1000 },
      });
      const columns: { table_name: string; column_name: string }[] = await service.service.db
        .read('information_schema.columns')
        .where({ table_schema: 'public' })
        .select('table_name', 'column_name');
      for (const [table, rows] of Map.groupBy(columns, (row) => row.table_name)) {
        columnsOf.set(table, new Set(rows.map((row) => row.column_name)));
      }
      captured = captureStatements();
    });
    afterAll(async () => {
      captured.stop();
      await service.close();
    });

    const problems = (statements: Statement[]): string[] => {
      const found = statements.flatMap(({ text, values }) => {
        const touched = analyzeStatement(text, values, known(columnsOf));
        const problem = problemOf(touched);
        const line = text.replaceAll(/\s+/g, ' ');
        // A scan asks every node the same; it brings nothing together that lies apart.
        const isScan = touched.length === 1 && scans.some(({ statement }) => statement.test(line));
        return problem && !isScan ? [`${problem}: ${line}`] : [];
      });
      return [...new Set(found)];
    };

    const during = async (work: () => Promise<unknown>): Promise<string[]> => {
      const from = captured.statements.length;
      await work();
      const statements = captured.statements.slice(from);
      const tables = statements.flatMap(({ text, values }) =>
        analyzeStatement(text, values, known(columnsOf)),
      );
      expect(tables.length).toBeGreaterThan(0);
      return problems(statements);
    };

    test('linking: anonymous, of an external user, twice, given up and superseded', async () => {
      const found = await during(async () => {
        await link(service);
        await link(service, { externalUserId: 'ana' });
        await link(service, { externalUserId: 'ana' });
        const left = await openLinkSession(service);
        await left.step({ kind: 'consent' });
        const unseen = await openLinkSession(service, { externalUserId: 'ben' });
        await driveToImport(unseen);
        const arrived = service.service.db.read('connections').where({ external_user_id: 'ben' });
        while ((await arrived.clone()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
        await link(service, { externalUserId: 'ben' });
        expect((await unseen.refresh()).state).toBe('failed');
      });
      expect(
        found.filter((line) => !line.includes('select * from "connections" where "external_user_id"')),
      ).toEqual([]);
    });

    test('the seven operations', async () => {
      const { scopedToken, connectionId, accounts } = await link(service);
      const client = service.client(scopedToken);
      const path = { connectionId, accountId: accounts[0]!.id };
      const found = await during(async () => {
        await client.GET('/connections');
        await client.GET('/connections/{connectionId}', { params: { path } });
        await client.GET('/connections/{connectionId}/accounts', { params: { path } });
        await client.GET('/accounts/{accountId}', { params: { path } });
        const list = '/accounts/{accountId}/transactions';
        const { data } = await client.GET(list, { params: { path, query: { limit: 10 } } });
        const { pagination, transactions } = data!;
        const [first] = transactions;
        const queries = [
          {},
          { limit: 10, cursor: pagination.nextCursor },
          { refreshedSince: first!.transactionRefresh, limit: 10 },
          { date: { gte: '2024-01-01', lt: '2030-01-01' }, limit: 10 },
        ];
        for (const query of queries) await client.GET(list, { params: { path, query } });
        await client.GET('/accounts/{accountId}/transactions/{transactionId}', {
          params: { path: { ...path, transactionId: first!.id } },
        });
        await client.DELETE('/connections/{connectionId}', { params: { path } });
      });
      expect(found).toEqual([]);
    });

    test('refreshing, reconnecting and deleting', async () => {
      const moves = await link(service, { username: 'moves', externalUserId: 'cem' });
      await link(service, { username: 'rotates' });
      const found = await during(async () => {
        for (let at = 0; at < 3; at++) {
          service.advance(days(3));
          const all = service.service.db.read('connection_events').where({ kind: 'refreshed' });
          const before = (await all.clone()).length;
          await expect
            .poll(async () => (await all.clone()).length, { timeout: 60_000 })
            .toBeGreaterThan(before + 3);
        }
        await link(service, { username: 'moves', connectionId: moves.connectionId });
        const client = service.client(moves.scopedToken);
        await client.DELETE('/connections/{connectionId}', { params: { path: moves } });
        service.advance(days(31));
        const { db, clock, config } = service.service;
        const signal = new AbortController().signal;
        const swept = await sweep({ db, clock, limits: config.limits }, { signal, rewriteBytesMax: 0 });
        expect(swept.connections).toBeGreaterThan(0);
      });
      expect(found.filter((line) => !line.includes('from "connection_events" where "kind"'))).toEqual([]);
    });

    test('every scan that is listed takes place', () => {
      const lines = captured.statements.map(({ text }) => text.replaceAll(/\s+/g, ' '));
      const unused = scans.filter(({ statement }) => !lines.some((line) => statement.test(line)));
      expect(unused.map(({ why }) => why)).toEqual([]);
    });
  });
}

describe('migrate --distributed', () => {
  test('declares what is small on every node, then users beside each other, then what is asked before', () => {
    expect(distributionStatements()).toEqual([
      "select create_reference_table('organizations')",
      "select create_reference_table('applications')",
      "select create_reference_table('api_keys')",
      "select create_distributed_table('end_users', 'end_user_id', colocate_with => 'none')",
      "select create_distributed_table('data_keys', 'end_user_id', colocate_with => 'end_users')",
      "select create_distributed_table('connections', 'end_user_id', colocate_with => 'end_users')",
      "select create_distributed_table('connection_events', 'end_user_id', colocate_with => 'end_users')",
      "select create_distributed_table('accounts', 'end_user_id', colocate_with => 'end_users')",
      "select create_distributed_table('transactions', 'end_user_id', colocate_with => 'end_users')",
      "select create_distributed_table('staged_transactions', 'end_user_id', colocate_with => 'end_users')",
      "select create_distributed_table('resource_owners', 'id', colocate_with => 'none')",
      "select create_distributed_table('external_users', 'external_user_id', colocate_with => 'none')",
      "select create_distributed_table('jobs', 'connection_id', colocate_with => 'none')",
      "select create_distributed_table('link_sessions', 'id', colocate_with => 'none')",
    ]);
    const declared = new Set(distributionStatements().flatMap((text) => /'(\w+)'/.exec(text)![1]!));
    expect(distributionStatements(declared)).toEqual([]);
  });

  for (const kind of databases) {
    test(`says on ${kind.name} what is missing`, async () => {
      const database = await kind.create();
      const db = await openDatabase(database.url);
      const missing = {
        SQLite: 'with Citus only, and this is SQLite',
        PostgreSQL: 'has no Citus: install it',
      };
      await expect(distributeTables(db)).rejects.toThrow(missing[kind.name]);
      await db.close();
      await database.drop();
    });
  }

  test('every unique index of a distributed table contains its column, as the engine demands', async () => {
    const kind = databases.find(({ name }) => name === 'PostgreSQL') ?? databases[0]!;
    const database = await kind.create();
    const db = await openDatabase(database.url);
    if (db.dialect === 'postgres') {
      const rows: { tablename: string; indexdef: string }[] = await db
        .read('pg_indexes')
        .where({ schemaname: 'public' })
        .whereILike('indexdef', 'create unique index%')
        .select('tablename', 'indexdef');
      const wrong = rows.filter(({ tablename, indexdef }) => {
        const by = distributedTables[tablename]?.column;
        return by && !/\((.*)\)/.exec(indexdef)![1]!.split(', ').includes(by);
      });
      expect(wrong).toEqual([]);
      expect(rows.length).toBeGreaterThan(10);
    }
    await db.close();
    await database.drop();
  });
});
