// The documents are correct: links, files, commands, settings, and the columns of the database. Each check first runs on a
// wrong text.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BankAccount, BankTransaction } from '../connectors/kit/contract.ts';
import { sandboxUsers } from '../connectors/sandbox/users.ts';
import { accountDetails } from '../src/domain/codec/account.ts';
import { encodeFields } from '../src/domain/codec/transaction.ts';
import { findBuiltInSettings } from '../src/domain/institutions/load.ts';
import { linkSteps } from '../src/flows/link/linkSession.ts';
import { runCommand } from '../src/interfaces/commands/program.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import { readConfig } from '../src/platform/settings/config.ts';
import { settings } from '../src/platform/settings/table.ts';
import { readSources } from './architecture/sources.ts';
import {
  inlineCodeOf,
  isListed,
  itemsUnder,
  listedChanges,
  listedColumns,
  rowsUnder,
  sealedContents,
} from './support/columnsDocument.ts';
import { databases } from './support/databases.ts';
import { parseYaml } from './support/yaml.ts';

const root = join(import.meta.dirname, '..');
const documents = new Map([...readSources([''], [''])].filter(([path]) => path.endsWith('.md')));
const readme = documents.get('README.md') ?? '';

const codeBlocks = /^ *```[\s\S]*?^ *```$/gm;
const inlineCode = /`[^`\n]+`/g;

const withoutCode = (text: string): string => text.replace(codeBlocks, '').replace(inlineCode, '');

const codeOf = (text: string): string =>
  [...(text.match(codeBlocks) ?? []), ...(text.replace(codeBlocks, '').match(inlineCode) ?? [])].join('\n');

/** A heading's anchor: lower case, without punctuation, hyphens instead of spaces. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (text: string): string[] =>
  [...text.replace(codeBlocks, '').matchAll(/^#+ +(.+)$/gm)].map(([, heading]) => anchorOf(heading!));

/** The URL by which READMEs of packages link to this repository, because they are read outside it. */
const published = 'https://github.com/bank-connection/bank-connection-data-service/blob/main/';

/** One sentence for each broken link of a document. */
const deadLinks = (path: string, text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => {
    const isPublished = target!.startsWith(published);
    if (/^[a-z]+:/.test(target!) && !isPublished) return [];
    const [file = '', anchor] = target!.replace(published, '').split('#');
    const to = file === '' ? path : normalize(isPublished ? file : join(dirname(path), file));
    if (!existsSync(join(root, to))) return [`${path}: there is no ${to}`];
    const missing = anchor && !anchorsOf(readFileSync(join(root, to), 'utf8')).includes(anchor);
    return missing ? [`${path}: ${to} has no heading #${anchor}`] : [];
  });

/** One sentence for each missing file that a document names. */
const missingFiles = (path: string, text: string): string[] =>
  [...text.matchAll(/`((?:src|test|docs|widget|client|dashboard|generated|scripts|examples)\/[\w./-]*)`/g)]
    .filter(([, name]) => !existsSync(join(root, name!)))
    .map(([, name]) => `${path}: there is no ${name}`);

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
// npm's own commands.
const npmCommands = ['ci', 'install', 'view', 'pack', 'publish'];

/** The README of a package may also name the package's scripts. */
const scriptsFor = (path: string): Record<string, string> => {
  const manifest = join(root, dirname(path), 'package.json');
  const own = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).scripts : {};
  return { ...scripts, ...own };
};

const missingScripts = (path: string, text: string): string[] =>
  [...codeOf(text).matchAll(/\bnpm (?:run (?:-s |--silent )?)?([a-z][\w:-]*)/g)]
    .filter(
      ([command, name]) => (command.includes(' run ') || !npmCommands.includes(name!)) && name !== 'run',
    )
    .filter(([, name]) => !(name! in scriptsFor(path)))
    .map(([, name]) => `${path}: there is no npm script ${name}`);

/** The commands in a document: `api-keys create` from `-- api-keys create --application app_…`. */
const commandsNamed = (text: string): string[] =>
  [...text.matchAll(/npx\s+bank-connection ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].map(([, words]) => words!);

const helpOf = async (...words: string[]): Promise<string[]> => {
  const output: string[] = [];
  const stream = { write: (text: string) => output.push(text) };
  const terminal = { env: {}, in: Readable.from([]), out: stream, err: stream, exitCode: 0 };
  await runCommand(['node', 'bank-connection', ...words, '--help'], terminal);
  const [, list = ''] = output.join('').split('Commands:\n');
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');
};

/** All operator commands, from the program's own help. */
const knownCommands = async (): Promise<string[]> => {
  const known: string[] = [];
  for (const name of await helpOf()) {
    const group = await helpOf(name);
    known.push(...(group.length === 0 ? [name] : group.map((second) => `${name} ${second}`)));
  }
  return known;
};

describe('every document', () => {
  test('errors are found', () => {
    expect([...documents.keys()]).toEqual(expect.arrayContaining(['README.md', 'docs/security.md']));
    const wrong = '[a](missing.md) [b](../README.md#no-heading) [c](../README.md#set-up) `src/missing.ts`';
    expect(deadLinks('docs/x.md', `[d](${published}docs/missing.md)`)).toHaveLength(1);
    expect(deadLinks('docs/x.md', wrong)).toEqual([
      'docs/x.md: there is no docs/missing.md',
      'docs/x.md: README.md has no heading #no-heading',
    ]);
    expect(missingFiles('docs/x.md', wrong)).toEqual(['docs/x.md: there is no src/missing.ts']);
    expect(missingScripts('x.md', 'npm before. `npm ci && npm start && npm run -s missing`')).toEqual([
      'x.md: there is no npm script missing',
    ]);
  });

  test.each([...documents])('%s has no broken links', (path, text) => {
    expect(deadLinks(path, text)).toEqual([]);
  });

  test.each([...documents])('%s names existing files and npm scripts', (path, text) => {
    expect([...missingFiles(path, text), ...missingScripts(path, text)]).toEqual([]);
  });
});

const namesUnder = (text: string, heading: string) => itemsUnder(text, heading).map(([[name]]) => name);

describe('the documents', () => {
  test('list exactly the settings that are read', async () => {
    const read = new Set(Object.keys(await findBuiltInSettings()));
    readConfig(
      new Proxy({} as Record<string, string>, {
        get: (_, name) => {
          read.add(String(name));
          return undefined;
        },
      }),
    );
    const reference = documents.get('docs/settings.md')!;
    const listed = [...namesUnder(reference, 'Service'), ...namesUnder(reference, 'Limits')];
    const inReadme = namesUnder(readme, 'Run it');
    expect(listed.length).toBeLessThanOrEqual(57);
    for (const { variable } of settings.filter(({ secret }) => secret)) {
      expect(reference).toContain(`\`${variable}_FILE\``);
      read.delete(`${variable}_FILE`);
    }
    const isStandard = (name: string) => name.startsWith('OTEL_');
    expect(listed.sort()).toEqual([...read].filter((name) => !isStandard(name)).sort());
    expect(inReadme).toContain('PORT');
    expect(inReadme.length).toBeLessThanOrEqual(10);
    expect(listed).toEqual(expect.arrayContaining(inReadme));
    // The settings of OpenTelemetry are in the section about traces.
    const watch = documents.get('docs/operating/watch.md')!;
    const missing = [...read].filter((name) => isStandard(name) && !watch.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  test('list exactly the existing commands', async () => {
    const known = await knownCommands();
    expect(known).toContain('api-keys create');
    const list = documents.get('docs/operating/commands.md')!.matchAll(/^- ([^:]*)/gm);
    const listed = [...list].flatMap(([, names]) => inlineCodeOf(names!));
    expect(listed.sort()).toEqual(known.sort());
    const named = [...documents.values()].flatMap(commandsNamed);
    expect(named).toContain('api-keys create');
    expect(
      named.filter((words) => !known.some((name) => words === name || words.startsWith(`${name} `))),
    ).toEqual([]);
  });
});

describe('docs/webhooks.md', () => {
  test('lists exactly the events of the contract', () => {
    const [introduction] = documents.get('docs/webhooks.md')!.split('\n## ');
    const contract = parseYaml(readFileSync(join(root, 'openapi.yaml'), 'utf8'));
    const listed = [...introduction!.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(Object.keys(contract.webhooks).toSorted());
  });
});

const setOf = (names: readonly string[]): string[] => [...new Set(names)].sort();

describe('widget/openapi.yaml', () => {
  test('lists exactly the steps of each state of a link session, and where they lead', () => {
    const contract = parseYaml(readFileSync(join(root, 'widget/openapi.yaml'), 'utf8'));
    const listed = Object.fromEntries(
      rowsUnder(contract.info.description, 'States and allowed steps').map((cells) => {
        const [[state], steps, targets] = cells.map(inlineCodeOf) as [[string], string[], string[]];
        return [state, { steps: setOf(steps), targets: setOf(targets) }];
      }),
    );
    const { ended, importing, finished, ...onPage } = linkSteps;
    expect(Object.keys(listed).sort()).toEqual(Object.keys({ importing, finished, ...onPage }).sort());
    for (const [state, steps] of Object.entries(onPage))
      expect([state, listed[state]]).toEqual([
        state,
        { steps: setOf(Object.keys(steps)), targets: setOf(Object.values(steps).flat()) },
      ]);
  });
});

describe('connectors/sandbox/README.md', () => {
  test('lists exactly the sandbox users', () => {
    const sandbox = documents.get('connectors/sandbox/README.md')!;
    const listed = rowsUnder(sandbox, 'Users').flatMap(([names]) => inlineCodeOf(names!));
    expect(listed.toSorted()).toEqual([...sandboxUsers.keys()].toSorted());
  });
});

describe('deploy/telemetry.Dockerfile', () => {
  test('installs the SDK for traces in the versions that the tests use', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const used: [string, string][] = Object.entries({ ...dependencies, ...devDependencies });
    const tested = used
      .filter(([name]) => name.startsWith('@opentelemetry/'))
      .map(([name, version]) => `${name}@${/\d+\.\d+/.exec(version)}`);
    const image = readFileSync(join(root, 'deploy/telemetry.Dockerfile'), 'utf8');
    expect(image.match(/@opentelemetry\/[a-z-]+@[\d.]+/g)!.sort()).toEqual(tested.sort());
  });
});

describe('docs/architecture.md', () => {
  test('lists exactly the folders of the districts of src', () => {
    const picture = documents.get('docs/architecture.md')!.split('```')[1]!;
    const listed = [...picture.matchAll(/^(\w+)\/ .*\n +(.*)$/gm)].flatMap(([, district, names]) =>
      names!.split(' ').map((name) => `src/${district}/${name}`),
    );
    expect(listed.sort()).toEqual(globSync('src/*/*', { cwd: root, exclude: ['**/*.*'] }).sort());
  });
});

describe('docs/security.md', () => {
  test('has at most 1,700 words', () => {
    const words = documents
      .get('docs/security.md')!
      .split(/\s+/)
      .filter((word) => word !== '');
    expect(words.length).toBeLessThanOrEqual(1700);
  });
});

describe('docs/columns.md', () => {
  let found: Record<string, string[]>;

  beforeAll(async () => {
    const { url, drop } = await databases[0]!.create();
    const db = await openDatabase(url);
    found = await columnsOf(db.read, db.dialect);
    await db.close();
    await drop();
  });

  test('lists exactly the columns of all tables, except ids and times', () => {
    const expected = Object.entries(found).map(([table, columns]) => [table, columns.filter(isListed)]);
    expect(listedColumns()).toEqual(Object.fromEntries(expected));
  });

  test('lists the content of sealed accounts and transactions', () => {
    const transaction: Required<BankTransaction> = {
      ...{ id: '1', date: '2024-01-01', amount: '1', status: 'posted' },
      ...{ description: 'Rent', reference: '1' },
    };
    const balance = { current: '1', asOf: '2024-01-01T00:00:00.000Z' };
    const account: Required<BankAccount> = {
      ...{ id: '1', name: 'Main', type: 'depository', subtype: 'checking', number: '1', currency: 'EUR' },
      balance,
    };
    const ofTransaction = JSON.parse(`{${encodeFields(transaction)},"date":""}`);
    const wordsOf = (record: object) =>
      Object.keys(record).map((name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
    const sealedIn = (table: string) => sealedContents(table).sort();
    expect(sealedIn('accounts')).toEqual(wordsOf({ ...accountDetails(account), balance }).sort());
    expect(sealedIn('transaction_blocks')).toEqual(wordsOf(ofTransaction).sort());
  });

  test('describes the effect of a change to each column exactly once', () => {
    const names = listedChanges().map(([name]) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const entries = Object.entries(found).flatMap(([table, columns]) =>
      columns.map((column) => [`${table}.${column}`, table].find((name) => names.includes(name)) ?? column),
    );
    expect([...new Set(entries)].sort()).toEqual(names.sort());
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
  const rows = await db.raw<{ table: string; column: string }[]>(columnQueries[dialect]);
  const tables = Map.groupBy(rows, ({ table }) => table);
  return Object.fromEntries([...tables].map(([table, of]) => [table, of.map(({ column }) => column).sort()]));
};
