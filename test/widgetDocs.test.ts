// docs/widget.md repeats the comments of the types verbatim and links to all screenshots, with none missing or unused. The
// packages for React are not larger than it states.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { en } from '../widget/page/texts/en.ts';
import { languages } from './page/languages.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const docs = read('docs/widget.md');

/** The name, types and text of each item. */
const items = [...docs.replace(/\n +/g, ' ').matchAll(/^- (`\w+`)(?: \((`.*?`)\))?: (.*)$/gm)].map(
  ([, name, types = '', text]) => [name, types, text],
);

/** The cells of all table rows of the package. */
const rows = read('widget/react-native/README.md')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );

type Member = { name: string; type: string; comment: string };

/** The members of a type, with their comments. */
const membersOf = (typeName: string, path = 'widget/types.ts'): Member[] => {
  const file = ts.createSourceFile('', read(path), ts.ScriptTarget.Latest, true);
  const declaration = file.statements.find(
    (statement): statement is ts.TypeAliasDeclaration =>
      ts.isTypeAliasDeclaration(statement) && statement.name.text === typeName,
  );
  if (!declaration || !ts.isTypeLiteralNode(declaration.type))
    throw new Error(`There is no type ${typeName}.`);
  return declaration.type.members.map((member) => ({
    name: member.name!.getText(),
    type: ts.isPropertySignature(member) ? member.type!.getText() : '',
    comment: ts
      .getJSDocCommentsAndTags(member)
      .map(({ comment }) => String(comment).replace(/\s+/g, ' '))
      .join(' '),
  }));
};

test.each([
  ['ConnectSettings', 'widget/types.ts', items],
  ['ConnectTheme', 'widget/types.ts', items],
  ['ConnectResult', 'widget/types.ts', items],
  ['NativeOptions', 'widget/react-native/nativeWidget.ts', rows],
])('a list or table has the members of %s, word by word', (name, path, listed) => {
  const members = membersOf(name, path);
  expect(members.length).toBeGreaterThan(2);
  for (const { name, type, comment } of members) {
    expect(listed).toContainEqual([`\`${name}\``, `\`${type}\``, comment]);
  }
});

test('a list has the callbacks and their arguments', () => {
  for (const { name, type, comment } of membersOf('ConnectCallbacks')) {
    const [, parameters = ''] = /^\((.*)\)/.exec(type)!;
    const types = [...parameters.matchAll(/\w+: ([^,]+)/g)].map(([, one]) => `\`${one}\``);
    expect(items).toContainEqual([`\`${name}\``, types.join(', '), comment]);
  }
});

test('a sentence names each language', () => {
  const [, listed] = /The widget supports ([^.]+), and falls back/.exec(docs)!;
  const nameOf = new Intl.DisplayNames('en', { type: 'language' });
  const names = Object.keys(languages).map((tag) => nameOf.of(tag));
  expect(listed!.split(/, | and /).toSorted()).toEqual(names.toSorted());
});

test('a list has each event', () => {
  const [, union] = /type ConnectEvent =([^;]+);/.exec(read('widget/types.ts'))!;
  const names = [...union!.matchAll(/'(\w+)'/g)].map(([, name]) => `\`${name}\``);
  expect(names.length).toBeGreaterThan(5);
  const [, list = ''] = docs.split('The events are:');
  const listed = [...list.matchAll(/^- ([^:]*):/gm)].flatMap(([, names]) => names!.split(', '));
  for (const name of names) expect(listed).toContain(name);
});

test('a list has the members of the return value of init', () => {
  for (const { name, comment } of membersOf('ConnectWidget')) {
    expect(items).toContainEqual([`\`${name}\``, '', comment]);
  }
});

test.each([
  ['ConnectAccount', 'Each account has '],
  ['ConnectMetadata', '`ConnectMetadata` has '],
])('a sentence names the fields of %s', (name, start) => {
  const [, sentence] = docs.split(`\n${start}`);
  const named = [
    ...sentence!
      .split(/\.\s/)[0]!
      .replace(/\(.*?\)/gs, '')
      .matchAll(/`(\w+)`/g),
  ];
  expect(named.map(([, field]) => field)).toEqual(membersOf(name).map(({ name }) => name));
});

/** The names of screenshots that the widget's tests contain as literals; the tests compute the names for failures. */
const takenScreenshots = (): string[] => {
  const tests = readdirSync(join(root, 'test/widget')).map((name) => read(join('test/widget', name)));
  const calls = tests
    .join('')
    .matchAll(/\b(?:checkScreen|checkLayout|takeScreenshot)\([^;`]*?, '(?:widget\/)?([a-z-]+)'/g);
  return [...calls].map(([, name]) => name!);
};

test('the linked folder has the screenshots that the tests take, and one of each failure', () => {
  expect(docs).toContain('](screenshots/widget)');
  const taken = takenScreenshots();
  expect(taken).toContain('credentials');
  const failures = Object.keys(en.failed.reasons).map((reason) => `failed-${reason.replaceAll('_', '-')}`);
  const expected = new Set([...taken, ...failures]);
  const files = readdirSync(join(root, 'docs/screenshots/widget'));
  expect(files.sort()).toEqual([...expected].map((name) => `${name}.webp`).sort());
});

test('each action of a button is documented', () => {
  const source = readFileSync(join(root, 'widget/page/components/buttons.tsx'), 'utf8');
  const [, union = ''] = /type Action =\n([^;]*);/.exec(source) ?? [];
  const actions = [...union.matchAll(/'([\w-]+)'/g)].map(([, name]) => name);
  expect(actions.length).toBeGreaterThan(8);
  const section = docs.split('\n## ').find((part) => part.startsWith('Automation'));
  for (const action of actions) expect(section).toContain(`\`${action}\``);
});

const bundledBytes = async (entry: string): Promise<number> => {
  const [{ output }] = (await build({
    configFile: false,
    logLevel: 'error',
    resolve: { tsconfigPaths: true },
    build: {
      write: false,
      lib: { entry: join(root, entry), formats: ['es'], fileName: 'package' },
      rolldownOptions: { external: [/^react($|\/|-)/] },
    },
  })) as [Rolldown.RolldownOutput];
  return gzipSync(output[0].code).length;
};

test.each(['react', 'react-native'])(
  '@bank-connection/%s is at most as large as the page says',
  async (name) => {
    const [, limit = ''] = new RegExp(`connection/${name}\` (?:is )?at most ([\\d,]+)`).exec(docs)!;
    const limitBytes = Number(limit.replace(',', ''));
    const bytes = await bundledBytes(`widget/${name}/index.ts`);
    expect(bytes).toBeLessThanOrEqual(limitBytes);
    expect(bytes).toBeGreaterThan(limitBytes * 0.9);
  },
);
