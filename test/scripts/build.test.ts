// `npm run build` rebuilds a part when its sources or outputs have changed; otherwise it does nothing.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
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

test('a part that could not be built is built the next time', async () => {
  await buildChangedParts(root, parts);
  write('widget/page.ts', '2');
  const failing = [{ ...parts[0]!, build: () => Promise.reject(new Error('no')) }];
  await expect(buildChangedParts(root, failing)).rejects.toThrow('no');
  write('widget/page.ts', '1');
  expect(await buildChangedParts(root, parts)).toEqual(['widget']);
});

describe('packages that are not installed', () => {
  const runScript = () => {
    write('package.json', '{"type":"module"}');
    mkdirSync(join(root, 'scripts'));
    for (const name of ['build', 'buildLlmsText', 'buildServer'])
      copyFileSync(join(import.meta.dirname, `../../scripts/${name}.ts`), join(root, `scripts/${name}.ts`));
    const script = join(root, 'scripts/build.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'widget'], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  test('are named with the command that installs them', () => {
    const reason = 'development packages are not installed. Run `npm ci --include=dev`';
    const stderr = `The pages cannot be built: ${reason}.\n`;
    expect(runScript()).toEqual({ status: 1, stdout: '', stderr });
  });

  test('because of an old Node, which npm does not say, are explained', () => {
    mkdirSync(join(root, 'node_modules/vite'), { recursive: true });
    write('node_modules/vite/package.json', '{"type":"module","exports":"./index.js"}');
    write('node_modules/vite/index.js', "throw new Error('Cannot find native binding. npm has a bug.');");
    const reason = '`npm ci` ran on a Node older than 20.19. Run it again on a newer one';
    const stderr = `The pages cannot be built: ${reason}.\n`;
    expect(runScript()).toEqual({ status: 1, stdout: '', stderr });
  });
});
