// `npm run sizes` prints the size of the source and the limits of scripts/sizeLimits.json. test/architecture fails when one is
// exceeded; lower the limits when you make the source smaller.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSources, type Sources } from '../test/architecture/sources.ts';

export type Sizes = Record<keyof typeof names, number>;

/** The description of each size. Lines are counted in handwritten TypeScript and SQL, including comments and blank lines. */
const names = {
  srcAndConnectors: 'lines of src/ and connectors/',
  src: 'lines of src/',
  topFiles: 'files directly in src/',
  longestFile: 'lines of the longest file of src/',
};

const isTest = (path: string): boolean => /\/test\/|\.test\.ts$|\/conformance\.ts$/.test(path);
/** Statements and texts, which people read line by line. */
const isList = (path: string): boolean => /\/migrations\/|Texts\//.test(path);

export const measure = (files: Sources): Sizes => {
  const counted = [...files].filter(([path]) => !isTest(path));
  const lines = new Map(counted.map(([path, text]) => [path, text.split('\n').length - 1]));
  const inSrc = [...lines].filter(([path]) => path.startsWith('src/'));
  const sum = (some: Iterable<[string, number]>): number =>
    [...some].reduce((total, [, one]) => total + one, 0);
  return {
    srcAndConnectors: sum(lines),
    src: sum(inSrc),
    topFiles: inSrc.filter(([path]) => path.split('/').length === 2).length,
    longestFile: Math.max(...inSrc.filter(([path]) => !isList(path)).map(([, count]) => count)),
  };
};

export const measureProject = (): Sizes => measure(readSources(['src', 'connectors'], ['.ts', '.sql']));

export const limits: Sizes = JSON.parse(readFileSync(join(import.meta.dirname, 'sizeLimits.json'), 'utf8'));

if (import.meta.main) {
  const sizes = measureProject();
  for (const [key, name] of Object.entries(names) as [keyof Sizes, string][])
    console.log(`${name.padEnd(36)}${String(sizes[key]).padStart(7)}  at most ${limits[key]}`);
}
