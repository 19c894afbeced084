// Collects the warnings that a long-running command logs between its start and its end.
import { expect, onTestFinished } from 'vitest';
import { type Settings, startLongRunning, temporaryDirectory } from '../support/cli.ts';

/** Starts a command on a fresh directory, calls `use` with its address, stops it, and returns the warnings with this text. */
export const warningsOf = async (
  msg: string,
  settings: Settings,
  command: readonly string[],
  use: (url: string) => Promise<unknown> = (url) => fetch(`${url}/health`).then((one) => one.text()),
): Promise<Record<string, unknown>[]> => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const own = { DATA_DIR: directory.path, PORT: '0', LOG_LEVEL: 'warn' };
  const { result, output, stop } = await startLongRunning({ ...own, ...settings }, ...command);
  if (command[0] === 'serve') await use(`http://127.0.0.1:${result.port}`);
  expect(await stop()).toBe(0);
  // The password of the proxy in some of the settings.
  expect(output.out + output.err).not.toContain('hunter2');
  const lines = output.err.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg);
};
