// Runs in every test file: fails it if it leaves a server, a connection, a child process or a timer open. The hook is
// registered first, so that it runs after the file's own cleanup.
import { afterAll, aroundEach } from 'vitest';
import { runCleanups, runWithCleanups } from './cleanups.ts';
import { countOpenHandles, expectNoOpenHandles } from './openHandles.ts';

const before = countOpenHandles();

aroundEach(runWithCleanups);

afterAll(async () => {
  await runCleanups();
  await expectNoOpenHandles(before);
});
