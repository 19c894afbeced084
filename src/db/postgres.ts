// PostgreSQL: a pool of connections. A server that does not answer in time loses the connection, which also ends its transaction.
import pg from 'pg';
import { DatabaseUnavailable, OperatorError } from '../errors.ts';
import { type Driver, type Result, type Run, type Statement, watchErrors } from './driver.ts';
import { type Deadline, deadlineAfter, inTime } from './waits.ts';

const connectionsMax = 10;
/** How long a connection that nobody uses stays open. */
const idleTimeoutMillis = 30_000;
/** How long a connection may take to open. */
const connectTimeoutMs = 4000;

/** The pool has one time-out for opening a connection and for waiting for one; this one is for opening only. */
class Client extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectTimeoutMs });
  }
}

// The driver returns 64-bit integers as text; those of the tables are exact as numbers.
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format as 'text'),
};

type OpenClient = pg.PoolClient & { connection: { stream: { destroy(): void } } };

/** Named statements are planned once per connection if `prepared`. Throws OperatorError if the database does not answer. */
export const openPostgres = async (
  connectionString: string,
  { prepared, waitMs }: { prepared: boolean; waitMs: number },
): Promise<Driver> => {
  const pool = new pg.Pool({
    ...{ connectionString, types, keepAlive: true, max: connectionsMax, idleTimeoutMillis },
    Client: Client as never,
  });
  // A connection that is lost while nobody uses it is replaced when somebody needs one.
  pool.on('error', () => {});
  const { toKnown, isDiskFull } = watchErrors();
  const lend = async <Used>(
    deadline: Deadline,
    use: (client: OpenClient) => Promise<Used>,
  ): Promise<Used> => {
    const connecting = pool.connect().catch((error) => {
      throw toKnown(error);
    }) as Promise<OpenClient>;
    const client = await inTime(connecting, deadline, {
      message: 'No connection to the database was free in time.',
      giveUp: () =>
        void connecting.then(
          (late) => late.release(),
          () => {},
        ),
    });
    client.on('error', ignoreLoss);
    try {
      return await use(client);
    } catch (error) {
      throw toKnown(error);
    } finally {
      client.off('error', ignoreLoss);
      client.release();
    }
  };
  const answer = async (
    client: OpenClient,
    deadline: Deadline,
    { text, name }: Statement,
    values: readonly unknown[],
  ): Promise<Result & { command?: string }> => {
    const query = client.query({ text, name: prepared ? name : undefined, values: [...values] });
    query.catch(() => {});
    const result = await inTime(query, deadline, {
      message: 'The database did not answer in time.',
      giveUp: () => client.connection.stream.destroy(),
    });
    // Several statements in one text have an answer each.
    const { rows, rowCount, command } = [result].flat().at(-1)!;
    return { rows, changes: rowCount ?? 0, command };
  };
  const runAlone: Driver['read'] = (forMs, ...statement) => {
    const deadline = deadlineAfter(forMs);
    return lend(deadline, (client) => answer(client, deadline, ...statement));
  };
  const driver: Driver = {
    dialect: 'postgres',
    read: runAlone,
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
    ],
    isDiskFull,
    close: () => pool.end(),
  };
  try {
    await driver.read(waitMs, { text: 'select 1' }, []);
    if (prepared) await checkPrepared(lend, answer, deadlineAfter(waitMs));
  } catch (error) {
    await pool.end();
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The database of DATABASE_URL does not answer: ${(error as Error).message}`);
  }
  return driver;
};

// The next statement on this connection fails, and its sender gets the error.
const ignoreLoss = (): void => {};

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
    // So does the server end a transaction in which a statement has failed.
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

type Lend = <Used>(deadline: Deadline, use: (client: OpenClient) => Promise<Used>) => Promise<Used>;
type Answer = (client: OpenClient, deadline: Deadline, ...statement: Parameters<Run>) => Promise<Result>;

/**
 * Throws OperatorError if the pool is connected to a pooler that loses prepared statements. A pooler in transaction mode, such as
 * PgBouncer, gives each transaction another of its connections to the server, where a statement is unknown, or was prepared for
 * another client.
 */
const checkPrepared = (lend: Lend, answer: Answer, deadline: Deadline): Promise<void> =>
  lend(deadline, (first) =>
    lend(deadline, async (second) => {
      const statement = { name: 'check_of_prepared_statements', text: 'select 1' };
      // PgBouncer takes the connection that was used last, so that the second client finds the statement of the first; or with
      // server_round_robin another one, so that the first client misses its own.
      for (const client of [first, first, second]) await answer(client, deadline, statement, []);
    }),
  ).catch((error) => {
    if (!lossCodes.includes((error as { code?: string }).code ?? '')) throw error;
    throw new OperatorError(
      'DATABASE_URL leads to a pooler that loses prepared statements, such as PgBouncer in transaction mode: set DATABASE_PREPARED=off, or max_prepared_statements in PgBouncer 1.21 or later.',
    );
  });
