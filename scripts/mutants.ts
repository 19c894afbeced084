// Applies each fault in test/mutants to a copy of the last commit, and runs the tests that test/promises.yaml lists for the promise
// that it breaks: one of them must fail. `npm run mutants -- NAME…` tries only the faults named.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Promises, readPromises } from '../test/promises.ts';
import { linkPackages } from './linkPackages.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const folder = join(root, 'test/mutants');
const timeoutMs = 600_000;

/** A checkout of the last commit, with the installed packages. */
const makeCheckout = (): { directory: string; remove(): void } => {
  const directory = mkdtempSync(join(tmpdir(), 'bank-connection-mutants-'));
  execFileSync('git', ['worktree', 'add', '--detach', '--quiet', directory, 'HEAD'], { cwd: root });
  linkPackages(root, directory);
  return {
    directory,
    remove: () => {
      execFileSync('git', ['worktree', 'remove', '--force', directory], { cwd: root });
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

/** A title as a pattern, in which any text matches `%s`, `$name` or `${…}`. */
const patternOf = (title: string): string =>
  title
    .split(/%[sdifjo]|\$\{[^}]*\}|\$[\w.]+/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');

type Tests = Promises[string][number]['tests'];

/** The names of the tests that fail; undefined if none ran. */
const failuresOf = async (directory: string, tests: NonNullable<Tests>): Promise<string[] | undefined> => {
  const report = join(directory, 'dist/report.json');
  rmSync(report, { force: true });
  const files = Object.keys(tests).map((file) => join('test', file));
  const pattern = `(${Object.values(tests).flat().map(patternOf).join('|')})`;
  const args = ['vitest', 'run', ...files, '--reporter=json', `--outputFile=${report}`, '-t', pattern];
  const options = { cwd: directory, timeout: timeoutMs, maxBuffer: 2 ** 28 };
  await run(join(directory, 'scripts/on-node24'), args, options).catch(() => {});
  // Without a report, the run was interrupted.
  if (!existsSync(report)) return undefined;
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    testResults: {
      name: string;
      status: string;
      message: string;
      assertionResults: { status: string; fullName: string }[];
    }[];
  };
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failing = assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName);
    return status === 'failed' && failing.length === 0 ? [`${name}: ${message}`] : failing;
  });
  return failed.length > 0 || numPassedTests > 0 ? failed : undefined;
};

const chosen = process.argv.slice(2);
const named = Object.values(readPromises())
  .flat()
  .flatMap(({ mutants = [], tests = {} }) => mutants.map((name) => ({ name, tests })))
  .filter(({ name }) => chosen.length === 0 || chosen.includes(name));
const unknown = chosen.filter((name) => !named.some((mutant) => mutant.name === name));
if (unknown.length > 0)
  throw new Error(`test/promises.yaml does not name the mutants ${unknown.join(', ')}.`);

const { directory, remove } = makeCheckout();
try {
  for (const [index, { name, tests }] of named.entries()) {
    const patch = join(folder, `${name}.patch`);
    execFileSync('git', ['apply', patch], { cwd: directory });
    const failures = Object.keys(tests).length > 0 ? await failuresOf(directory, tests) : [];
    execFileSync('git', ['checkout', '--quiet', '.'], { cwd: directory });
    const result = failures?.length ? `found by ${failures[0]}` : failures ? 'NOT FOUND' : 'NO TEST RAN';
    console.log(`${index + 1}/${named.length} ${name}: ${result}`);
    if (!failures?.length) process.exitCode = 1;
  }
} finally {
  remove();
}
