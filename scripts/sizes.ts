// `npm run sizes` prints how large the source is beside the limits of scripts/sizeLimits.json. test/architecture fails when one
// is exceeded; who makes the source smaller lowers them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export type Sizes = Record<keyof typeof names, number>;

/** What each size counts. Lines are those of TypeScript and SQL that is written by hand, with comments and blank lines. */
const names = {
  srcAndConnectors: 'lines of src/ and connectors/',
  src: 'lines of src/',
  topFiles: 'files directly in src/',
  longestFile: 'lines of the longest file of src/',
};

const isTest = (path: string): boolean => /\/test\/|\.test\.ts$|\/conformance\.ts$/.test(path);
/** Statements and texts, which are read line by line. */
const isList = (path: string): boolean => /\/migrations\/|Texts\//.test(path);

/** Counts the files of `read` (path -> text); paths begin with src/ or connectors/. */
export const measure = (files: ReadonlyMap<string, string>): Sizes => {
  const counted = [...files].filter(([path]) => /\.(ts|sql)$/.test(path) && !isTest(path));
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

/** The files that git tracks, and those that it would. */
export const readSources = (): Map<string, string> => {
  const options = ['--cached', '--others', '--exclude-standard', 'src', 'connectors'];
  const paths = execFileSync('git', ['ls-files', ...options], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  const code = paths.filter((path) => /\.(ts|sql)$/.test(path));
  return new Map(code.flatMap((path) => readIfThere(path)));
};

const readIfThere = (path: string): [string, string][] => {
  try {
    return [[path, readFileSync(join(root, path), 'utf8')]];
  } catch {
    // Deleted, and not committed yet.
    return [];
  }
};

export const limits: Sizes = JSON.parse(readFileSync(join(import.meta.dirname, 'sizeLimits.json'), 'utf8'));

if (import.meta.main) {
  const sizes = measure(readSources());
  for (const [key, name] of Object.entries(names) as [keyof Sizes, string][])
    console.log(`${name.padEnd(36)}${String(sizes[key]).padStart(7)}  at most ${limits[key]}`);
}
