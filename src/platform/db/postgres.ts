// PostgreSQL: a pool of connections. If the server does not respond in time, the connection is closed, which ends its transaction.
import pg from 'pg';
import { toDriverUrl } from '../settings/databaseUrl.ts';
import { DatabaseUnavailable, OperatorError } from '../values/errors.ts';
import { type Driver, type Result, type Run, watchErrors } from './driver.ts';
import { checkEncoding, explainConnecting } from './explainPostgres.ts';
import { KnownQuery } from './knownQuery.ts';
import { NodeUnavailable, type NodeWatch, watchNodes } from './nodeWatch.ts';
import { makePipeline, type PipelinedClient } from './pipeline.ts';
import { type Deadline, deadlineAfter, inTime } from './waits.ts';

/** The size of the pool, excluding the two connections for the reads of requests. */
const connectionsMax = 8;
/** An idle connection is closed after this time. */
const idleTimeoutMillis = 30_000;
/** The timeout for opening a connection. */
const connectTimeoutMs = 4000;

/** The pool has a single timeout for opening a connection and for waiting for one; this one is for opening only. */
class Client extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectTimeoutMs });
  }
}

// The driver returns 64-bit integers as text. The integers in our tables are exact as numbers.
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format as 'text'),
};

type OpenClient = pg.PoolClient & PipelinedClient & { connection: { stream: { destroy(): void } } };

/** Named statements are planned once per connection if `prepared`. Throws OperatorError if the database cannot be used. */
export const openPostgres = async (
  url: string,
  { prepared, waitMs }: { prepared: boolean; waitMs: number },
): Promise<Driver> => {
  const connection = { connectionString: toDriverUrl(url), types, keepAlive: true };
  const target = openTarget(connection);
  const pool = new pg.Pool({
    ...{ ...connection, max: connectionsMax, idleTimeoutMillis },
    Client: Client as never,
  });
  // A connection that is lost while idle is replaced on demand.
  pool.on('error', ignoreLoss);
  const { toKnown, isDiskFull } = watchErrors();
  const known: Known = (asking) =>
    asking.catch((error) => {
      throw toKnown(error);
    });
  const lend = makeLend(pool, known);
  let nodes: NodeWatch | undefined;
  const ask = makeAnswer(prepared);
  const answer: Answer = (client, ...statement) => {
    const asking = () => ask(client, ...statement);
    return nodes ? nodes.guard(statement[2], asking, () => client.connection.stream.destroy()) : asking();
  };
  const pipeline = makePipeline(
    async () => {
      const client = new Client({ ...connection, pipeline: true }).on('error', ignoreLoss);
      await known(client.connect());
      return client as unknown as OpenClient;
    },
    (...statement) => known(answer(...statement)),
  );
  const runAlone: Driver['write'] = (forMs, ...statement) => {
    const deadline = deadlineAfter(forMs);
    return lend(deadline, (client) => answer(client, deadline, ...statement));
  };
  const driver: Driver = {
    dialect: 'postgres',
    read: (forMs, ...statement) => {
      // Named statements of requests are short. Those of jobs may return many rows.
      const isShort = statement[0].name !== undefined && forMs < waitMs;
      if (!isShort || pipeline.isFull()) return runAlone(forMs, ...statement);
      const deadline = deadlineAfter(forMs);
      const result = pipeline.read(deadline, ...statement);
      if (!nodes) return result;
      return result.catch((error) => {
        // The connection was lost because another statement on it was waiting for a node that does not respond.
        const isLost = error instanceof DatabaseUnavailable && !(error instanceof NodeUnavailable);
        const leftMs = deadline - performance.now();
        if (!isLost || leftMs <= 0) throw error;
        return runAlone(leftMs, ...statement);
      });
    },
    write: runAlone,
    transaction: (forMs, use) => {
      const deadline = deadlineAfter(forMs);
      return lend(deadline, (client) => {
        const send: Send = (until, ...statement) => answer(client, until, ...statement);
        return runTransaction(send, deadline, use, forMs);
      });
    },
    pools: () => [
      {
        pool: 'all',
        used: pool.totalCount - pool.idleCount,
        free: pool.idleCount,
        waiting: pool.waitingCount,
      },
      { pool: 'read', ...pipeline.use() },
    ],
    isDiskFull,
    close: async () => {
      await Promise.all([nodes?.stop(), pipeline.close(), pool.end()]);
    },
  };
  try {
    const { rows } = await runAlone(waitMs, { text: findServer }, []);
    const server = rows[0] as { name: string; encoding: string; citus: boolean };
    checkEncoding(server);
    if (server.citus) nodes = watchNodes(async () => openProbe(connection));
    if (prepared) await checkPrepared(lend, answer, deadlineAfter(waitMs));
  } catch (error) {
    await pool.end();
    if (error instanceof OperatorError) throw error;
    throw explainConnecting(error as Error, target);
  }
  return { ...driver, nodes };
};

const findServer = `select current_database() as name, current_setting('server_encoding') as encoding,
  exists (select from pg_extension where extname = 'citus') as citus`;

const openProbe = async (connection: pg.ClientConfig): Promise<OpenClient & pg.Client> => {
  const client = new Client(connection).on('error', ignoreLoss);
  await client.connect();
  return client as unknown as OpenClient & pg.Client;
};

/** A client with the host, port, user and database of the URL. Throws OperatorError if a certificate file cannot be read. */
const openTarget = (connection: pg.ClientConfig): pg.Client => {
  try {
    return new pg.Client(connection);
  } catch (error) {
    throw new OperatorError(`DATABASE_URL cannot be used: ${(error as Error).message}.`);
  }
};

type Lend = <Used>(deadline: Deadline, use: (client: OpenClient) => Promise<Used>) => Promise<Used>;
/** Converts errors of the driver. */
type Known = <Done>(asking: Promise<Done>) => Promise<Done>;

const makeLend =
  (pool: pg.Pool, known: Known): Lend =>
  async (deadline, use) => {
    const connecting = known(pool.connect()) as Promise<OpenClient>;
    const client = await inTime(connecting, deadline, {
      message: 'No connection to the database was free in time.',
      giveUp: () =>
        void connecting.then(
          (late) => late.release(),
          () => {},
        ),
    });
    client.on('error', ignoreLoss);
    const used = known(use(client));
    // A connection that was given up or lost is closed instead of reused.
    const isLost = await used.then(
      () => false,
      (error) => error instanceof DatabaseUnavailable,
    );
    if (!isLost) client.off('error', ignoreLoss);
    client.release(isLost);
    return used;
  };

type Answer = (
  client: OpenClient,
  deadline: Deadline,
  ...statement: Parameters<Run>
) => Promise<Result & { command?: string }>;

const makeAnswer =
  (prepared: boolean): Answer =>
  async (client, deadline, { text, name }, values) => {
    const query =
      prepared && name !== undefined
        ? runNamed(client, { text, name }, [...values])
        : client.query({ text, values: [...values] });
    query.catch(() => {});
    const result = await inTime(query, deadline, {
      message: 'The database did not answer in time.',
      giveUp: () => client.connection.stream.destroy(),
    });
    // Each of several statements in one text has its own result.
    const { rows, rowCount, command } = [result].flat().at(-1)!;
    return { rows, changes: rowCount ?? 0, command };
  };

// The next statement on this connection fails, and its sender gets the error.
const ignoreLoss = (): void => {};

const runNamed = (
  client: OpenClient,
  statement: { text: string; name: string },
  values: unknown[],
): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const done = (error: Error | null, result: pg.QueryResult) => (error ? reject(error) : resolve(result));
    client.query(new KnownQuery(statement, values, types, done) as never);
  });

type Send = (
  deadline: Deadline,
  ...statement: Parameters<Run>
) => Promise<Result & { command?: string | undefined }>;

const runTransaction = async <Used>(
  send: Send,
  deadline: Deadline,
  use: (run: Run) => Promise<Used>,
  statementMs: number,
): Promise<Used> => {
  let isOpen = true;
  const run: Run = async (...statement) => {
    if (!isOpen) throw new DatabaseUnavailable('The transaction has ended.');
    return send(deadlineAfter(statementMs), ...statement);
  };
  await send(deadline, { text: 'begin' }, []);
  try {
    const used = await use(run);
    isOpen = false;
    const { command } = await send(deadlineAfter(statementMs), { text: 'commit' }, []);
    // The server also rolls back a transaction in which a statement has failed.
    if (command === 'ROLLBACK') throw new DatabaseUnavailable('The transaction was rolled back.');
    return used;
  } catch (error) {
    isOpen = false;
    await send(deadlineAfter(statementMs), { text: 'rollback' }, []).catch(() => {});
    throw error;
  }
};

/** The codes of "prepared statement already exists" and "prepared statement does not exist". */
const lossCodes = ['42P05', '26000'];

/**
 * Throws OperatorError if the pool is connected to a pooler that loses prepared statements. A pooler in transaction mode, such as
 * PgBouncer, can run each transaction on a different server connection, where the statement is unknown or was prepared by another
 * client.
 */
const checkPrepared = (lend: Lend, answer: Answer, deadline: Deadline): Promise<void> =>
  lend(deadline, (first) =>
    lend(deadline, async (second) => {
      const statement = { name: 'check_of_prepared_statements', text: 'select 1' };
      // PgBouncer reuses the last server connection, where the second client finds the statement of the first. With
      // server_round_robin it takes another one, where the first client misses its own statement.
      for (const client of [first, first, second]) await answer(client, deadline, statement, []);
    }),
  ).catch((error) => {
    if (!lossCodes.includes((error as { code?: string }).code ?? '')) throw error;
    throw new OperatorError(
      'DATABASE_URL leads to a pooler that loses prepared statements, such as PgBouncer in transaction mode: set DATABASE_PREPARED=off, or max_prepared_statements in PgBouncer 1.21 or later.',
    );
  });
