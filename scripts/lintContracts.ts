// Runs both linters on all contracts. Warnings count as errors. Telemetry and update checks are off, so that no other host
// is needed.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { contracts } from './generate.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const require = createRequire(import.meta.url);

type Manifest = { bin: string | Record<string, string> };

/** The file of a package's command. From its package.json, because the one in .bin may be a shell script. */
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

type Linter = keyof typeof linters;

/** Runs one linter on all contracts. */
const lint = (linter: Linter): { passed: boolean; output: string } => {
  const sources = contracts.map(({ source }) => source);
  const run = spawnSync(process.execPath, [...linters[linter], ...sources], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  return { passed: run.status === 0, output: `${run.stdout}${run.stderr}` };
};

for (const linter of Object.keys(linters) as Linter[]) {
  const { passed, output } = lint(linter);
  console.log(`${linter}: ${passed ? 'no errors' : output}`);
  if (!passed) process.exitCode = 1;
}
