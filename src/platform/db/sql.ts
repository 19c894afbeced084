// Handwritten SQL, next to the function that runs it. Statements that run in every request are handwritten, because building a
// statement costs more than running it.
import { createHash } from 'node:crypto';
import type { Statement } from './driver.ts';
import type { Queries } from './queries.ts';

/**
 * A short statement with `:name` for each value. `onPostgres` is its text for PostgreSQL, if that differs. Result columns keep
 * their names in the text. PostgreSQL plans the statement once per connection, and identifies it by a hash of its text.
 */
export const sql = <Values extends object, Row extends object>(
  text: string,
  onPostgres = text,
): ((db: Queries, values: Values) => Promise<Row[]>) => {
  // SQLite replans most statements with more than one condition whenever a value is bound, because the plan may depend on the
  // value. That takes longer than running them. It ignores the value of an expression.
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
