// Databases of the run's PostgreSQL server, and of a Citus cluster (TEST_DISTRIBUTED_URL). A template with all tables is
// created once. Each test gets a copy, on a cluster one on every node.
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { distributedTables, distributeTables, referenceTables } from '../../src/platform/db/citus.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { migrations } from '../../src/platform/db/migrations/migrations.ts';
import { withDatabase } from '../../src/platform/db/open.ts';
import { limits } from '../../src/platform/settings/limits.ts';
import { sharedServerUrl } from './sharedServers.ts';

/** Close everything that uses the database before calling `drop`, or `drop` fails. */
export type TestDatabase = { url: string; drop(): Promise<void> };

/** The URLs of the servers' own databases (`postgres`). For a cluster, the coordinator is the first. */
type Servers = readonly [string, ...string[]];

export const makeDatabaseName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

export const stillOpenError = (count: number): Error =>
  new Error(`A database was dropped while ${count} connections to it were open: close what uses it first.`);

export const migrateDatabase = (url: string, { distributed = false } = {}): Promise<void> =>
  withDatabase(url, async (db) => {
    await migrate(db, { limits });
    if (distributed) await distributeTables(db);
  });

/** The server that this run started. */
export const postgresServer = async (): Promise<Servers> => [await sharedServerUrl('postgres')];

let cluster: Promise<Servers> | undefined;

/** The cluster whose coordinator is at TEST_DISTRIBUTED_URL, the address of a database that knows the other nodes. */
export const citusCluster = (): Promise<Servers> => (cluster ??= findNodes());

const findNodes = async (): Promise<Servers> => {
  const url = process.env.TEST_DISTRIBUTED_URL;
  if (!url) throw new Error('TEST_DISTRIBUTED_URL must be the address of a Citus cluster.');
  const workers = 'select nodename, nodeport from pg_dist_node where groupid <> 0 order by groupid';
  const { rows } = await withClient(url, (client) => client.query(workers));
  const addresses = rows.map(({ nodename, nodeport }) =>
    databaseUrl(Object.assign(new URL(url), { hostname: nodename, port: nodeport }).href, 'postgres'),
  );
  return [databaseUrl(url, 'postgres'), ...addresses];
};

/** Runs queries on one connection to a database, then closes it. */
export const withClient = async <Result>(
  url: string,
  run: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
};

const databaseUrl = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: name }).href;

/** Runs statements on every server, starting with the last. */
const onEachServer = async (servers: Servers, ...statements: string[]): Promise<void> => {
  for (const server of servers.toReversed()) {
    await withClient(server, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  }
};

/** A migrated database that is copied for each test, on every server. */
type Template = { name(): Promise<string>; make(servers: Servers, name: string): Promise<void> };

export const migratedTemplate: Template = {
  name: async () => 'migrated',
  make: async ([server], name) => migrateDatabase(databaseUrl(server, name)),
};

/** A cluster outlives the run, so the name contains the schema of the template. */
export const distributedTemplate: Template = {
  name: async () => {
    const hash = createHash('sha256');
    hash.update(JSON.stringify([migrations.map(({ name }) => name), referenceTables, distributedTables]));
    return `distributed_${hash.digest('hex').slice(0, 16)}`;
  },
  make: async (servers, name) => {
    const [coordinator, ...workers] = servers;
    for (const server of servers) {
      await withClient(databaseUrl(server, name), (client) => client.query('create extension citus'));
    }
    const add = (call: string, server: string): string => {
      const { hostname, port } = new URL(server);
      return `select ${call}('${hostname}', ${port})`;
    };
    await withClient(databaseUrl(coordinator, name), async (client) => {
      // Few shards, because each one is a separate table in every copy.
      await client.query(
        `alter database ${name} set citus.shard_count = ${shardsPerWorker * workers.length}`,
      );
      await client.query(add('citus_set_coordinator_host', coordinator));
      for (const worker of workers) await client.query(add('citus_add_node', worker));
    });
    await migrateDatabase(databaseUrl(coordinator, name), { distributed: true });
    // Citus stays connected to each of its databases, and a database with connections cannot be copied.
    const close = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
    await onEachServer(servers, `alter database ${name} with allow_connections false`, close);
  },
};

const shardsPerWorker = 4;

/** An arbitrary number: nothing else takes advisory locks in the servers' own databases. */
const templateLock = 1;

/** A copy of the template, which is created if it does not exist. */
export const createFromTemplate = async (servers: Servers, template: Template): Promise<TestDatabase> => {
  const [coordinator] = servers;
  const name = makeDatabaseName();
  const templateName = await template.name();
  await withClient(coordinator, async (client) => {
    // A template cannot be copied while a connection uses it; the lock ends with this connection.
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    const existing = await client.query('select 1 from pg_database where datname = $1', [templateName]);
    if (!existing.rowCount) {
      const unfinished = makeDatabaseName();
      await onEachServer(servers, `create database ${unfinished}`);
      await template.make(servers, unfinished);
      await onEachServer(servers, `alter database ${unfinished} rename to ${templateName}`);
    }
    // Copying files takes a third as long as the default, which copies through the write-ahead log.
    await onEachServer(servers, `create database ${name} template ${templateName} strategy file_copy`);
  });
  return makeTestDatabase(servers, name);
};

/** A database without tables; on a cluster, only on its coordinator. */
export const createEmptyDatabase = async ([server]: Servers): Promise<TestDatabase> => {
  const name = makeDatabaseName();
  await onEachServer([server], `create database ${name}`);
  return makeTestDatabase([server], name);
};

const makeTestDatabase = (servers: Servers, name: string): TestDatabase => ({
  url: databaseUrl(servers[0], name),
  drop: () => dropDatabase(servers, name),
});

/** The condition for connections that are not Citus's own. */
export const isOfClient = "backend_type = 'client backend' and application_name not like 'citus%'";

const closingGraceMs = 1500;
const dropAttemptsMax = 5;
const objectInUse = '55006';

/** Citus reconnects to each database, perhaps at the moment when it is dropped. */
const dropByForce = async (client: pg.Client, name: string, attempts: number): Promise<void> => {
  try {
    await client.query(`drop database ${name} with (force)`);
  } catch (error) {
    if ((error as { code?: string }).code !== objectInUse || attempts === 1) throw error;
    await dropByForce(client, name, attempts - 1);
  }
};

const dropDatabase = async (servers: Servers, name: string): Promise<void> => {
  const deadline = Date.now() + closingGraceMs;
  const open = `select 1 from pg_stat_activity where datname = $1 and ${isOfClient}`;
  let connections = 0;
  await withClient(servers[0], async (client) => {
    do {
      // The server still lists a closed connection for a short time.
      connections = (await client.query(open, [name])).rowCount ?? 0;
    } while (connections > 0 && Date.now() < deadline);
  });
  for (const server of servers.toReversed()) {
    await withClient(server, (client) => dropByForce(client, name, dropAttemptsMax));
  }
  if (connections > 0) throw stillOpenError(connections);
};
