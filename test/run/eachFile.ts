// Runs around every test file: whoever leaves a server, a connection, a child or a timer open fails. Registered
// first, so that it runs after all that the file itself closes.
import { afterAll } from 'vitest';
import { closeAll } from './atEndOfFile.ts';
import { countOpen, expectNothingLeft } from './leftovers.ts';

const before = countOpen();

afterAll(async () => {
  await closeAll();
  await expectNothingLeft(before);
});
