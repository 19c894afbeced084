// Parses docs/columns.md: the columns of each table except ids and times, and the effect of a change to each.
import { readFileSync } from 'node:fs';

export const inlineCodeOf = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

const sectionOf = (text: string, heading: string): string =>
  text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** The cells of the table rows under a heading, without the head of the table. */
export const rowsUnder = (text: string, heading: string): string[][] =>
  [...sectionOf(text, heading).matchAll(/^\| (`.*) \|$/gm)].map(([, row]) => row!.split(' | '));

/** The items of the lists: the names in code before the first colon, and the text after it. */
const itemsOf = (text: string): [names: string[], text: string][] =>
  [...text.matchAll(/^- (`.*?)(?:: (.*))?$/gm)].map(([, names, rest = '']) => [inlineCodeOf(names!), rest]);

export const itemsUnder = (text: string, heading: string): [names: string[], text: string][] =>
  itemsOf(sectionOf(text, heading));

const columnsDocument = readFileSync(new URL('../../docs/columns.md', import.meta.url), 'utf8');

const tables = itemsUnder(columnsDocument, 'Every column');

/** The listed columns by table, both sorted by name. */
export const listedColumns = (): Record<string, string[]> =>
  Object.fromEntries(
    tables.flatMap(([names, columns]) => names.map((table) => [table, inlineCodeOf(columns).sort()])),
  );

/** Ids and times are plaintext in every table, and not listed. */
export const isListed = (column: string): boolean => !/^(\w+_)?(id|at)$/.test(column);

/** The columns (`table.column`) that are not plain: all, or those that are sealed to this key. */
export const sealedColumns = (key = ''): string[] =>
  tables
    .flatMap(([[table], columns]) =>
      columns
        .split('; ')
        .filter((part) => (key === '' ? /^\w.*: /.test(part) : part.startsWith(`${key}: `)))
        .flatMap(inlineCodeOf)
        .map((column) => `${table}.${column}`),
    )
    .sort();

/** The contents of a table's `sealed` column. */
export const sealedContents = (table: string): string[] => {
  const [, columns = ''] = tables.find(([names]) => names.includes(table)) ?? [];
  return /`sealed` \(([^)]*)\)/.exec(columns)?.[1]?.split(', ') ?? [];
};

/** The effect of a change, by column (`table.column`), or by table for its other columns. */
export const listedChanges = (): [name: string, outcome: string][] =>
  sectionOf(columnsDocument, 'What a change does')
    .split('\n### ')
    .flatMap((part) =>
      itemsOf(part).flatMap(([names, text]) =>
        names.map((name): [string, string] => [name, `${part.split('\n')[0]}: ${text}`]),
      ),
    );
