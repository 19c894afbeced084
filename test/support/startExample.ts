// Starts a program of examples/.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');

/**
 * Starts a program that ends with the test, waits until it prints a text (by default, that it listens), and returns a function for
 * its output.
 */
export const startExample = async (
  file: string,
  env: Record<string, string>,
  ready: string | RegExp = 'Open http://localhost:',
): Promise<() => string> => {
  const program = spawn(process.execPath, [join(root, file)], { env: { ...process.env, ...env } });
  onTestFinished(async () => {
    if (program.exitCode === null && program.kill()) await once(program, 'exit');
  });
  let output = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (output += text));
  await expect.poll(() => output, { timeout: 20_000 }).toMatch(ready);
  return () => output;
};
