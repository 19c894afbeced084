// A command run inside this process, with streams that remember what is said.
import { runCommand } from '../../src/commands/program.ts';
import type { Settings } from './cli.ts';

export type CliOutcome = { code: number | null; out: string; err: string };

export const runInProcess = async (settings: Settings, words: readonly string[]): Promise<CliOutcome> => {
  const said = { out: '', err: '' };
  const into = (name: 'out' | 'err') => ({
    write: (text: string, written?: () => void) => {
      said[name] += text;
      written?.();
    },
  });
  const env = { LOG_LEVEL: 'error', ...settings };
  const terminal = { env, out: into('out'), err: into('err'), exitCode: 0 };
  await runCommand(['node', 'bank-connection', ...words], terminal);
  return { code: terminal.exitCode, ...said };
};
