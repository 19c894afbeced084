// Checks the code without running it: format, lint, imports, unused code, contracts and types, and that pages and packages
// can be built. `node scripts/check.ts lint` runs only the checks of that group.
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pLimit from 'p-limit';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** TypeScript 7 takes a third of the time of TypeScript 5, which remains as the library for reading and printing code. */
const compiler = 'node_modules/typescript-7/bin/tsc';

const contractFiles = globSync('{,widget/,management/,src/interfaces/http/*/}openapi.yaml', { cwd: root });

/** Keeps the contract linter from reporting its use or checking for a newer version, so that no other host is needed. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

type Check = { name: string; group: 'lint' | 'types' | 'build'; command: string[] };

/** Longest first, so that no long check runs alone at the end. */
const checks: Check[] = [
  { name: 'types', group: 'types', command: ['node', compiler, '--noEmit'] },
  // The compiler checks the types of the packages as it builds them.
  { name: 'pages and packages', group: 'build', command: ['node', 'scripts/build.ts'] },
  {
    name: 'types of the dashboard',
    group: 'types',
    command: ['node', compiler, '--noEmit', '-p', 'dashboard'],
  },
  {
    name: 'contracts',
    group: 'lint',
    command: ['redocly', 'lint', '--max-problems=1000', ...contractFiles],
  },
  { name: 'format and lint', group: 'lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  {
    name: 'imports',
    group: 'lint',
    command: ['depcruise', 'src', 'connectors', 'widget', 'client', 'dashboard'],
  },
  { name: 'unused code', group: 'lint', command: ['knip', '--no-progress'] },
];

/** Prints the result of a check, with its findings. */
const runCheck = async ({ name, command: [program = '', ...args] }: Check): Promise<void> => {
  const started = performance.now();
  const report = (result: string) =>
    console.log(`${name.padEnd(24)}${((performance.now() - started) / 1000).toFixed(1)} s${result}`);
  try {
    await run(program, args, { cwd: root, env, maxBuffer: 64 * 2 ** 20 });
    report('');
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    report(`\n${stdout}${stderr || (stdout ? '' : message)}`);
    process.exitCode = 1;
  }
};

const groups = process.argv.slice(2);
const limit = pLimit(availableParallelism());
const chosen = checks.filter(({ group }) => groups.length === 0 || groups.includes(group));
await Promise.all(chosen.map((check) => limit(runCheck, check)));
