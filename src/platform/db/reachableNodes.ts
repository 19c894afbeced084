// Reads a distributed table while nodes of the cluster are down. A statement over all shards fails in Citus if one node does
// not respond. The service then queries each other node for the rows of its shards, and the coordinator applies the statement
// to these rows. Plain databases, and clusters without failures, run the statement itself.
import type { Knex } from 'knex';
import type { NodeWatch } from './nodeWatch.ts';
import type { Queries } from './queries.ts';

/** The key is the builder, which all queries of a database share. */
const watches = new WeakMap<object, NodeWatch>();

/** Lets `readReachable` know the nodes of a database. */
export const useNodeWatch = (builder: { client: object }, watch: NodeWatch): void => {
  watches.set(builder.client, watch);
};

/** The rows of several queries about one distributed table, in one statement, without those of nodes that do not respond. */
export const readReachable = async <Row>(
  db: Queries,
  table: string,
  queries: readonly Knex.QueryBuilder[],
): Promise<Row[]> => {
  const out = [...(watches.get(db.client)?.out() ?? [])];
  if (out.length === 0) return toStatement(db, queries);
  const found: Row[] = [];
  for (const query of queries) found.push(...(await readNodes<Row>(db, table, query, out)));
  return found;
};

// On SQLite, a part of a union can have its own limit only as a subquery.
const toStatement = (db: Queries, queries: readonly Knex.QueryBuilder[]): Knex.QueryBuilder =>
  queries.length === 1
    ? queries[0]!.clone()
    : db.unionAll(queries.map((query) => db.select('*').from(query.clone().as('found'))));

// Each command reads the shards of one node under the name of their table. One row has all arguments of the function.
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

const readNodes = async <Row>(
  db: Queries,
  table: string,
  query: Knex.QueryBuilder,
  out: string[],
): Promise<Row[]> => {
  // Whole rows of this table, because the coordinator applies the query to them again.
  const ofNode = query.clone().clearSelect().select(`${table}.*`).toQuery();
  const rows = await db.raw<{ node: string; success: boolean; result: string }[]>(askNodes, [
    ...[table, ofNode, table, out],
  ]);
  const found = `[${rows.filter(({ success }) => success).flatMap(({ result }) => result.slice(1, -1) || [])}]`;
  const ofNodes = db.raw(`select * from json_populate_recordset(null::${table}, ?::json)`, [found]);
  return query.clone().with(table, ofNodes);
};
