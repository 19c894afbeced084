// The tables can be distributed with Citus: every statement that the service runs while it links, reads, refreshes,
// reconnects and deletes restricts the distribution column of each table to one value, and colocated tables to the same
// value, so that one node can run it. This file lists the few statements that run on all nodes.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findDueJobs } from '../../src/flows/refresh/jobs.ts';
import { sweep } from '../../src/operations/retention/sweep.ts';
import { distributedTables, distributeTables, distributionStatements } from '../../src/platform/db/citus.ts';
import { openDatabase } from '../../src/platform/db/open.ts';
import { days } from '../../src/platform/values/clock.ts';
import { createMember } from '../http/dashboard/users.ts';
import { claimAccessUrl, createSetupToken, readSet, splitAccessUrl } from '../simplefin/fixture.ts';
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
import { isInOrder, lockOrders } from './lockOrder.ts';

/** The statements that may run on all nodes, with the reasons. */
const scans: [why: string, statement: RegExp][] = [
  ['worker: due jobs', /^select .* from "jobs" where .*"due_at" <= /],
  [
    'worker: due refreshes of one sandbox clock',
    /^select .* from "jobs" where .*"organization_id" = .*"due_at" > .*"due_at" <= /,
  ],
  ['sweep: expired connections', /^select .* from "connections" where "purge_started_at" is null and/],
  [
    'sweep: expired connections of one sandbox clock',
    /^select .* from "connections" where "purge_started_at" is null and "application_id" in/,
  ],
  ['sweep: deselected accounts', /^select .* from "accounts" where "deselected_at" <= /],
  ['sweep: connections being purged', /^select .* from "connections" where "purge_started_at" [<>]=? /],
  ['sweep: expired link sessions', /^select .* from "link_sessions" where "expires_at" <= /],
  ['sweep: texts staged by refreshes that never finished', /^select distinct .* from "staged_texts"/],
  ['sweep: blocks to which nothing refers', /^select .* from "block_deletions" where "delete_after" <= /],
  // Each node has the rows of both joined tables.
  [
    'worker: webhooks to deliver',
    /^select .* from "webhook_deliveries" inner join "webhook_endpoints" .* inner join "applications" .* where "due_at" <= /,
  ],
  ['sweep: old webhooks', /^select .* from "webhook_deliveries" where "created_at" < /],
  ['sweep: link sessions that were closed long ago', /^select .* from "link_sessions" where "closed_at" < /],
  [
    'sweep: setup tokens that nobody claimed',
    /^select .* from "simplefin_accesses" where "claim_expires_at" <= /,
  ],
  [
    'list of an application: accesses of all its end users',
    /^select .* from "simplefin_accesses" where "application_id" = /,
  ],
  [
    'sweep: closed link sessions of a deleted end user',
    /^delete from "link_sessions" where "application_id"/,
  ],
  ['sweep: link sessions of a purged connection', /^delete from "link_sessions" where "connection_id"/],
];

const distribution = distributedTables;

/** The reason why one node cannot run a statement; undefined if it can. */
const problemOf = (accesses: TableAccess[]): string | undefined => {
  const open = accesses.find(({ values }) => values === undefined);
  if (open) return `${open.table} without ${distribution[open.table]!.column}`;
  const written = accesses.find(({ writesColumn }) => writesColumn);
  if (written) return `${written.table} with its ${distribution[written.table]!.column} changed`;
  const values = new Set(accesses.flatMap((access) => access.values));
  const isList = accesses.length === 1;
  return values.size > 1 && !isList ? `${accesses[0]!.table} with ${values.size} values` : undefined;
};

const schemaOf = (columnsOf: Map<string, Set<string>>) => ({ distribution, columnsOf });

describe('the analysis of a statement', () => {
  const tables = {
    end_users: 'end_user_id id',
    connections: 'end_user_id id',
    jobs: 'connection_id kind',
    resource_owners: 'id',
  };
  const columnsOf = new Map(
    Object.entries(tables).map(([table, names]) => [table, new Set(names.split(' '))]),
  );
  const [anyNode, allNodes] = [undefined, 'connections without end_user_id'];
  const cases: [sql: string, problem: string | undefined][] = [
    ['select 1', anyNode],
    ['select * from organizations', anyNode],
    ['select * from connections where end_user_id = $1 and id = $2', anyNode],
    ['select * from connections where id = $1', allNodes],
    ['select * from connections where end_user_id = $1 or id = $2', allNodes],
    ['select * from connections where not end_user_id = $1', allNodes],
    ['select * from connections where end_user_id > $1', allNodes],
    ['select * from resource_owners where id in ($1, $2)', anyNode],
    [
      'select * from connections c join end_users u on u.end_user_id = c.end_user_id where u.end_user_id = $1',
      anyNode,
    ],
    ['select * from connections c left join end_users u on u.id = c.id where u.end_user_id = $1', allNodes],
    [
      'select * from connections c, end_users u where u.end_user_id = $1 and c.end_user_id = $2',
      'connections with 2 values',
    ],
    [
      'delete from connections where end_user_id = $1 and id in (select id from connections where id > $2)',
      allNodes,
    ],
    [
      `delete from connections where end_user_id = $1 and not exists (
         select 1 from end_users where end_users.end_user_id = connections.end_user_id)`,
      anyNode,
    ],
    [
      'delete from jobs where connection_id = $1 and not exists (select 1 from resource_owners where id = connection_id)',
      anyNode,
    ],
    ['insert into resource_owners (kind, id) values ($1, $2), ($1, $3)', anyNode],
    [
      'insert into resource_owners (id) select id from connections where end_user_id = $1',
      'resource_owners without id',
    ],
    [
      'update jobs set connection_id = $1, kind = $2 where connection_id = $1',
      'jobs with its connection_id changed',
    ],
    ['update jobs set kind = $2 where connection_id = $1', anyNode],
    [
      'insert into jobs (connection_id) values ($1) on conflict (connection_id) do update set connection_id = $1',
      'jobs with its connection_id changed',
    ],
    ['update connections set id = $2 where end_user_id = $1', anyNode],
    [
      'with made (id) as (values ($2)) update connections set id = made.id from made where end_user_id = $1',
      anyNode,
    ],
    ['with found as (select id from resource_owners) select * from found', 'resource_owners without id'],
  ];
  beforeAll(loadParser);
  test.each(cases)('%s', (sql, problem) => {
    expect(problemOf(analyzeStatement(sql, ['one', 'two', 'three'], schemaOf(columnsOf)))).toBe(problem);
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
      const columns: { tableName: string; columnName: string }[] = await service.service.db
        .read('information_schema.columns')
        .where({ tableSchema: 'public' })
        .select('tableName', 'columnName');
      for (const [table, rows] of Map.groupBy(columns, (row) => row.tableName)) {
        columnsOf.set(table, new Set(rows.map((row) => row.columnName)));
      }
      captured = captureStatements();
    });
    afterAll(async () => {
      captured.stop();
      await service.close();
    });

    const problems = (statements: Statement[]): string[] => {
      const found = statements.flatMap(({ text, values }) => {
        const accesses = analyzeStatement(text, values, schemaOf(columnsOf));
        const problem = problemOf(accesses);
        const line = text.replaceAll(/\s+/g, ' ');
        // A scan uses only one table, so that each node can run it on its own rows.
        const isScan = accesses.length === 1 && scans.some(([, statement]) => statement.test(line));
        return problem && !isScan ? [`${problem}: ${line}`] : [];
      });
      return [...new Set(found)];
    };

    const findProblemsDuring = async (run: () => Promise<unknown>): Promise<string[]> => {
      const from = captured.statements.length;
      await run();
      const statements = captured.statements.slice(from);
      const tables = statements.flatMap(({ text, values }) =>
        analyzeStatement(text, values, schemaOf(columnsOf)),
      );
      expect(tables.length).toBeGreaterThan(0);
      return problems(statements);
    };

    test('linking: anonymous, with an external user id, twice, cancelled and superseded', async () => {
      const found = await findProblemsDuring(async () => {
        await link(service);
        await link(service, { externalUserId: 'ana' });
        await link(service, { externalUserId: 'ana' });
        const abandoned = await openLinkSession(service);
        await abandoned.step({ kind: 'consent' });
        const unacknowledged = await openLinkSession(service, { externalUserId: 'ben' });
        await driveToImport(unacknowledged);
        const imported = service.service.db.read('connections').where({ externalUserId: 'ben' });
        await expect.poll(() => imported.clone()).toHaveLength(1);
        await link(service, { externalUserId: 'ben' });
        expect((await unacknowledged.refresh()).state).toBe('failed');
      });
      expect(
        found.filter((line) => !line.includes('select * from "connections" where "external_user_id"')),
      ).toEqual([]);
    });

    test('the seven operations', async () => {
      const { scopedToken, connectionId, accounts } = await link(service);
      const client = service.client(scopedToken);
      const path = { connectionId, accountId: accounts[0]!.id };
      const found = await findProblemsDuring(async () => {
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

    test('the accesses of SimpleFIN', async () => {
      const { scopedToken } = await link(service);
      const { url, application } = service;
      const { apiKey } = application;
      const found = await findProblemsDuring(async () => {
        const setupToken = await createSetupToken({ url, apiKey, scopedToken: scopedToken! });
        const accessUrl = await claimAccessUrl(setupToken);
        expect((await readSet(accessUrl, '?pending=1')).accounts).not.toEqual([]);
        const client = service.client();
        await client.GET('/simplefin/accesses');
        const params = { path: { accessId: splitAccessUrl(accessUrl).user } };
        expect((await client.DELETE('/simplefin/accesses/{accessId}', { params })).response.status).toBe(204);
      });
      expect(found).toEqual([]);
    });

    test('refreshing, reconnecting and deleting', async () => {
      const mutating = await link(service, { username: 'moves', externalUserId: 'cem' });
      await link(service, { username: 'rotates' });
      const found = await findProblemsDuring(async () => {
        for (let at = 0; at < 3; at++) {
          service.advance(days(3));
          const all = service.service.db.read('connection_events').where({ kind: 'refreshed' });
          const before = (await all.clone()).length;
          // Covers both connections.
          await expect.poll(async () => (await all.clone()).length).toBeGreaterThan(before + 1);
        }
        await link(service, { username: 'moves', connectionId: mutating.connectionId });
        const client = service.client(mutating.scopedToken);
        await client.DELETE('/connections/{connectionId}', { params: { path: mutating } });
        service.advance(days(31));
        const { db, config } = service.service;
        const signal = new AbortController().signal;
        // The state after the organization has advanced its sandbox clock.
        const clock = { ...service.service.clock, organizationsAhead: () => [service.organizationId] };
        await findDueJobs(db, clock, 10);
        const swept = await sweep({ db, clock, limits: config.limits }, { signal, rewriteBytesMax: 0 });
        expect(swept.connections).toBeGreaterThan(0);
      });
      expect(found.filter((line) => !line.includes('from "connection_events" where "kind"'))).toEqual([]);
    });

    test('every transaction locks a connection, then its job, then its link session', async () => {
      const developer = await createMember(service, { role: 'developer', email: 'dev@example.com' });
      const { connectionId } = await link(service);
      const session = await openLinkSession(service, { connectionId });
      await driveToImport(session, { username: 'slow' });
      const params = { path: { applicationId: service.application.id, connectionId } };
      const one = '/management/applications/{applicationId}/connections/{connectionId}';
      await developer.client.POST(`${one}/refresh`, { params });
      await developer.client.POST(`${one}/break-credentials`, { params });
      await developer.client.DELETE(one, { params });
      const orders = lockOrders(captured.statements).filter(({ length }) => length > 1);
      expect(orders.filter((tables) => !isInOrder(tables))).toEqual([]);
      const kinds = new Set(orders.map((tables) => tables.join(', ')));
      expect([...kinds].toSorted()).toEqual([
        'connections, jobs',
        'connections, jobs, link_sessions',
        'connections, link_sessions',
        'jobs, link_sessions',
      ]);
    });

    test('every listed scan occurs', () => {
      const lines = captured.statements.map(({ text }) => text.replaceAll(/\s+/g, ' '));
      const unused = scans.filter(([, statement]) => !lines.some((line) => statement.test(line)));
      expect(unused.map(([why]) => why)).toEqual([]);
    });
  });
}

describe('migrate --distributed', () => {
  test('declares reference tables, then the colocated tables of end users, then the lookup tables', () => {
    const reference = ['organizations', 'applications', 'application_logos', 'api_keys', 'webhook_endpoints'];
    const ofEndUsers = [
      ...['data_keys', 'connections', 'connection_events', 'consents', 'accounts', 'transactions'],
      ...[
        'transaction_blocks',
        'block_deletions',
        'staged_texts',
        'webhook_deliveries',
        'simplefin_accesses',
      ],
    ];
    const distribute = (table: string, column: string, neighbour = 'end_users') =>
      `select create_distributed_table('${table}', '${column}', colocate_with => '${neighbour}')`;
    expect(distributionStatements()).toEqual([
      ...reference.map((table) => `select create_reference_table('${table}')`),
      distribute('end_users', 'end_user_id', 'none'),
      ...ofEndUsers.map((table) => distribute(table, 'end_user_id')),
      distribute('resource_owners', 'id'),
      distribute('external_users', 'external_user_id'),
      distribute('jobs', 'connection_id'),
      distribute('link_sessions', 'id'),
    ]);
    const distributed = new Set(distributionStatements().flatMap((text) => /'(\w+)'/.exec(text)![1]!));
    expect(distributionStatements(distributed)).toEqual([]);
  });

  for (const kind of databases) {
    test(`fails on ${kind.name} with the missing requirement`, async () => {
      const database = await kind.createEmpty();
      const db = await openDatabase(database.url);
      const missing = {
        SQLite: 'with Citus only, and this is SQLite',
        PostgreSQL: 'has no Citus: install it',
        Citus: 'has no Citus: install it',
      };
      await expect(distributeTables(db)).rejects.toThrow(missing[kind.name]);
      await db.close();
      await database.drop();
    });
  }

  const postgres = databases.find(({ name }) => name === 'PostgreSQL');
  test.runIf(postgres)('distributes the tables that are not distributed yet', async () => {
    const database = await postgres!.create();
    // A table `pg_extension` in the public schema replaces the catalog's, so that Citus seems to be installed.
    const db = await openDatabase(`${database.url}?options=-c%20search_path%3Dpublic,pg_catalog`);
    await db.write.raw(`
      create table pg_extension (extname text);
      insert into pg_extension values ('citus');
      create table pg_dist_partition (logicalrelid regclass);
      insert into pg_dist_partition values ('organizations'), ('end_users');
      create function create_reference_table(name text) returns void language sql
        as 'insert into pg_dist_partition values (name::regclass)';
      create function create_distributed_table(name text, distribution_column text, colocate_with text)
        returns void language sql as 'insert into pg_dist_partition values (name::regclass)';
    `);
    const distributed = await distributeTables(db);
    expect(distributed).toHaveLength(distributionStatements().length - 2);
    expect(distributed).not.toContain('end_users');
    expect(distributed).toEqual(expect.arrayContaining(['applications', 'transactions']));
    expect(await distributeTables(db)).toEqual([]);
    await db.close();
    await database.drop();
  });

  test.runIf(postgres)(
    "everything of an end user has a key with the same first bits of PostgreSQL's hash, so that one node has it",
    async () => {
      const service = await startService({ database: postgres! });
      onTestFinished(() => service.close());
      const { connectionId, scopedToken } = await link(service, { externalUserId: 'user 1' });
      const { apiKey } = service.application;
      await createSetupToken({ url: service.url, apiKey, scopedToken: scopedToken! });
      await driveToImport(await openLinkSession(service, { externalUserId: 'user 1', connectionId }));
      const { db } = service.service;
      for (const [table, { column }] of Object.entries(distributedTables)) {
        const rows = await db.read.raw(`select distinct hashtext(${column}) >> 24 as bits from ${table}`);
        const expected = await db.read.raw("select hashtext('user 1') >> 24 as bits");
        expect({ table, rows }).toEqual({ table, rows: rows.length === 0 ? [] : expected });
      }
    },
  );

  test('every unique index of a distributed table contains the distribution column, as Citus requires', async () => {
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
        const column = distributedTables[tablename]?.column;
        return column && !/\((.*)\)/.exec(indexdef)![1]!.split(', ').includes(column);
      });
      expect(wrong).toEqual([]);
      expect(rows.length).toBeGreaterThan(10);
    }
    await db.close();
    await database.drop();
  });
});
