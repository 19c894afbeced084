// Counts the round trips of a request to PostgreSQL. Independent queries run concurrently, so that a database in another zone
// delays a page by one round trip, and a page of changes by three.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../client/index.ts';
import { revokeApiKey } from '../../src/domain/applications/apiKeys.ts';
import { operatorActor } from '../../src/domain/audit/by.ts';
import { databases } from '../support/databases.ts';
import { link, startService, type TestService } from '../support/testService.ts';

type Done = (error: Error | null, result?: unknown) => void;
type Query = (this: pg.Client, query: { text?: string; callback?: Done }, ...rest: unknown[]) => unknown;

const prototype = pg.Client.prototype as unknown as { query: Query };
const { query: sendQuery } = prototype;

/** The queries of requests; the service's loops read other tables. */
const readsRequested =
  /^\s*(select|with) .* from "?(api_keys|end_users|connections|accounts|transactions|transaction_blocks|data_keys|resource_owners)\b/s;

// Longer than starting a query takes, so that concurrent queries overlap.
const answerDelayMs = 30;

/** Delays each response, fails matching queries, and counts the queries and the longest chain of consecutive ones. */
const watchQueries = (failing?: RegExp) => {
  const counts = { queries: 0, roundTrips: 0 };
  let answered = 0;
  prototype.query = function (query, ...rest) {
    const { text = '', callback } = query;
    if (!readsRequested.test(text) || !callback) return sendQuery.call(this, query, ...rest);
    const roundTrip = answered + 1;
    counts.queries += 1;
    counts.roundTrips = Math.max(counts.roundTrips, roundTrip);
    query.callback = async (error, result) => {
      await sleep(answerDelayMs);
      answered = Math.max(answered, roundTrip);
      if (failing?.test(text)) callback(new Error('The query failed.'));
      else callback(error, result);
    };
    return sendQuery.call(this, query, ...rest);
  };
  return counts;
};

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  describe('a request on PostgreSQL', () => {
    let service: TestService;
    let client: Client;
    let scopedToken: string;
    let path: { connectionId: string; accountId: string; transactionId: string };
    const list = '/accounts/{accountId}/transactions';

    beforeAll(async () => {
      service = await startService({ database });
      const linked = await link(service);
      await service.service.worker!.stop();
      scopedToken = linked.scopedToken!;
      client = service.client(scopedToken);
      path = { connectionId: linked.connectionId, accountId: linked.accounts[0]!.id, transactionId: '' };
      const { data } = await client.GET(list, { params: { path, query: { limit: 10 } } });
      path.transactionId = data!.transactions.at(-1)!.id;
    });
    // Opens the connections of the pool: opening one takes longer than a query.
    beforeEach(async () => {
      await Promise.all(Array.from({ length: 4 }, () => client.GET('/connections')));
    });
    afterEach(() => {
      prototype.query = sendQuery;
    });
    afterAll(() => service.close());

    test('looks up the blocks of a page in the index, regardless of the number of others', async () => {
      const sent: { text: string; values: unknown[] }[] = [];
      prototype.query = function (query, ...rest) {
        const { text, values } = query as (typeof sent)[number];
        if (/from transaction_blocks/.test(text ?? '')) sent.push({ text, values });
        return sendQuery.call(this, query, ...rest);
      };
      await client.GET(list, { params: { path, query: { limit: 100 } } });
      prototype.query = sendQuery;
      const [blocks] = sent;
      const connection = new pg.Client(service.service.config.databaseUrl);
      await connection.connect();
      try {
        // The tables of a test are so small that PostgreSQL would scan them.
        await connection.query('set enable_seqscan = off');
        const { rows } = await connection.query(`explain ${blocks!.text}`, blocks!.values);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toMatch(/transaction_blocks_pkey.*\n\s*Index Cond: .*\(block = page.block/);
      } finally {
        await connection.end();
      }
    });

    const getPage = (query: { limit?: number; cursor?: string; refreshedSince?: string }) =>
      client.GET(list, { params: { path, query } });
    const nextCursor = async (query: { limit: number; refreshedSince?: string }): Promise<string> =>
      (await getPage(query)).data!.pagination.nextCursor!;
    const refreshedSince = 'txr_00000000000000000000000000';

    /** `before` reads the cursor for the request of the page. */
    const requests: {
      name: string;
      roundTrips: number;
      before?: () => Promise<string>;
      send: (cursor?: string) => Promise<{ response: Response }>;
    }[] = [
      { name: 'the list of connections', roundTrips: 1, send: () => client.GET('/connections') },
      ...(
        [
          ['a connection', 2, '/connections/{connectionId}'],
          ['accounts', 2, '/connections/{connectionId}/accounts'],
          ['an account', 1, '/accounts/{accountId}'],
          ['a transaction', 1, '/accounts/{accountId}/transactions/{transactionId}'],
        ] as const
      ).map(([name, roundTrips, operation]) => ({
        ...{ name, roundTrips, send: () => client.GET(operation, { params: { path } }) },
      })),
      { name: 'the first page of transactions', roundTrips: 1, send: () => getPage({ limit: 3 }) },
      {
        ...{ name: 'the next page of transactions', roundTrips: 1, before: () => nextCursor({ limit: 1 }) },
        send: (cursor) => getPage({ limit: 3, cursor }),
      },
      {
        ...{ name: 'the first page of changes', roundTrips: 3 },
        send: () => getPage({ limit: 3, refreshedSince }),
      },
      {
        name: 'a page of changes that begins within a refresh and reaches beyond it',
        roundTrips: 3,
        before: async () => {
          const { length } = (await getPage({})).data!.transactions;
          return nextCursor({ limit: length - 1, refreshedSince });
        },
        send: (cursor) => getPage({ limit: 3, refreshedSince, cursor }),
      },
    ];
    test.each(requests)(
      'for $name waits as often as its answers depend on each other',
      async ({ roundTrips, before, send }) => {
        const cursor = await before?.();
        const counts = watchQueries();
        expect((await send(cursor)).response.status).toBe(200);
        expect(counts.roundTrips).toBe(roundTrips);
      },
    );

    test('with a bad signature, or without a key, costs the database nothing', async () => {
      const counts = watchQueries();
      const forged = `${service.application.apiKey.slice(0, -8)}AAAAAAAA`;
      for (const key of [forged, 'garbage']) {
        const { response } = await service.client('sct_', key).GET('/connections');
        expect(response.status).toBe(401);
      }
      expect((await fetch(`${service.apiUrl}/connections`)).status).toBe(401);
      expect(counts.queries).toBe(0);
    });

    const revokedKey = async (): Promise<string> => {
      const { keyId, apiKey } = await service.addKey(service.application.id);
      await revokeApiKey(service.service.db, keyId, { actor: operatorActor, now: new Date() });
      return apiKey;
    };

    test('with a revoked key costs only the queries that start together', async () => {
      const apiKey = await revokedKey();
      const counts = watchQueries();
      const headers = { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': scopedToken };
      const response = await fetch(`${service.apiUrl}/accounts/${path.accountId}`, { headers });
      expect(response.status).toBe(401);
      expect(counts).toEqual({ queries: 3, roundTrips: 1 });
    });

    test('with a revoked key gets the same 401 if the query for its token or its path fails', async () => {
      const apiKey = await revokedKey();
      watchQueries(/from "?(end_users|resource_owners)\b/);
      for (const address of ['/connections', `/connections/${path.connectionId}`]) {
        const headers = { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': scopedToken };
        const response = await fetch(`${service.apiUrl}${address}`, { headers });
        expect(response.status).toBe(401);
      }
    });

    test('gets a 500 if a required query fails', async () => {
      watchQueries(/from "?(end_users|resource_owners)\b/);
      const { response } = await client.GET('/connections');
      expect(response.status).toBe(500);
    });
  });
}
