// The server process of cli.ts: runs the commands that its parent sends over IPC, one after another. Only the first one
// waits for the program to load.

import type { Settings } from './cli.ts';
import { runInProcess } from './runInProcess.ts';

export type CliRequest = { settings: Settings; args: string[]; input?: string };

process.on('message', async ({ settings, args, input }: CliRequest) => {
  process.send!(await runInProcess(settings, args, input));
});
process.on('disconnect', () => process.exit());
