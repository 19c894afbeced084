// Reads a statement as PostgreSQL's own parser does, and says which tables it touches and which values it gives to
// their distribution columns: by an equality with a value, or with a column that has one.
import { loadModule, parseSync } from 'libpg-query';

/** One table within a statement. */
export type TableAccess = {
  table: string;
  /** The values that its distribution column may have; undefined where the statement leaves that open. */
  values: readonly unknown[] | undefined;
};

/** What the statement's tables are distributed by. */
export type Distribution = Record<string, { column: string }>;

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree has a hundred kinds of nodes, of which we know eight.
type Node = any;

/** One query: its tables by the names that its conditions use. What surrounds it is found through `outer`. */
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
  /** Which columns every table has. */
  columnsOf: ReadonlyMap<string, ReadonlySet<string>>;
  accesses: TableAccess[];
  /** What `with` makes, which is no table. */
  cteNames: Set<string>;
};

export const loadParser = loadModule;

/** The distributed tables that a statement touches. */
export const analyzeStatement = (
  text: string,
  values: readonly unknown[],
  known: Pick<Analysis, 'distribution' | 'columnsOf'>,
): TableAccess[] => {
  const reading: Analysis = { ...known, values, accesses: [], cteNames: new Set() };
  for (const { stmt } of parseSync(text).stmts ?? []) visitBelow(reading, stmt, undefined);
  return reading.accesses;
};

const isQuery = /^(Select|Insert|Update|Delete)Stmt$/;

const visitBelow = (reading: Analysis, node: Node, scope: Scope | undefined): void => {
  if (node === null || typeof node !== 'object') return;
  for (const [name, below] of Object.entries<Node>(node)) {
    if (isQuery.test(name)) visitQuery(reading, name, below, scope);
    else visitBelow(reading, below, scope);
  }
};

const visitQuery = (reading: Analysis, kind: string, query: Node, outer: Scope | undefined): void => {
  // Within itself a query may name the same table again: it is another one.
  const scope: Scope = { depth: `${outer?.depth ?? ''}>`, tables: new Map(), equal: [], outer };
  for (const cte of query.withClause?.ctes ?? []) reading.cteNames.add(cte.CommonTableExpr.ctename);
  for (const item of [...(query.fromClause ?? []), ...(query.usingClause ?? [])])
    addFrom(reading, scope, item);
  if (query.relation) addTable(reading, scope, query.relation);
  collect(reading, scope, query.whereClause);
  for (const item of query.fromClause ?? []) collectJoins(reading, scope, item);
  for (const [alias, table] of scope.tables) {
    const column = reading.distribution[table]?.column;
    if (column === undefined) continue;
    const given =
      kind === 'InsertStmt'
        ? insertedValues(reading, query, column)
        : valuesOfColumn(scope, nameOf(scope, alias, column));
    reading.accesses.push({ table, values: given });
  }
  visitBelow(reading, query, scope);
};

const nameOf = ({ depth }: Scope, alias: string, column: string): string => `${depth}${alias}.${column}`;

const addTable = ({ cteNames }: Analysis, scope: Scope, relation: Node): void => {
  if (cteNames.has(relation.relname)) return;
  scope.tables.set(relation.alias?.aliasname ?? relation.relname, relation.relname);
};

const addFrom = (reading: Analysis, scope: Scope, item: Node): void => {
  if (item.RangeVar) addTable(reading, scope, item.RangeVar);
  if (!item.JoinExpr) return;
  addFrom(reading, scope, item.JoinExpr.larg);
  addFrom(reading, scope, item.JoinExpr.rarg);
};

const collectJoins = (reading: Analysis, scope: Scope, item: Node): void => {
  if (!item.JoinExpr) return;
  collect(reading, scope, item.JoinExpr.quals);
  collectJoins(reading, scope, item.JoinExpr.larg);
  collectJoins(reading, scope, item.JoinExpr.rarg);
};

/** Of what must be true at once, the equalities. */
const collect = (reading: Analysis, scope: Scope, condition: Node): void => {
  if (condition?.BoolExpr?.boolop === 'AND_EXPR') {
    for (const part of condition.BoolExpr.args) collect(reading, scope, part);
  }
  const expression = condition?.A_Expr;
  const isEquality = expression?.name?.[0]?.String.sval === '=';
  if (!isEquality || !['AEXPR_OP', 'AEXPR_IN'].includes(expression.kind)) return;
  const left = operand(reading, scope, expression.lexpr);
  const right = operand(reading, scope, expression.rexpr);
  if (left && right) scope.equal.push([left, right]);
};

const operand = (reading: Analysis, scope: Scope, node: Node): Operand | undefined => {
  if (node?.List) {
    const parts = node.List.items.map((item: Node) => literal(reading, item));
    return parts.every(Boolean) ? { values: parts.map((part: { value: unknown }) => part.value) } : undefined;
  }
  if (node?.ColumnRef) return columnOf(reading, scope, node.ColumnRef.fields);
  const found = literal(reading, node);
  return found && { values: [found.value] };
};

const literal = (reading: Analysis, node: Node): { value: unknown } | undefined => {
  if (node?.TypeCast) return literal(reading, node.TypeCast.arg);
  if (node?.ParamRef) return { value: reading.values[node.ParamRef.number - 1] };
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

const insertedValues = (reading: Analysis, query: Node, column: string): unknown[] | undefined => {
  const at = query.cols.findIndex((col: Node) => col.ResTarget.name === column);
  const select = query.selectStmt?.SelectStmt;
  const rows: Node[][] = select?.valuesLists
    ? select.valuesLists.map((list: Node) => list.List.items)
    : [select?.targetList.map((target: Node) => target.ResTarget.val)];
  const found = rows.map((row) => literal(reading, row[at]));
  return at >= 0 && found.every(Boolean) ? found.map((one) => one!.value) : undefined;
};

/** The values that a column has by the equalities here and around, followed from column to column. */
const valuesOfColumn = (scope: Scope, column: string): unknown[] | undefined => {
  const pairs: [Operand, Operand][] = [];
  for (let at: Scope | undefined = scope; at; at = at.outer) pairs.push(...at.equal);
  const seen = new Set([column]);
  for (const known of seen) {
    for (const [left, right] of [...pairs, ...pairs.map(([a, b]): [Operand, Operand] => [b, a])]) {
      if (!('column' in left) || left.column !== known) continue;
      if ('values' in right) return right.values;
      seen.add(right.column);
    }
  }
  return undefined;
};
