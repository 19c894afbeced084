// The table of outcomes: the effects of each change, as a document whose diff shows changes of behavior.
import { readFile, writeFile } from 'node:fs/promises';
import type { Change } from './changes.ts';

const file = new URL('outcomes.md', import.meta.url);

export type Outcome = { change: Change; outcome: string };

const header = `# What follows from changed values

Each column of each table is changed in turn, as somebody could who writes the database; then connections are linked,
refreshed and reconnected, and everybody reads (\`everyColumn.test.ts\`). *Own* is the end user of the changed row, *the
other* the one whose value it got; *missing* is 403 or 404; "*X* instead of null" fills an empty value. This file is written by
\`WRITE_OUTCOMES=1 TEST_DATABASES=SQLite npm run test:nightly -- tampering\`.
`;

/** Columns, each with the changes that led to this outcome, or alone if all its changes did. */
const columnsOf = (outcomes: Outcome[], ofTable: Outcome[]): string => {
  const namesOf = ([column, found]: [string, Outcome[]]): string => {
    const all = ofTable.filter(({ change }) => change.column === column);
    if (all.length === found.length) return '';
    const names = found.map(({ change: { kind, name } }) => (kind ? `${name} (${kind})` : name));
    return `: ${[...new Set(names)].join(', ')}`;
  };
  const byColumn = [...Map.groupBy(outcomes, ({ change }) => change.column)];
  return [...Map.groupBy(byColumn, namesOf)]
    .map(([names, columns]) => columns.map(([column]) => `\`${column}\``).join(', ') + names)
    .join('; ');
};

/** The document: one table for each table of the database, with a row for each outcome. */
export const toDocument = (outcomes: Outcome[]): string => {
  const tables = [...Map.groupBy(outcomes, ({ change }) => change.table)].map(([table, ofTable]) => {
    const rows = [...Map.groupBy(ofTable, ({ outcome }) => outcome)].map(
      ([outcome, found]) => `| ${outcome} | ${columnsOf(found, ofTable)} |`,
    );
    return `## ${table}\n\n| Outcome | Columns and changes |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return [header, ...tables].join('\n');
};

/** The stored document; WRITE_OUTCOMES replaces it first. */
export const storedDocument = async (document: string): Promise<string> => {
  if (process.env.WRITE_OUTCOMES) await writeFile(file, document);
  return readFile(file, 'utf8');
};
