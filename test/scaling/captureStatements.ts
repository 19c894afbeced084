// Every statement that reaches PostgreSQL from this process, with its values, whichever way it was built: seen where
// all of them pass, in the driver.
import pg from 'pg';

export type Statement = { text: string; values: readonly unknown[] };

type Query = (this: pg.Client, query: unknown, values?: unknown, ...rest: unknown[]) => unknown;

/** Notes statements until `stop`. */
export const captureStatements = (): { statements: Statement[]; stop(): void } => {
  const statements: Statement[] = [];
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (query, values, ...rest) {
    const given = query as { text?: string; values?: unknown[] } | string;
    const text = typeof given === 'string' ? given : given.text;
    const bound = typeof given === 'string' ? values : (given.values ?? values);
    if (text) statements.push({ text, values: Array.isArray(bound) ? bound : [] });
    return original.call(this, query, values, ...rest);
  };
  return {
    statements,
    stop: () => {
      prototype.query = original;
    },
  };
};
