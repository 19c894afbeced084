// Statements written by hand, each in view beside the function that runs it. Those of every request are written so, because
// building a statement costs more than running it.
import { createHash } from 'node:crypto';
import type { Statement } from './driver.ts';
import type { Queries } from './queries.ts';

/**
 * A short statement with `:name` for each value; `onPostgres` is its text there, if that differs. A column of a row has the name
 * that stands in the text. PostgreSQL plans the statement once for each connection, and knows it by a hash of its text.
 */
export const sql = <Values extends object, Row extends object>(
  text: string,
  onPostgres = text,
): ((db: Queries, values: Values) => Promise<Row[]>) => {
  // SQLite plans most statements that have more than one condition again whenever a value is bound, to choose by the value, which
  // takes longer than to run them. It does not look at the value of an expression.
  const sqlite = render(text, () => '+?');
  const postgres = render(onPostgres, (position) => `$${position}`);
  return async (db, values) => {
    const { statement, names } = db.client.dialect === 'postgresql' ? postgres : sqlite;
    const { rows } = await db.run(
      statement,
      names.map((name) => values[name as keyof Values]),
    );
    return rows as Row[];
  };
};

const render = (
  template: string,
  placeholder: (position: number) => string,
): { statement: Statement; names: string[] } => {
  const names: string[] = [];
  const text = template.replaceAll(/:(\w+)/g, (_, name: string) => placeholder(names.push(name)));
  const name = createHash('sha256').update(text).digest('base64url');
  return { statement: { text, name }, names };
};
