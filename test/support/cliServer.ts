// Runs as a process of its own (see runBeside in operator.ts): the operator's commands one after another, as they are
// asked for over the channel to its parent. Only its first command waits for the service's program to load.
import { runInProcess } from './runInProcess.ts';
import type { Settings } from './cli.ts';

export type CliRequest = { settings: Settings; args: string[] };

process.on('message', async ({ settings, args }: CliRequest) => {
  process.send!(await runInProcess(settings, args));
});
process.on('disconnect', () => process.exit());
