// SIGTERM to npm reaches the service, which shuts down cleanly and frees its port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { programEnv } from '../support/environment.ts';
import { freePort } from '../support/freePort.ts';

const root = join(import.meta.dirname, '../..');

/** npx itself reports that the signal ended the shell. */
const commands: (readonly [command: string, exitCode: number])[] = [
  ['npm start', 0],
  ...(process.env.TEST_ALL ? ([['npm run bank-connection -- serve', 0]] as const) : []),
  ['npx bank-connection serve', 143],
];

test.for(commands)('%s', async ([command, exitCode]) => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const port = String(await freePort());
  const [program, ...args] = command.split(' ') as [string, ...string[]];
  const env = { ...programEnv, DATA_DIR: directory.path, PORT: port };
  const running = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void running.kill('SIGKILL'));
  let output = '';
  running.stdout.on('data', (text) => {
    output += text;
  });
  await expect.poll(() => output, { timeout: 60_000 }).toContain('Bank Connection Data Service at');
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  expect(await isUp()).toBe(true);
  running.kill('SIGTERM');
  const [code, signal] = await once(running, 'close');
  expect(signal === 'SIGTERM' ? 143 : code).toBe(exitCode);
  await expect.poll(isUp, { timeout: 30_000 }).toBe(false);
});
