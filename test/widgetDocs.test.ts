// docs/widget.md says what the types say, in the same words, and shows every picture that there is. Its sizes are
// what is built, within a few per cent, because compressors differ.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const docs = read('docs/widget.md');

/** The rows of all tables, cell by cell. */
const rows = docs
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );

type Member = { name: string; type: string; says: string };

/** The members of the types in widget/types.ts, with what is said of each. */
const membersOf = (typeName: string): Member[] => {
  const file = ts.createSourceFile('', read('widget/types.ts'), ts.ScriptTarget.Latest, true);
  const found = file.statements.find(
    (statement): statement is ts.TypeAliasDeclaration =>
      ts.isTypeAliasDeclaration(statement) && statement.name.text === typeName,
  );
  if (!found || !ts.isTypeLiteralNode(found.type)) throw new Error(`There is no type ${typeName}.`);
  return found.type.members.map((member) => ({
    name: member.name!.getText(),
    type: ts.isPropertySignature(member) ? member.type!.getText() : '',
    says: ts
      .getJSDocCommentsAndTags(member)
      .map(({ comment }) => String(comment))
      .join(' '),
  }));
};

test.each(['ConnectSettings', 'ConnectTheme', 'ConnectResult'])('%s is in a table, word by word', (name) => {
  const members = membersOf(name);
  expect(members.length).toBeGreaterThan(2);
  for (const { name, type, says } of members) {
    expect(rows).toContainEqual([`\`${name}\``, `\`${type}\``, says]);
  }
});

test('the callbacks are in a table, with what they receive', () => {
  for (const { name, type, says } of membersOf('ConnectCallbacks')) {
    const receives = /^\(\w+: (\w+)\)/.exec(type)?.[1];
    expect(rows).toContainEqual([`\`${name}\``, receives ? `\`${receives}\`` : '', says]);
  }
});

test('what init returns is in a table', () => {
  for (const { name, says } of membersOf('ConnectWidget')) expect(rows).toContainEqual([`\`${name}\``, says]);
});

test('the fields of an account are named', () => {
  const names = membersOf('ConnectAccount').map(({ name }) => `\`${name}\``);
  expect(docs).toContain(`Each account has ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`);
});

test('every picture is there, and every picture is shown', () => {
  const shown = [...docs.matchAll(/\]\(screenshots\/widget\/([\w-]+\.webp)\)/g)].map(([, name]) => name);
  expect(shown.sort()).toEqual(readdirSync(join(root, 'docs/screenshots/widget')).sort());
});

const gzipBytes = (...texts: (string | Buffer)[]): number =>
  texts.reduce((sum, text) => sum + gzipSync(text).length, 0);

const bundled = async (entry: string): Promise<number> => {
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
  return gzipBytes(output[0].code);
};

test('the sizes are what is built', async () => {
  const built = join(root, 'dist/widget');
  const asset = (name: string) => readFileSync(join(built, 'connect/assets', name));
  const names = readdirSync(join(built, 'connect/assets')).filter((name) => /\.(js|css)$/.test(name));
  const languages = names.filter((name) => /^(de|es|fr)-/.test(name));
  const always = names.filter((name) => !languages.includes(name)).map(asset);
  const largest = Math.max(...languages.map((name) => gzipBytes(asset(name))));
  const measured: Record<string, number> = {
    'connect.js': gzipBytes(readFileSync(join(built, 'connect.js'))),
    'the page': gzipBytes(readFileSync(join(built, 'connect/index.html')), ...always) + largest,
    'connection/react`': await bundled('widget/react/index.ts'),
    'connection/react-native`': await bundled('widget/react-native/index.ts'),
  };
  for (const [name, bytes] of Object.entries(measured)) {
    const row = rows.find(([what, size]) => what?.includes(name) && /^\d+$/.test(size ?? ''));
    const said = Number(row?.[1]);
    expect(Math.abs(said - bytes) / bytes, `${name} has ${bytes} bytes`).toBeLessThan(0.05);
  }
});
