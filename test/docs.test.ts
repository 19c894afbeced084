// What the documents say is held against what there is: links, files, commands, settings, and every column of the
// database. Each check is first shown a text that is wrong.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../src/commands/program.ts';
import { readConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/open.ts';
import { databases } from './support/databases.ts';
import { readSources } from './architecture/sources.ts';

const root = join(import.meta.dirname, '..');
const documents = new Map([...readSources([''], [''])].filter(([path]) => path.endsWith('.md')));
const readme = documents.get('README.md') ?? '';
const security = documents.get('docs/security.md') ?? '';

const codeBlocks = /^ *```[\s\S]*?^ *```$/gm;
const inlineCode = /`[^`\n]+`/g;

const withoutCode = (text: string): string => text.replace(codeBlocks, '').replace(inlineCode, '');

const codeOf = (text: string): string =>
  [...(text.match(codeBlocks) ?? []), ...(text.replace(codeBlocks, '').match(inlineCode) ?? [])].join('\n');

/** The name by which a heading is linked to: in lower case, without marks, spaces as hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (text: string): string[] =>
  [...text.replace(codeBlocks, '').matchAll(/^#+ +(.+)$/gm)].map(([, heading]) => anchorOf(heading!));

/** One sentence for each link of a document that leads nowhere. */
const deadLinks = (path: string, text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => {
    if (/^[a-z]+:/.test(target!)) return [];
    const [file = '', anchor] = target!.split('#');
    const to = file === '' ? path : normalize(join(dirname(path), file));
    if (!existsSync(join(root, to))) return [`${path}: there is no ${to}`];
    const missing = anchor && !anchorsOf(readFileSync(join(root, to), 'utf8')).includes(anchor);
    return missing ? [`${path}: ${to} has no heading #${anchor}`] : [];
  });

/** One sentence for each file of this repository that a document names and that is not there. */
const missingFiles = (path: string, text: string): string[] =>
  [...text.matchAll(/`((?:src|test|docs|widget|client|dashboard|generated|scripts|examples)\/[\w./-]*)`/g)]
    .filter(([, name]) => !existsSync(join(root, name!)))
    .map(([, name]) => `${path}: there is no ${name}`);

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
// What npm has of itself, or runs in another package's folder.
const npmCommands = ['ci', 'install', 'view', 'pack', 'publish'];

const missingScripts = (path: string, text: string): string[] =>
  [...codeOf(text).matchAll(/\bnpm (?:run (?:-s |--silent )?)?([a-z][\w:-]*)/g)]
    .filter(([said, name]) => (said.includes(' run ') || !npmCommands.includes(name!)) && name !== 'run')
    .filter(([, name]) => !(name! in scripts))
    .map(([, name]) => `${path}: there is no npm script ${name}`);

/** The words of a command as documents write them: `-- api-keys create --application app_…`. */
const commandsNamed = (text: string): string[] =>
  [...text.matchAll(/bank-connection -- ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].map(([, words]) => words!);

const rowsUnder = (text: string, heading: string): string[][] => {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^\| (`.*) \|$/gm)].map(([, row]) => row!.split(' | '));
};
const inlineCodeOf = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

const helpOf = async (...words: string[]): Promise<string[]> => {
  const said: string[] = [];
  const stream = { write: (text: string) => said.push(text) };
  const terminal = { env: {}, out: stream, err: stream, exitCode: 0 };
  await runCommand(['node', 'bank-connection', ...words, '--help'], terminal);
  const [, list = ''] = said.join('').split('Commands:\n');
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');
};

/** All commands of the operator, asked of the program itself. */
const knownCommands = async (): Promise<string[]> => {
  const known: string[] = [];
  for (const name of await helpOf()) {
    const group = await helpOf(name);
    known.push(...(group.length === 0 ? [name] : group.map((second) => `${name} ${second}`)));
  }
  return known;
};

describe('every document', () => {
  test('there are some, and wrong ones are found', () => {
    expect([...documents.keys()]).toEqual(expect.arrayContaining(['README.md', 'docs/security.md']));
    const wrong =
      '[a](nowhere.md) [b](../README.md#no-such-part) [c](../README.md#settings) `src/nowhere.ts`';
    expect(deadLinks('docs/x.md', wrong)).toEqual([
      'docs/x.md: there is no docs/nowhere.md',
      'docs/x.md: README.md has no heading #no-such-part',
    ]);
    expect(missingFiles('docs/x.md', wrong)).toEqual(['docs/x.md: there is no src/nowhere.ts']);
    expect(missingScripts('x.md', 'npm before. `npm ci && npm start && npm run -s nowhere`')).toEqual([
      'x.md: there is no npm script nowhere',
    ]);
  });

  test.each([...documents])('%s links to what is there', (path, text) => {
    expect(deadLinks(path, text)).toEqual([]);
  });

  test.each([...documents])('%s names files and npm scripts that there are', (path, text) => {
    // A package's own README speaks of its own scripts.
    const own = path.includes('/') && existsSync(join(root, dirname(path), 'package.json'));
    expect([...missingFiles(path, text), ...(own ? [] : missingScripts(path, text))]).toEqual([]);
  });
});

describe('the README', () => {
  test('lists the settings that are read, and no others', () => {
    const read = new Set<string>();
    readConfig(
      new Proxy({} as Record<string, string>, {
        get: (_, name) => {
          read.add(String(name));
          return undefined;
        },
      }),
    );
    const listed = rowsUnder(readme, 'Settings').map(([name]) => inlineCodeOf(name!)[0]);
    expect([...listed].sort()).toEqual([...read].sort());
  });

  test('lists commands that there are, as every document does', async () => {
    const known = await knownCommands();
    expect(known).toContain('api-keys create');
    const listed = rowsUnder(readme, "The operator's commands").flatMap(([names]) => inlineCodeOf(names!));
    expect(listed).toContain('serve');
    expect(listed.filter((name) => !known.includes(name))).toEqual([]);
    const named = [...documents.values()].flatMap(commandsNamed);
    expect(named).toContain('api-keys create');
    expect(
      named.filter((words) => !known.some((name) => words === name || words.startsWith(`${name} `))),
    ).toEqual([]);
  });

  test('has a map of folders that there are', () => {
    const [, map = ''] = readme.split('\n## The source\n');
    const folders = [...map.matchAll(/^([\w.]+\/?) {2,}/gm)].map(([, name]) => name!);
    expect(folders.length).toBeGreaterThan(5);
    expect(folders.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });
});

describe('docs/security.md', () => {
  test('lists every column of every table, and no others', async () => {
    const { url, drop } = await databases[0]!.create();
    const db = await openDatabase(url);
    const found = await columnsOf(db.read, db.dialect);
    await db.close();
    await drop();
    const listed = Object.fromEntries(
      rowsUnder(security, 'Every column').map(([table, ...cells]) => [
        inlineCodeOf(table!)[0],
        inlineCodeOf(cells.join()).sort(),
      ]),
    );
    expect(listed).toEqual(found);
  });
});

type Database = Awaited<ReturnType<typeof openDatabase>>;

const columnQueries = {
  sqlite: `select t.name as "table", c.name as "column" from sqlite_master t, pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite_%'`,
  postgres: `select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public'`,
};

const columnsOf = async (
  db: Database['read'],
  dialect: Database['dialect'],
): Promise<Record<string, string[]>> => {
  const answer = await db.raw(columnQueries[dialect]);
  const all: { table: string; column: string }[] = dialect === 'postgres' ? answer.rows : answer;
  const rows = all.filter(({ table }) => !table.startsWith('knex_'));
  const tables = Map.groupBy(rows, ({ table }) => table);
  return Object.fromEntries([...tables].map(([table, of]) => [table, of.map(({ column }) => column).sort()]));
};
