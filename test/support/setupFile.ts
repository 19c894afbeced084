// Runs around every test file: whoever leaves a server, a connection, a child or a timer open fails. Registered
// first, so that it runs after all that the file itself closes.
import { afterAll } from 'vitest';
import { runCleanups } from './afterFile.ts';
import { countOpenHandles, expectNoOpenHandles } from './openHandles.ts';

const before = countOpenHandles();

afterAll(async () => {
  await runCleanups();
  await expectNoOpenHandles(before);
});
