// The source does not grow, and no file escapes the compiler or the tests.
import { readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { limits, measure, measureProject } from '../../scripts/sizes.ts';
import config from '../../vitest.config.ts';
import { readSources } from './sources.ts';

const root = join(import.meta.dirname, '../..');
const tracked = [...readSources([''], ['.ts', '.tsx']).keys()];

test('the source does not exceed scripts/sizeLimits.json', () => {
  const sizes = measureProject();
  for (const [name, limit] of Object.entries(limits)) {
    const size = sizes[name as keyof typeof sizes];
    expect(size, `${name}: "npm run sizes" shows it; see CONTRIBUTING.md`).toBeLessThanOrEqual(limit);
  }
  // A smaller size would mean that files were not found.
  expect(sizes.src).toBeGreaterThan(limits.src * 0.9);
});

test('sizes count source by hand, without tests', () => {
  const files = new Map([
    ['src/main.ts', 'a\nb\n'],
    ['src/platform/db/migrations/0001_tables.ts', 'a\n'.repeat(9)],
    ['src/platform/db/open.ts', 'a\nb\nc\n'],
    ['connectors/kit/errors.ts', 'a\n'],
    ['connectors/kit/conformance.ts', 'a\n'],
    ['connectors/fints/test/signIn.test.ts', 'a\n'],
  ]);
  expect(measure(files)).toEqual({ srcAndConnectors: 15, src: 14, topFiles: 1, longestFile: 3 });
});

test('every TypeScript file is type-checked', () => {
  const included = ['tsconfig.json', 'dashboard/tsconfig.json'].flatMap((file) => {
    const { include } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { include: string[] };
    return include.map((pattern) => join(dirname(file), pattern));
  });
  const isIncluded = (path: string): boolean =>
    included.some((pattern) => matchesGlob(path, pattern) || path.startsWith(`${pattern}/`));
  expect(tracked.filter((path) => !isIncluded(path))).toEqual([]);
});

test('every test file is in one project', () => {
  const projects = config.test!.projects!.map((project) => (project as typeof config).test!);
  const matches = (path: string, patterns: readonly string[] = []): boolean =>
    patterns.some((pattern) => matchesGlob(path, pattern));
  const counts = tracked
    .filter((path) => /\.test\.tsx?$/.test(path))
    .map((path) => ({
      path,
      projects: projects.filter(
        ({ include, exclude }) => matches(path, include) && !matches(path, exclude as string[]),
      ).length,
    }));
  expect(counts.filter(({ projects }) => projects !== 1)).toEqual([]);
  expect(counts.length).toBeGreaterThan(150);
});
