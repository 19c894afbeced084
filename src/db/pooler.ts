// Whether prepared statements work at DATABASE_URL. A pooler in transaction mode, such as PgBouncer, gives each transaction
// another of its connections to the server, where a statement is unknown, or was prepared for another client.
import type { Knex } from 'knex';
import { OperatorError } from '../errors.ts';
import { answerOrClose, type PostgresConnection } from './clients.ts';

const statement = { name: 'check_of_prepared_statements', text: 'select 1' };

/** The codes of "prepared statement already exists" and "prepared statement does not exist". */
const lossCodes = ['42P05', '26000'];

/** Throws OperatorError if the pool is connected to a pooler that loses prepared statements. */
export const checkPrepared = async ({ client }: Knex): Promise<void> => {
  const acquire = (): Promise<PostgresConnection> => client.acquireConnection();
  const connections = await Promise.all([acquire(), acquire()]);
  const run = async (connection: PostgresConnection): Promise<void> => {
    await answerOrClose(connection, () => connection.query(statement), client.config.maxWaitMs);
  };
  const [first, second] = connections;
  try {
    // PgBouncer takes the connection that was used last, so that the second client finds the statement of the first; or with
    // server_round_robin another one, so that the first client misses its own.
    for (const connection of [first, first, second]) await run(connection);
  } catch (error) {
    if (!lossCodes.includes((error as { code?: string }).code ?? '')) throw error;
    throw new OperatorError(
      'DATABASE_URL leads to a pooler that loses prepared statements, such as PgBouncer in transaction mode: set DATABASE_PREPARED=off, or max_prepared_statements in PgBouncer 1.21 or later.',
    );
  } finally {
    for (const connection of connections) await client.releaseConnection(connection);
  }
};
