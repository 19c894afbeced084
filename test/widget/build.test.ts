// What a visitor downloads: how much it is at most, and that it is all in files that a strict policy allows.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const built = join(import.meta.dirname, '../../dist/widget');
/** Bytes on the wire: of the file that the build has compressed. */
const gzipBytes = (...paths: string[]): number =>
  paths.reduce((sum, path) => {
    const compressed = join(built, `${path}.gz`);
    return sum + statSync(existsSync(compressed) ? compressed : join(built, path)).size;
  }, 0);

test('the loader is at most 3 kB', () => {
  expect(gzipBytes('connect.js')).toBeLessThanOrEqual(3_000);
});

test('the page, with all that it loads for one reader, is at most 35 kB', () => {
  const assets = readdirSync(join(built, 'connect/assets'))
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => join('connect/assets', name));
  const languages = assets.filter((path) => /[\\/](de|es|fr)-[^\\/]+\.js$/.test(path));
  expect(languages).toHaveLength(3);
  const always = ['connect/index.html', ...assets.filter((path) => !languages.includes(path))];
  const largest = Math.max(...languages.map((path) => gzipBytes(path)));
  expect(gzipBytes(...always) + largest).toBeLessThanOrEqual(35_000);
});

test('the page is one document with its script and style beside it', () => {
  const html = readFileSync(join(built, 'connect/index.html'), 'utf8');
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
  expect(files).toHaveLength(2);
  for (const path of files) expect(path).toMatch(/^\.\/connect\/assets\/[\w-]+\.(js|css)$/);
});
