// `npm run build` builds a part again when its sources, or what was built of them, have changed; else it does nothing.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { buildChangedParts, type Part } from '../../scripts/build.ts';

let root: string;
let write: (path: string, text: string) => void;
let parts: Part[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'build-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  write = (path, text) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('package-lock.json', '{}');
  parts = ['widget', 'dashboard'].map((name) => {
    write(`${name}/page.ts`, '1');
    const build = async () => write(`dist/${name}/page.js`, name);
    return { name, sources: [`${name}/**`], outputs: [`dist/${name}/**`], build };
  });
});

test('everything is built once', async () => {
  expect(await buildChangedParts(root, parts)).toEqual(['widget', 'dashboard']);
  expect(await buildChangedParts(root, parts)).toEqual([]);
});

test.each([
  ['a source has changed', () => write('widget/page.ts', '2'), ['widget']],
  ['a source was added', () => write('widget/screens/new.ts', ''), ['widget']],
  [
    'a source was renamed',
    () => renameSync(join(root, 'widget/page.ts'), join(root, 'widget/app.ts')),
    ['widget'],
  ],
  ['a built file is missing', () => rmSync(join(root, 'dist/dashboard/page.js')), ['dashboard']],
  ['a built file was changed', () => write('dist/dashboard/page.js', ''), ['dashboard']],
  ['the packages have changed', () => write('package-lock.json', '{ }'), ['widget', 'dashboard']],
  ['a source was written again, unchanged', () => write('widget/page.ts', '1'), []],
])('after %s, only what it concerns is built', async (_, change, expected) => {
  await buildChangedParts(root, parts);
  change();
  expect(await buildChangedParts(root, parts)).toEqual(expected);
});

test('what could not be built is built the next time', async () => {
  await buildChangedParts(root, parts);
  write('widget/page.ts', '2');
  const failing = [{ ...parts[0]!, build: () => Promise.reject(new Error('no')) }];
  await expect(buildChangedParts(root, failing)).rejects.toThrow('no');
  write('widget/page.ts', '1');
  expect(await buildChangedParts(root, parts)).toEqual(['widget']);
});

test('without development packages it says which command installs them', () => {
  write('package.json', '{"type":"module"}');
  mkdirSync(join(root, 'scripts'));
  const script = join(root, 'scripts/build.ts');
  copyFileSync(join(import.meta.dirname, '../../scripts/build.ts'), script);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'widget'], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({
    ...{ status: 1, stdout: '' },
    stderr:
      'The pages cannot be built because development packages are not installed: run `npm ci --include=dev`.\n',
  });
});
