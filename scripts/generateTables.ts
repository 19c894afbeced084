// Row types of the tables: columns and nullability from a fresh SQLite database, comments and narrower types from the SQL text of
// the migration.
import BetterSqlite3 from 'better-sqlite3';
import { schemaStatements, schemaText } from '../src/platform/db/migrations/0001_tables.ts';
import { toCamelCase } from '../src/platform/db/queries.ts';

export const tablesFile = 'generated/tables.ts';

type Column = { table: string; name: string; type: string; nullable: 0 | 1 };

const header = `// Generated from src/platform/db/migrations/0001_tables.ts by \`npm run generate\`. Do not edit.

import type { Box } from '../src/platform/values/box.ts';
import type { webhooks } from './api.ts';
import type { components as DashboardApi } from './management.ts';
import type { components as WidgetApi } from './widget.ts';

/** A row of each table. */
export interface TableRows {
`;

export const generateTables = (): string => {
  const notes = readNotes();
  const tables = Map.groupBy(readColumns(), ({ table }) => table);
  const texts = [...tables].map(([table, columns]) => {
    const lines = columns.map((column) => formatColumn(column, notes.get(`${table}.${column.name}`) ?? ''));
    return `  ${table}: {\n${lines.join('')}  };\n`;
  });
  return `${header}${texts.join('')}}\n`;
};

const readColumns = (): Column[] => {
  const database = new BetterSqlite3(':memory:');
  for (const statement of schemaStatements('sqlite')) database.exec(statement);
  const columns = database.prepare<[], Column>(
    `select t.name as "table", c.name, lower(c.type) as type, not (c."notnull" or c.pk) as nullable
     from sqlite_schema t, pragma_table_info(t.name) c
     where t.type = 'table' and t.name not like 'sqlite_%' order by t.rowid, c.cid`,
  );
  return columns.all();
};

/** The comments on columns, by `table.column`. */
const readNotes = (): Map<string, string> => {
  const notes = new Map<string, string>();
  let table = '';
  let above: string[] = [];
  for (const line of schemaText.split('\n')) {
    if (line.startsWith(')')) table = '';
    table = /^create table (\w+)/.exec(line)?.[1] ?? table;
    const [, code, comment] = /^(.*?) *(?:-- (.*))?$/.exec(line)!;
    if (comment) above.push(comment);
    if (!code) continue;
    const column = /^ {2}(\w+)/.exec(code)?.[1];
    if (table && column) notes.set(`${table}.${column}`, above.join(' '));
    above = [];
  }
  return notes;
};

const typeOf: Record<string, string> = {
  text: 'string',
  integer: 'number',
  bigint: 'number',
  blob: 'Buffer',
};

const formatColumn = ({ name, type, nullable }: Column, note: string): string => {
  const [, narrower, comment] = /^(?:\{(.*?)\} ?)?(.*)$/.exec(note)!;
  const doc = comment ? `    /** ${comment} */\n` : '';
  return `${doc}    ${toCamelCase(name)}: ${narrower ?? typeOf[type]}${nullable ? ' | null' : ''};\n`;
};
