// Captures every statement that this process sends to PostgreSQL, with its values, by wrapping the driver's query method.
import pg from 'pg';

/** `client` is the connection on which it was sent. */
export type Statement = { client: object; text: string; values: readonly unknown[] };

type Query = (this: pg.Client, query: unknown, values?: unknown, ...rest: unknown[]) => unknown;

/** Captures statements until `stop`. */
export const captureStatements = (): { statements: Statement[]; stop(): void } => {
  const statements: Statement[] = [];
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (query, values, ...rest) {
    const config = query as { text?: string; values?: unknown[] } | string;
    const text = typeof config === 'string' ? config : config.text;
    const bound = typeof config === 'string' ? values : (config.values ?? values);
    if (text) statements.push({ client: this, text, values: Array.isArray(bound) ? bound : [] });
    return original.call(this, query, values, ...rest);
  };
  return {
    statements,
    stop: () => {
      prototype.query = original;
    },
  };
};
