// The service on the real cluster of TEST_DISTRIBUTED_URL, in `npm run test:distributed`.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BankTransaction } from '../../connectors/kit/contract.ts';
import { openDatabase } from '../../src/platform/db/open.ts';
import { days, toIsoDate } from '../../src/platform/values/clock.ts';
import { createMember } from '../http/dashboard/users.ts';
import { childrenOf } from '../support/childrenOf.ts';
import { databases } from '../support/databases.ts';
import { citusCluster, withClient } from '../support/postgresDatabases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { link, startService, type TestApplication, type TestService } from '../support/testService.ts';
import { createEndpoint } from '../webhooks/fixture.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const userCount = 12;
const poll = { timeout: 40_000, interval: 100 };

const parentOf = (pid: number): number =>
  Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

type User = { token: string; endUserId: string; connectionId: string; accountId: string };

describe.runIf(databases.some(({ name }) => name === 'Citus'))('a cluster', () => {
  let service: TestService;
  let application: TestApplication;
  const connector = makeScriptedConnector();
  const users: User[] = [];
  const databaseUrl = (): string => service.service.config.databaseUrl;

  beforeAll(async () => {
    const database = databases.find(({ name }) => name === 'Citus')!;
    const env = { ALLOWED_NETWORKS: '127.0.0.0/8' };
    service = await startService({ database, connectors: [connector.module], env });
    application = await service.addApplication({ environment: 'production' });
    for (let index = 0; index < userCount; index++) users.push(await linkUser(`user ${index}`));
  });
  afterAll(() => service?.close());

  const setBank = (username: string, added: BankTransaction[] = []): void => {
    const transactions = Array.from({ length: 30 }, (_, at) =>
      scriptedTransaction({ id: `${username} ${at}`, description: `${username} ${at}` }),
    );
    connector.setAccounts(username, [scriptedAccount({ transactions: [...transactions, ...added] })]);
  };

  const linkUser = async (username: string, externalUserId?: string): Promise<User> => {
    setBank(username);
    const linked = await link(service, {
      ...{ username, externalUserId, institutionId: northBank, applicationId: application.id },
    });
    const [account] = linked.accounts;
    const { endUserId } = (await service.service.db
      .read('resource_owners')
      .where({ id: linked.connectionId })
      .first())!;
    const { connectionId, scopedToken } = linked;
    return { token: scopedToken!, endUserId, connectionId, accountId: account!.id };
  };

  const listTransactions = ({ token, accountId }: User, from = service) =>
    from.client(token, application.apiKey).GET('/accounts/{accountId}/transactions', {
      params: { path: { accountId }, query: { limit: 20 } },
    });

  /** Runs a query on one server of the cluster, in the database of this test or of the server. */
  const query = async (server: string, sql: string, values: unknown[] = []) =>
    (await withClient(server, (client) => client.query(sql, values))).rows;

  const shardsOf = 'select shardid, nodename, nodeport from citus_shards where table_name = $1::regclass';

  /** The port of the node with the rows of an end user, or with the future rows of a new one with this external user id. */
  const nodePortOf = async (id: string): Promise<number> => {
    const own = `${shardsOf} and shardid = get_shard_id_for_distribution_column('end_users', $2::text)`;
    const [shard] = await query(databaseUrl(), own, ['end_users', id]);
    return shard.nodeport;
  };

  test('needs one shard for each statement of the public API', async () => {
    // Citus then refuses each statement that needs several shards.
    const oneShardOnly = `${databaseUrl()}?options=-c%20citus.multi_task_query_log_level%3Derror`;
    const db = await openDatabase(oneShardOnly);
    await expect(db.read('connections').count()).rejects.toThrow('multi-task query');
    await db.close();
    const { secretsDir } = service.service.config;
    const api = await startService({
      existing: { databaseUrl: oneShardOnly, secretsDir },
      worker: false,
      connectors: [connector.module],
    });
    const user = await linkUser('leaving');
    const client = api.client(user.token, application.apiKey);
    const connection = { params: { path: { connectionId: user.connectionId } } };
    const account = { params: { path: { accountId: user.accountId } } };
    const { data } = await listTransactions(user, api);
    const path = { accountId: user.accountId, transactionId: data!.transactions[0]!.id };
    const responses = [
      await client.GET('/connections'),
      await client.GET('/connections/{connectionId}', connection),
      await client.GET('/connections/{connectionId}/accounts', connection),
      await client.GET('/accounts/{accountId}', account),
      await client.GET('/accounts/{accountId}/transactions', account),
      await client.GET('/accounts/{accountId}/transactions/{transactionId}', { params: { path } }),
      await client.DELETE('/connections/{connectionId}', connection),
    ];
    expect(responses.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200, 200, 204]);
    await api.close();
  });

  /** Outages of a node. Each function returns another that ends the outage. */
  const outages: Record<string, (node: string) => Promise<() => Promise<void>>> = {
    'is down': async (node) => {
      const name = new URL(databaseUrl()).pathname.slice(1);
      await query(node, `alter database ${name} with allow_connections false`);
      await query(node, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      return async () => {
        await query(node, `alter database ${name} with allow_connections true`);
      };
    },
    hangs: async (node) => {
      const checkpointer = "select pid from pg_stat_activity where backend_type = 'checkpointer'";
      const [{ pid }] = await query(node, checkpointer);
      const server = parentOf(pid);
      const stopped = [server, ...childrenOf(server)];
      for (const one of stopped) process.kill(one, 'SIGSTOP');
      return async () => {
        // A process that has ended in the meantime remains until its parent continues.
        for (const one of stopped.toReversed()) process.kill(one, 'SIGCONT');
      };
    },
  };

  test.each(Object.keys(outages))(
    'serves, links and refreshes the users of the other nodes while one node %s, and its own afterwards',
    async (outage) => {
      const [, , stopped] = (await citusCluster()) as [string, string, string];
      const isOfStopped = (port: number): boolean => port === Number(new URL(stopped).port);
      const ports = await Promise.all(users.map((user) => nodePortOf(user.endUserId)));
      const expected = ports.map((port) => (isOfStopped(port) ? 503 : 200));
      expect(new Set(expected)).toEqual(new Set([200, 503]));
      const readAll = async (): Promise<number[]> => {
        const headers = { Authorization: `Bearer ${application.apiKey}` };
        const responses = await Promise.all(
          users.map(({ accountId, token }) =>
            // The client would retry refused requests.
            fetch(`${service.url}/accounts/${accountId}/transactions`, {
              headers: { ...headers, 'X-Scoped-Token': token },
            }),
          ),
        );
        await Promise.all(responses.map((response) => response.text()));
        return responses.map(({ status }) => status);
      };
      const description = `later, while it ${outage}`;
      /** True if each of these users has the transaction that was added at the bank. */
      const areRefreshed = async (some: User[]): Promise<boolean> => {
        const lists = await Promise.all(some.map((user) => listTransactions(user)));
        return lists.every(({ data }) => data?.transactions.some((one) => one.description === description));
      };
      const newcomers = Array.from({ length: userCount }, (_, index) => `newcomer ${index}, ${outage}`);
      const newcomerPorts = await Promise.all(newcomers.map(nodePortOf));
      const linkNewcomers = (which: (port: number) => boolean) =>
        Promise.allSettled(
          newcomers.filter((_, index) => which(newcomerPorts[index]!)).map((user) => linkUser(user, user)),
        );

      const receiver = await startReceiver();
      // The first link session of an application writes to all nodes.
      await link(service);
      const { endpointId } = await createEndpoint(service, receiver.url);
      const owner = await createMember(service, {
        role: 'owner',
        email: `${outage.replace(' ', '-')}@example.com`,
      });
      const resume = await outages[outage]!(stopped);
      try {
        expect(await readAll()).toEqual(expected);
        expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
        const linked = await linkNewcomers((port) => !isOfStopped(port));
        expect(linked.filter(({ status }) => status === 'rejected')).toEqual([]);
        expect(linked.length).toBeGreaterThan(1);
        // Endpoints of a Production application need https.
        const externalUserId = newcomers[newcomerPorts.findIndex((port) => !isOfStopped(port))];
        await link(service, { externalUserId });
        const { id: eventId, event } = await receiver.waitForType('connection.created');
        const { db } = service.service;
        const owned = await db.read('resource_owners').where({ id: event.data.connectionId }).first();
        const delivery = db
          .read('webhook_deliveries')
          .where({ endUserId: owned!.endUserId, eventId, endpointId });
        await expect.poll(async () => (await delivery.clone().first('state'))?.state, poll).toBe('delivered');
        // Applications, keys and endpoints are stored on all nodes.
        const path = `/management/applications/${service.application.id}/api-keys`;
        const headers = { 'Content-Type': 'application/json' };
        const created = await owner.fetch(path, { method: 'POST', headers, body: '{"name":"late"}' });
        expect(created.status).toBe(503);
        service.advance(days(2));
        const date = toIsoDate(service.service.clock.real());
        const later = scriptedTransaction({ id: description, description, date });
        for (const index of users.keys()) setBank(`user ${index}`, [later]);
        const others = users.filter((_, index) => !isOfStopped(ports[index]!));
        await expect.poll(() => areRefreshed(others), poll).toBe(true);
      } finally {
        await resume();
      }
      await expect.poll(readAll, poll).toEqual(users.map(() => 200));
      await expect.poll(() => areRefreshed(users), poll).toBe(true);
      const late = await linkNewcomers(isOfStopped);
      expect(late.filter(({ status }) => status === 'rejected')).toEqual([]);
      expect(late.length).toBeGreaterThan(1);
    },
  );

  test('loses nothing when its shards move to other nodes while they are read and written', async () => {
    const before = await Promise.all(users.map((user) => listTransactions(user)));
    const shards = await query(databaseUrl(), shardsOf, ['end_users']);
    const nodes = [...new Set(shards.map(({ nodeport }) => nodeport))];
    expect(nodes.length).toBeGreaterThan(1);
    let isMoving = true;
    const failures: unknown[] = [];
    const readWhileMoving = async (): Promise<number> => {
      let reads = 0;
      for (; isMoving; reads++) {
        const user = users[reads % users.length]!;
        const { data, response } = await listTransactions(user);
        if (JSON.stringify(data) !== JSON.stringify(before[reads % users.length]!.data))
          failures.push([response.status, data]);
      }
      return reads;
    };
    const reading = readWhileMoving();
    const linking = linkUser('arriving');
    for (const { shardid, nodename, nodeport } of shards) {
      const target = nodes.find((port) => port !== nodeport);
      const move = "select citus_move_shard_placement($1, $2, $3, $2, $4, 'block_writes')";
      await query(databaseUrl(), move, [shardid, nodename, nodeport, target]);
    }
    isMoving = false;
    expect(await reading).toBeGreaterThan(shards.length);
    expect(failures).toEqual([]);
    const { data } = await listTransactions(await linking);
    expect(data!.transactions).toHaveLength(20);
    const moved = await query(databaseUrl(), shardsOf, ['end_users']);
    for (const shard of shards) {
      const now = moved.find(({ shardid }) => shardid === shard.shardid);
      expect(now.nodeport).not.toBe(shard.nodeport);
    }
  });
});
