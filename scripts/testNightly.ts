// npm run test:nightly -- tampering|kills|fuzz: the tests that take hours.
import { spawnSync } from 'node:child_process';

const kills = ['node', 'test/faults/kills.ts', '--database'];
/** The programs of each run, one after another. */
const runs: Record<string, string[][]> = {
  // Every column of every table is changed, and every role reads.
  tampering: [['vitest', 'run', 'test/tampering/everyColumn.test.ts']],
  // Kills in each state of linking and refreshing, while webhooks are delivered, and at random times.
  kills: [
    ['vitest', 'run', 'test/crash'],
    [...kills, 'sqlite'],
    [...kills, 'postgres'],
  ],
  fuzz: [['node', 'scripts/fuzz.ts', '--minutes', '120']],
};

const [name = ''] = process.argv.slice(2);
const programs = runs[name];
if (!programs) throw new Error(`Name one of ${Object.keys(runs).join(', ')}.`);
const cwd = new URL('..', import.meta.url);
for (const [program = '', ...args] of programs) {
  const env = { ...process.env, TEST_NIGHTLY: '1' };
  const { status } = spawnSync(program, args, { cwd, env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
