// Runs as a process of its own (see runBeside in operator.ts): the operator's commands one after another, as they are
// asked for over the channel to its parent. Only its first command waits for the service's program to load.
import { runInside } from './inside.ts';
import type { Settings } from './operator.ts';

export type Asked = { settings: Settings; words: string[] };

process.on('message', async ({ settings, words }: Asked) => {
  process.send!(await runInside(settings, words));
});
process.on('disconnect', () => process.exit());
