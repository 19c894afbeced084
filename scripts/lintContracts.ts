// Runs both linters over every contract that exists. A warning counts as a fault, and neither linter may report
// to its makers or ask for updates: a check must work without any other host.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { contracts } from './generate.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const require = createRequire(import.meta.url);

type Manifest = { bin: string | Record<string, string> };

/** The file that a package runs as this command; asked of the package, because in .bin it may be a shell script. */
const commandFile = (name: string, command: string): string => {
  const manifest = require.resolve(`${name}/package.json`);
  const { bin } = require(manifest) as Manifest;
  const file = typeof bin === 'string' ? bin : bin[command];
  if (!file) throw new Error(`${name} has no command ${command}.`);
  return fileURLToPath(new URL(file, `file://${manifest}`));
};

const linters = {
  redocly: [
    commandFile('@redocly/cli', 'redocly'),
    'lint',
    '--config',
    'redocly.yaml',
    '--max-problems',
    '1000',
  ],
  spectral: [
    commandFile('@stoplight/spectral-cli', 'spectral'),
    'lint',
    '--ruleset',
    '.spectral.yaml',
    '--fail-severity',
    'hint',
  ],
};

export type Linter = keyof typeof linters;

/** Runs one linter over all contracts; gives what it says, and whether it found nothing. */
export const lint = (linter: Linter): { passes: boolean; says: string } => {
  const sources = contracts.map(({ source }) => source);
  const run = spawnSync(process.execPath, [...linters[linter], ...sources], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  return { passes: run.status === 0, says: `${run.stdout}${run.stderr}` };
};

if (import.meta.main) {
  for (const linter of Object.keys(linters) as Linter[]) {
    const { passes, says } = lint(linter);
    console.log(`${linter}: ${passes ? 'nothing found' : says}`);
    if (!passes) process.exitCode = 1;
  }
}
