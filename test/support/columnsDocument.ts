// Parses docs/columns.md: the columns of each table, and the effect of a change to each.
import { readFileSync } from 'node:fs';

export const inlineCodeOf = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

/** The cells of the rows under a heading, without those of a table's head. */
export const rowsUnder = (text: string, heading: string): string[][] => {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  return [...body.matchAll(/^\| (`.*) \|$/gm)].map(([, row]) => row!.split(' | '));
};

const columnsDocument = readFileSync(new URL('../../docs/columns.md', import.meta.url), 'utf8');

/** The columns by table, both in the order of their names. */
export const listedColumns = (): Record<string, string[]> =>
  Object.fromEntries(
    rowsUnder(columnsDocument, 'Every column').map(([table, ...cells]) => [
      inlineCodeOf(table!)[0],
      inlineCodeOf(cells.join()).sort(),
    ]),
  );

/** The columns (`table.column`) that are not plain: all, or those that are sealed to this key. */
export const sealedColumns = (key = ''): string[] =>
  rowsUnder(columnsDocument, 'Every column')
    .filter((cells) => cells.length === 3)
    .flatMap(([table, sealed]) =>
      sealed!
        .split('; ')
        .filter((part) => key === '' || part.startsWith(`${key}: `))
        .flatMap(inlineCodeOf)
        .map((column) => `${inlineCodeOf(table!)[0]}.${column}`),
    )
    .sort();

/** The effect of a change, by column (`table.column`), or by table for its other columns. */
export const listedChanges = (): [name: string, outcome: string][] =>
  rowsUnder(columnsDocument, 'What a change does').flatMap(([names, outcome]) =>
    inlineCodeOf(names!).map((name): [string, string] => [name, outcome!]),
  );
