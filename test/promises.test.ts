// Each promise of the documentation names tests that exist, and each mutant still applies to the source. `npm run mutants`
// shows that the tests find the mutants.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPromises } from './promises.ts';

const root = join(import.meta.dirname, '..');
const promises = readPromises();
const all = Object.values(promises).flat();

/** True if the file contains the title in quotes, and not only as part of a longer text. */
const hasTitle = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => source.includes(quote + title.replaceAll(quote, `\\${quote}`) + quote));

test.each(Object.keys(promises))('%s exists', (document) => {
  expect(existsSync(join(root, document))).toBe(true);
});

test('every promise is kept by a test, or argued', () => {
  const open = all.filter(
    ({ tests, argued }) => Object.keys(tests ?? {}).length > 0 === (argued !== undefined),
  );
  expect(open.map(({ promise }) => promise)).toEqual([]);
});

test('every test that is named exists', () => {
  const missing = all.flatMap(({ tests = {} }) =>
    Object.entries(tests).flatMap(([file, titles]) => {
      const path = join(root, 'test', file);
      if (!existsSync(path)) return [file];
      const source = readFileSync(path, 'utf8');
      return titles.filter((title) => !hasTitle(source, title)).map((title) => `${file}: ${title}`);
    }),
  );
  expect(missing).toEqual([]);
});

describe('mutants', () => {
  const named = all.flatMap(({ mutants = [] }) => mutants);
  const patches = readdirSync(join(root, 'test/mutants')).filter((file) => file.endsWith('.patch'));

  test('each breaks one promise', () => {
    expect(named.toSorted()).toEqual(patches.map((file) => file.replace('.patch', '')).toSorted());
  });

  test('each begins with its promise and its fault', () => {
    const text = (file: string) => readFileSync(join(root, 'test/mutants', file), 'utf8');
    expect(patches.filter((file) => !/^Promise: .+\nFault: .+\n\ndiff /.test(text(file)))).toEqual([]);
  });

  test('each applies to the source', ({ skip }) => {
    skip(spawnSync('git', ['--version']).status !== 0, 'which need git');
    const apply = (file: string) =>
      spawnSync('git', ['apply', '--check', join('test/mutants', file)], { cwd: root, encoding: 'utf8' });
    expect(patches.map(apply).flatMap(({ stderr }) => stderr || [])).toEqual([]);
  });
});
