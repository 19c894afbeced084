// Checks the order in which transactions lock the rows of a connection: first the connection, then its job, then a link session
// (jobs.ts).
import type { Statement } from './captureStatements.ts';

const order = ['connections', 'jobs', 'link_sessions'];

const lockedTable = (text: string): string | undefined =>
  /^(?:update|delete from) "(connections|jobs|link_sessions)"/.exec(text)?.[1] ??
  /^select .* from "(connections|jobs|link_sessions)" .*for update/.exec(text)?.[1];

const idIn = (values: readonly unknown[], prefix: string): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value.startsWith(prefix));

/** The tables that transactions lock for each connection, in order of the first lock. Single statements are left out. */
export const lockOrders = (statements: readonly Statement[]): string[][] => {
  const connectionOf = new Map<string, string>();
  for (const { values } of statements) {
    const [connectionId, sessionId] = [idIn(values, 'con_'), idIn(values, 'lks_')];
    if (connectionId && sessionId) connectionOf.set(sessionId, connectionId);
  }
  const orders: string[][] = [];
  for (const sent of Map.groupBy(statements, ({ client }) => client).values()) {
    let locked = new Map<string, Set<string>>();
    for (const { text, values } of sent) {
      if (text === 'begin') locked = new Map();
      if (text === 'commit' || text === 'rollback') {
        orders.push(...[...locked.values()].map((tables) => [...tables]));
        locked = new Map();
      }
      const table = lockedTable(text);
      const sessionId = idIn(values, 'lks_');
      const connectionId = idIn(values, 'con_') ?? (sessionId && connectionOf.get(sessionId));
      if (table && connectionId) locked.set(connectionId, (locked.get(connectionId) ?? new Set()).add(table));
    }
  }
  return orders;
};

export const isInOrder = (tables: readonly string[]): boolean =>
  tables.every((table, at) => at === 0 || order.indexOf(tables[at - 1]!) < order.indexOf(table));
