// Parses a statement with PostgreSQL's own parser and finds the tables that it uses, and the values to which its conditions
// restrict their distribution columns: by equality with a value, or with a column that has a value.
import { loadModule, parseSync } from 'libpg-query';

/** One table that a statement uses. */
export type TableAccess = {
  table: string;
  /** The possible values of its distribution column; undefined if the statement does not restrict them. */
  values: readonly unknown[] | undefined;
  /** True if the statement writes the distribution column of existing rows, which Citus refuses. */
  writesColumn: boolean;
};

/** The distribution column of each distributed table. */
export type Distribution = Record<string, { column: string }>;

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree has a hundred kinds of nodes; this file uses eight.
type Node = any;

/** One query, with its tables by their names in its conditions. `outer` is the enclosing query. */
type Scope = {
  depth: string;
  tables: Map<string, string>;
  equal: [Operand, Operand][];
  outer: Scope | undefined;
};
type Operand = { column: string } | { values: unknown[] };

type Analysis = {
  values: readonly unknown[];
  distribution: Distribution;
  /** The columns of each table. */
  columnsOf: ReadonlyMap<string, ReadonlySet<string>>;
  accesses: TableAccess[];
  /** The names of common table expressions. */
  cteNames: Set<string>;
};

export const loadParser = loadModule;

/** The distributed tables that a statement uses, with the values of their distribution columns. */
export const analyzeStatement = (
  text: string,
  values: readonly unknown[],
  schema: Pick<Analysis, 'distribution' | 'columnsOf'>,
): TableAccess[] => {
  const analysis: Analysis = { ...schema, values, accesses: [], cteNames: new Set() };
  for (const { stmt } of parseSync(text).stmts ?? []) visitBelow(analysis, stmt, undefined);
  return analysis.accesses;
};

const isQuery = /^(Select|Insert|Update|Delete)Stmt$/;

const visitBelow = (analysis: Analysis, node: Node, scope: Scope | undefined): void => {
  if (node === null || typeof node !== 'object') return;
  for (const [name, below] of Object.entries<Node>(node)) {
    if (isQuery.test(name)) visitQuery(analysis, name, below, scope);
    else visitBelow(analysis, below, scope);
  }
};

const visitQuery = (analysis: Analysis, kind: string, query: Node, outer: Scope | undefined): void => {
  // A subquery may use the same table under the same name; `depth` distinguishes the two.
  const scope: Scope = { depth: `${outer?.depth ?? ''}>`, tables: new Map(), equal: [], outer };
  for (const cte of query.withClause?.ctes ?? []) analysis.cteNames.add(cte.CommonTableExpr.ctename);
  for (const item of [...(query.fromClause ?? []), ...(query.usingClause ?? [])])
    addFrom(analysis, scope, item);
  if (query.relation) addTable(analysis, scope, query.relation);
  collect(analysis, scope, query.whereClause);
  for (const item of query.fromClause ?? []) collectJoins(analysis, scope, item);
  for (const [alias, table] of scope.tables) {
    const column = analysis.distribution[table]?.column;
    if (column === undefined) continue;
    const restricted =
      kind === 'InsertStmt'
        ? insertedValues(analysis, query, column)
        : valuesOfColumn(scope, nameOf(scope, alias, column));
    const written = kind === 'UpdateStmt' ? query.targetList : query.onConflictClause?.targetList;
    const writesColumn =
      alias === aliasOf(query.relation) &&
      (written ?? []).some((target: Node) => target.ResTarget.name === column);
    analysis.accesses.push({ table, values: restricted, writesColumn });
  }
  visitBelow(analysis, query, scope);
};

const nameOf = ({ depth }: Scope, alias: string, column: string): string => `${depth}${alias}.${column}`;

const addTable = ({ cteNames }: Analysis, scope: Scope, relation: Node): void => {
  if (cteNames.has(relation.relname)) return;
  scope.tables.set(aliasOf(relation)!, relation.relname);
};

const aliasOf = (relation: Node): string | undefined => relation?.alias?.aliasname ?? relation?.relname;

const addFrom = (analysis: Analysis, scope: Scope, item: Node): void => {
  if (item.RangeVar) addTable(analysis, scope, item.RangeVar);
  if (!item.JoinExpr) return;
  addFrom(analysis, scope, item.JoinExpr.larg);
  addFrom(analysis, scope, item.JoinExpr.rarg);
};

const collectJoins = (analysis: Analysis, scope: Scope, item: Node): void => {
  if (!item.JoinExpr) return;
  collect(analysis, scope, item.JoinExpr.quals);
  collectJoins(analysis, scope, item.JoinExpr.larg);
  collectJoins(analysis, scope, item.JoinExpr.rarg);
};

/** Collects the equalities of conditions that are joined by AND. */
const collect = (analysis: Analysis, scope: Scope, condition: Node): void => {
  if (condition?.BoolExpr?.boolop === 'AND_EXPR') {
    for (const part of condition.BoolExpr.args) collect(analysis, scope, part);
  }
  const expression = condition?.A_Expr;
  const isEquality = expression?.name?.[0]?.String.sval === '=';
  if (!isEquality || !['AEXPR_OP', 'AEXPR_IN'].includes(expression.kind)) return;
  const left = operand(analysis, scope, expression.lexpr);
  const right = operand(analysis, scope, expression.rexpr);
  if (left && right) scope.equal.push([left, right]);
};

const operand = (analysis: Analysis, scope: Scope, node: Node): Operand | undefined => {
  if (node?.List) {
    const parts = node.List.items.map((item: Node) => literal(analysis, item));
    return parts.every(Boolean) ? { values: parts.map((part: { value: unknown }) => part.value) } : undefined;
  }
  if (node?.ColumnRef) return columnOf(analysis, scope, node.ColumnRef.fields);
  const found = literal(analysis, node);
  return found && { values: [found.value] };
};

const literal = (analysis: Analysis, node: Node): { value: unknown } | undefined => {
  if (node?.TypeCast) return literal(analysis, node.TypeCast.arg);
  if (node?.ParamRef) return { value: analysis.values[node.ParamRef.number - 1] };
  const constant = node?.A_Const;
  return constant && { value: constant.sval?.sval ?? constant.ival?.ival ?? null };
};

const columnOf = ({ columnsOf }: Analysis, scope: Scope, fields: Node[]): Operand | undefined => {
  const names: string[] = fields.map((field) => field.String?.sval);
  const column = names.at(-1)!;
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const tables = [...at.tables];
    const found =
      names.length > 1
        ? tables.find(([alias]) => alias === names.at(-2))
        : tables.find(([, table]) => columnsOf.get(table)?.has(column));
    if (found) return { column: nameOf(at, found[0], column) };
  }
  return undefined;
};

const insertedValues = (analysis: Analysis, query: Node, column: string): unknown[] | undefined => {
  const at = query.cols.findIndex((col: Node) => col.ResTarget.name === column);
  const select = query.selectStmt?.SelectStmt;
  const rows: Node[][] = select?.valuesLists
    ? select.valuesLists.map((list: Node) => list.List.items)
    : [select?.targetList.map((target: Node) => target.ResTarget.val)];
  const found = rows.map((row) => literal(analysis, row[at]));
  return at >= 0 && found.every(Boolean) ? found.map((one) => one!.value) : undefined;
};

/** The values of a column according to the equalities of this query and the enclosing ones, followed from column to column. */
const valuesOfColumn = (scope: Scope, column: string): unknown[] | undefined => {
  const pairs: [Operand, Operand][] = [];
  for (let at: Scope | undefined = scope; at; at = at.outer) pairs.push(...at.equal);
  const seen = new Set([column]);
  for (const equal of seen) {
    for (const [left, right] of [...pairs, ...pairs.map(([a, b]): [Operand, Operand] => [b, a])]) {
      if (!('column' in left) || left.column !== equal) continue;
      if ('values' in right) return right.values;
      seen.add(right.column);
    }
  }
  return undefined;
};
