// Reads a distributed table while nodes of the cluster are down. Citus fails a statement over all shards if one node does not
// answer. The service then queries each other node for the rows of its shards, and the coordinator applies the statement to
// these rows. Plain databases and complete clusters run the statement itself.
import type { Knex } from 'knex';
import type { Queries } from './open.ts';

/** For how long a node that did not answer is left out. Then the whole cluster is asked again. */
const leftOutMs = 10_000;

type Outage = { nodes: Set<string>; until: number };

/** By the builder, which all queries of a database share. */
const outages = new WeakMap<object, Outage>();
const reports = new WeakMap<object, (error: unknown) => void>();

/** Calls `report` once for each outage of nodes that `readReachable` finds. */
export const onNodesDown = (db: Queries, report: (error: unknown) => void): void => {
  reports.set(db.client, report);
};

/** The error that Citus gives on the coordinator for the connection to a node. The driver's own errors have other codes. */
const isNodeDown = (error: unknown): boolean => /^08/.test((error as { code?: string }).code ?? '');

/** The rows of several queries about one distributed table, in one statement, without those of nodes that are down. */
export const readReachable = async <Row>(
  db: Queries,
  table: string,
  queries: readonly Knex.QueryBuilder[],
): Promise<Row[]> => {
  const readEach = async (outage: Outage): Promise<Row[]> => {
    const found: Row[] = [];
    for (const query of queries) found.push(...(await readNodes<Row>(db, table, query, outage)));
    return found;
  };
  const known = outages.get(db.client);
  if (known && performance.now() < known.until) return readEach(known);
  try {
    const rows: Row[] = await toStatement(db, queries);
    outages.delete(db.client);
    return rows;
  } catch (error) {
    if (!isNodeDown(error)) throw error;
    const outage = { nodes: new Set<string>(), until: performance.now() + leftOutMs };
    const rows = await readEach(outage);
    if (!outages.has(db.client)) reports.get(db.client)?.(error);
    outages.set(db.client, outage);
    return rows;
  }
};

// On SQLite, a part of a union has a limit of its own only as a subquery.
const toStatement = (db: Queries, queries: readonly Knex.QueryBuilder[]): Knex.QueryBuilder =>
  queries.length === 1
    ? queries[0]!.clone()
    : db.unionAll(queries.map((query) => db.select('*').from(query.clone().as('found'))));

// Each command reads the shards of one node under the name of their table. The function's arguments are all of a row.
const askNodes = `
  select answer.node_name || ':' || answer.node_port as node, answer.success, answer.result
  from (
    select array_agg(nodename) as names, array_agg(nodeport) as ports, array_agg(
      format('with %I as (%s) select coalesce(json_agg(found), ''[]'') from (%s) found', ?::text, shards, ?::text)
    ) as commands
    from (
      select nodename::text, nodeport,
        string_agg('select * from ' || shard_name(logicalrelid, shardid), ' union all ') as shards
      from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
      where logicalrelid = ?::regclass and noderole = 'primary' and nodename || ':' || nodeport <> all (?::text[])
      group by nodename, nodeport
    ) nodes
  ) request, master_run_on_worker(names, ports, commands, true) answer`;

const isUnreachable = /^failed to connect/;

const readNodes = async <Row>(
  db: Queries,
  table: string,
  query: Knex.QueryBuilder,
  { nodes }: Outage,
): Promise<Row[]> => {
  // Whole rows of this table, because the coordinator applies the query to them again.
  const ofNode = query.clone().clearSelect().select(`${table}.*`).toQuery();
  const rows = await db.raw<{ node: string; success: boolean; result: string }[]>(askNodes, [
    ...[table, ofNode, table, [...nodes]],
  ]);
  // Any other failure of a command is of this statement only.
  for (const { node, success, result } of rows) if (!success && isUnreachable.test(result)) nodes.add(node);
  const found = `[${rows.filter(({ success }) => success).flatMap(({ result }) => result.slice(1, -1) || [])}]`;
  const ofNodes = db.raw(`select * from json_populate_recordset(null::${table}, ?::json)`, [found]);
  return query.clone().with(table, ofNodes);
};
