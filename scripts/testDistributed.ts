// npm run test:distributed: runs the tests of all code that reads or writes end users' data on the Citus cluster at
// TEST_DISTRIBUTED_URL, the URL of a database that knows the other nodes. Additional arguments replace the test folders.
// One file at a time: beside others, a node on the same machine takes more than two seconds to respond and counts as down.
import { spawnSync } from 'node:child_process';

const folders = [
  'test/db',
  'test/http/api',
  'test/linking',
  'test/read',
  'test/refresh',
  'test/retention',
  'test/simplefin',
  'test/tampering/signedRows',
  'test/crash',
  'test/scaling/cluster',
  'test/scaling/processes',
  'test/webhooks',
];

if (process.env.TEST_DISTRIBUTED_URL) {
  const [, , ...given] = process.argv;
  const { status } = spawnSync(
    'npm',
    ['run', '-s', 'vitest', '--', '--maxWorkers=1', ...(given.length > 0 ? given : folders)],
    {
      env: { ...process.env, TEST_DATABASES: 'Citus' },
      stdio: 'inherit',
    },
  );
  process.exitCode = status ?? 1;
} else {
  console.log('Skipped: TEST_DISTRIBUTED_URL is not set to the address of a Citus cluster.');
}
