// The built loader and page stay within their size limits, and the page has no inline scripts or styles.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const built = join(import.meta.dirname, '../../dist/widget');
/** The size of the file, compressed if the build compresses it. */
const gzipBytes = (...paths: string[]): number =>
  paths.reduce((sum, path) => {
    const compressed = join(built, `${path}.gz`);
    return sum + statSync(existsSync(compressed) ? compressed : join(built, path)).size;
  }, 0);

test('the loader is at most 4.5 kB, as browsers receive it over https', () => {
  expect(statSync(join(built, 'connect.js.br')).size).toBeLessThanOrEqual(4_500);
});

test('the page with the files that one user loads is at most 35.5 kB', () => {
  const assets = readdirSync(join(built, 'connect/assets'))
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => join('connect/assets', name));
  const languages = assets.filter((path) => /[\\/][a-z]{2}-[^\\/]+\.js$/.test(path));
  expect(languages).toHaveLength(8);
  const common = ['connect/index.html', ...assets.filter((path) => !languages.includes(path))];
  const largest = Math.max(...languages.map((path) => gzipBytes(path)));
  expect(gzipBytes(...common) + largest).toBeLessThanOrEqual(35_500);
});

test('the page has one script file and one style file', () => {
  const html = readFileSync(join(built, 'connect/index.html'), 'utf8');
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
  expect(files).toHaveLength(2);
  for (const path of files) expect(path).toMatch(/^\.\/connect\/assets\/[\w-]+\.(js|css)$/);
});
