// The server process of cli.ts: runs the commands that its parent sends over IPC, one after another. Only the first one
// waits for the program to load.

import type { Settings } from './cli.ts';
import { runInProcess } from './runInProcess.ts';

export type CliRequest = { settings: Settings; args: string[] };

process.on('message', async ({ settings, args }: CliRequest) => {
  process.send!(await runInProcess(settings, args));
});
process.on('disconnect', () => process.exit());
