// `npm run pictures` takes all pictures of README.md and docs/ again. Some tests take them where SCREENSHOTS says.
import { execFileSync } from 'node:child_process';

const pictures = {
  'docs/pictures': 'test/pictures',
  'docs/screenshots/widget': 'test/widget/every',
  'docs/screenshots/dashboard': 'test/dashboard/pages',
  'docs/screenshots/fints': 'test/connectors/fints/widget',
};

for (const [directory, files] of Object.entries(pictures)) {
  const env = { ...process.env, SCREENSHOTS: directory };
  execFileSync('npm', ['run', '-s', 'vitest', '--', files], { env, stdio: 'inherit' });
}
