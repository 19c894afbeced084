// Distributes the tables over the nodes of a PostgreSQL with Citus. Tables of an end user are distributed by end user;
// tables that are read before the user is known, by the key of that read. Small tables that every node needs are
// reference tables. All others (members, metrics, the sandbox) stay on the coordinator.
import { OperatorError } from '../errors.ts';
import type { Database } from './open.ts';

type Distribution = { column: string; colocateWith?: string };

const byEndUser: Distribution = { column: 'end_user_id', colocateWith: 'end_users' };

/** Each distributed table's distribution column, and the table it is colocated with. */
export const distributedTables: Record<string, Distribution> = {
  end_users: { column: 'end_user_id' },
  data_keys: byEndUser,
  connections: byEndUser,
  connection_events: byEndUser,
  consents: byEndUser,
  accounts: byEndUser,
  transactions: byEndUser,
  transaction_blocks: byEndUser,
  block_deletions: byEndUser,
  staged_texts: byEndUser,
  webhook_deliveries: byEndUser,
  simplefin_accesses: byEndUser,
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
      ([table, { column, colocateWith }]) =>
        `select create_distributed_table('${table}', '${column}', colocate_with => '${colocateWith ?? 'none'}')`,
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
  const { rows } = await db.read.raw<{ rows: { name: string }[] }>(distributedTablesQuery);
  const distributed = new Set(rows.map(({ name }) => name));
  // Each statement moves the rows of one table in its own transaction, so that an interrupted run can be repeated.
  for (const statement of distributionStatements(distributed)) await db.write.raw(statement);
  return [...referenceTables, ...Object.keys(distributedTables)].filter((table) => !distributed.has(table));
};
