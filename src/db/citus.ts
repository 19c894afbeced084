// How the tables are spread over the nodes of a PostgreSQL with Citus: what belongs to an end user by end user, what
// is asked before the user is known by what is asked. What every node needs for that and is small is on all of them;
// the rest (the dashboard's members, counts, the sandbox bank) stays with the coordinator.
import { OperatorError } from '../errors.ts';
import type { Database } from './open.ts';

/** Each distributed table's column, and whose neighbour its rows are: rows of one end user lie together. */
export const distributedTables: Record<string, { by: string; beside?: string }> = {
  end_users: { by: 'end_user_id' },
  data_keys: { by: 'end_user_id', beside: 'end_users' },
  connections: { by: 'end_user_id', beside: 'end_users' },
  connection_events: { by: 'end_user_id', beside: 'end_users' },
  accounts: { by: 'end_user_id', beside: 'end_users' },
  transactions: { by: 'end_user_id', beside: 'end_users' },
  staged_transactions: { by: 'end_user_id', beside: 'end_users' },
  // Whose is this id; who is current for this external user id; when is which connection due; where a session stands.
  resource_owners: { by: 'id' },
  external_users: { by: 'external_user_id' },
  jobs: { by: 'connection_id' },
  link_sessions: { by: 'id' },
};

/** Small, read with every request, and in this order, because each refers to the ones before. */
export const referenceTables: readonly string[] = ['organizations', 'applications', 'api_keys'];

/** The statements that declare what of this is not declared yet. */
export const distributionStatements = (declared: ReadonlySet<string> = new Set()): string[] => [
  ...referenceTables
    .filter((table) => !declared.has(table))
    .map((table) => `select create_reference_table('${table}')`),
  ...Object.entries(distributedTables)
    .filter(([table]) => !declared.has(table))
    .map(
      ([table, { by, beside }]) =>
        `select create_distributed_table('${table}', '${by}', colocate_with => '${beside ?? 'none'}')`,
    ),
];

/** Declares the tables distributed, moving their rows; returns the tables that were not yet. Throws OperatorError. */
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
  const declared = new Set<string>(
    await db.read('pg_dist_partition').pluck(db.read.raw('logicalrelid::regclass::text') as never),
  );
  // Each moves the rows of its table in a transaction of its own: one that is stopped goes on from there.
  for (const statement of distributionStatements(declared)) await db.write.raw(statement);
  return [...referenceTables, ...Object.keys(distributedTables)].filter((table) => !declared.has(table));
};
