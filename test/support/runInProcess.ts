// Runs a command in this process and collects its output.
import { Readable } from 'node:stream';
import type { Settings } from './cli.ts';
import { runWithTunables } from './tunables.ts';

export type CliOutcome = { code: number | null; out: string; err: string };

export const runInProcess = async (
  settings: Settings,
  args: readonly string[],
  input = '',
): Promise<CliOutcome> => {
  const output = { out: '', err: '' };
  const streamTo = (name: 'out' | 'err') => ({
    write: (text: string, written?: () => void) => {
      output[name] += text;
      written?.();
    },
  });
  const env = { LOG_LEVEL: 'error', ...settings };
  const terminal = {
    ...{ env, exitCode: 0, in: Readable.from([input]) },
    ...{ out: streamTo('out'), err: streamTo('err') },
  };
  await runWithTunables(['node', 'bank-connection', ...args], terminal);
  return { code: terminal.exitCode, ...output };
};
