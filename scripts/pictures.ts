// `npm run pictures` retakes all pictures in README.md and docs/, by running the page tests that take them.
import { execFileSync } from 'node:child_process';

const widget = [
  'everyScreen',
  'everyFailure',
  'approvedReading',
  'connectedBefore',
  'consentEnds',
  'firstOpen',
  'languages',
  'leaving',
  'unavailable',
];
const tests = [
  'test/pictures/',
  ...widget.map((name) => `test/widget/${name}`),
  'test/dashboard/pages',
  'test/connectors/fints/widget',
  'test/connectors/enable-banking/widget',
];

// One file after another: each adds to docs/screenshots/rendered.json.
execFileSync('npm', ['run', '-s', 'vitest', '--', '--no-file-parallelism', ...tests], {
  env: { ...process.env, SCREENSHOTS: '1' },
  stdio: 'inherit',
});
