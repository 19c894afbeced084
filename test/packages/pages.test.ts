// Each package's page on npm: its package.json and its README, which must work without this repository.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const web = 'https://github.com/bank-connection/bank-connection-data-service';

/** A package's npm page links only to GitHub, and describes the package as installed from npm. */
const faultsOf = (readme: string): string[] => [
  ...[...readme.matchAll(/\]\(([^)\s]+)/g)].map(([, to]) => to!).filter((to) => !to.startsWith('https://')),
  ...(readme.match(/\b(checkout|clone|npm ci|npm run|dist\/packages|\.tgz|until .* published)\b/gi) ?? []),
];

test('a relative link and a word of a checkout are found', () => {
  expect(
    faultsOf('[a](../../docs/a.md) [b](https://b.example)\nUntil it is published, npm run pack'),
  ).toEqual(['../../docs/a.md', 'Until it is published', 'npm run']);
});

describe.each(['client', 'widget/js', 'widget/react', 'widget/react-native', 'connectors/kit', 'server'])(
  'the page of %s',
  (folder) => {
    const read = (file: string): string => readFileSync(join(root, folder, file), 'utf8');
    const own = JSON.parse(read('package.json'));
    const manifest = own.publishConfig.directory ? JSON.parse(read('dist/package.json')) : own;

    test('describes the package, its source and its publication', () => {
      expect(manifest).toMatchObject({
        license: 'Apache-2.0',
        author: 'The Bank Connection Data Service project',
        description: expect.stringContaining('Bank Connection Data Service'),
        homepage: `${web}/tree/main/${folder}#readme`,
        bugs: `${web}/issues`,
        repository: { type: 'git', url: `git+${web}.git`, directory: folder },
        engines: { node: expect.any(String) },
        publishConfig: { access: 'public', provenance: true },
      });
      expect(manifest.keywords.length).toBeGreaterThan(2);
      expect(existsSync(join(root, folder, 'LICENSE')) || manifest !== own).toBe(true);
    });

    test('has a README that explains the installation and needs no checkout', () => {
      const readme = read('README.md');
      expect(readme).toMatch(new RegExp(`^np(m install|x) ${manifest.name}( |$)`, 'm'));
      expect(readme).toContain(`(${web}/blob/main/CHANGELOG.md)`);
      expect(faultsOf(readme)).toEqual([]);
    });
  },
);
