// npm run fuzz -- --minutes 10 [--seed N] [--database SQLite]: sends requests generated from the contracts to a service on each
// database, for that long in total, and stops at the first response that the contract does not declare.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    database: { type: 'string' },
  },
});

console.log(`Seed ${values.seed}.`);
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'test/fuzz'], {
  cwd: new URL('..', import.meta.url),
  stdio: 'inherit',
  env: {
    ...process.env,
    FUZZ_MINUTES: values.minutes,
    FUZZ_SEED: values.seed,
    ...(values.database && { TEST_DATABASES: values.database }),
  },
});
process.exitCode = status ?? 1;
