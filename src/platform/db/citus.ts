// Distributes the tables over the nodes of a Citus cluster. Tables with an end user's data are distributed by end user. Tables
// that are read before the user is known are distributed by the key of that read. These keys are on the user's node because
// their hashes begin with the same bits (ids.ts). Small tables that every node needs are reference tables. All others
// (members, metrics, the sandbox) stay on the coordinator.
import { OperatorError } from '../values/errors.ts';
import type { Database } from './open.ts';

/** Each distributed table's distribution column. All are colocated with `end_users`, the first. */
export const distributedTables: Record<string, { column: string }> = {
  end_users: { column: 'end_user_id' },
  data_keys: { column: 'end_user_id' },
  connections: { column: 'end_user_id' },
  connection_events: { column: 'end_user_id' },
  consents: { column: 'end_user_id' },
  accounts: { column: 'end_user_id' },
  transactions: { column: 'end_user_id' },
  transaction_blocks: { column: 'end_user_id' },
  block_deletions: { column: 'end_user_id' },
  staged_texts: { column: 'end_user_id' },
  webhook_deliveries: { column: 'end_user_id' },
  simplefin_accesses: { column: 'end_user_id' },
  // Read before the end user is known.
  resource_owners: { column: 'id' },
  external_users: { column: 'external_user_id' },
  jobs: { column: 'connection_id' },
  link_sessions: { column: 'id' },
};

/** Tables copied to every node: small and read with every request. Each may refer to earlier ones, so order matters. */
export const referenceTables: readonly string[] = [
  'organizations',
  'applications',
  'application_logos',
  'api_keys',
  'webhook_endpoints',
];

/** The statements that distribute the tables that are not `distributed` yet. */
export const distributionStatements = (distributed: ReadonlySet<string> = new Set()): string[] => [
  ...referenceTables
    .filter((table) => !distributed.has(table))
    .map((table) => `select create_reference_table('${table}')`),
  ...Object.entries(distributedTables)
    .filter(([table]) => !distributed.has(table))
    .map(
      ([table, { column }]) =>
        `select create_distributed_table('${table}', '${column}', colocate_with => '${table === 'end_users' ? 'none' : 'end_users'}')`,
    ),
];

/** The query for the tables that Citus has distributed already; each row has a `name`. */
export const distributedTablesQuery = 'select logicalrelid::regclass::text as name from pg_dist_partition';

/**
 * Distributes the tables that are not distributed yet, with their rows, and returns their names. Throws OperatorError on
 * SQLite and on a PostgreSQL without Citus.
 */
export const distributeTables = async (db: Database): Promise<string[]> => {
  if (db.dialect !== 'postgres') {
    throw new OperatorError('Tables can be distributed on PostgreSQL with Citus only, and this is SQLite.');
  }
  const extension = await db.read('pg_extension').where({ extname: 'citus' }).first('extname');
  if (!extension) {
    throw new OperatorError(
      'This PostgreSQL has no Citus: install it and run "create extension citus" in this database first.',
    );
  }
  const rows = await db.read.raw<{ name: string }[]>(distributedTablesQuery);
  const distributed = new Set(rows.map(({ name }) => name));
  // Each statement moves the rows of one table in its own transaction, so that an interrupted run can be repeated.
  for (const statement of distributionStatements(distributed)) await db.write.raw(statement);
  return [...referenceTables, ...Object.keys(distributedTables)].filter((table) => !distributed.has(table));
};
