// work: imports, refreshes and deletions alone, for a process that nobody talks to.
import { makeLog } from '../log.ts';
import { buildService } from '../service.ts';
import { defineCommand } from './command.ts';
import { waitForShutdown } from './shutdownSignal.ts';
import { makeDataDirectory } from './withService.ts';

export const workerCommand = defineCommand({
  summary: 'import, refresh and delete what is due, without listening to anybody',
  run: async ({ config, json }) => {
    makeDataDirectory(config);
    const log = makeLog(config.logLevel, json ? process.stderr : undefined);
    const service = await buildService(config, log, { worker: true });
    return {
      json: { working: true },
      text: ['Working on imports, refreshes and deletions until stopped.'],
      longRunning: async () => {
        await waitForShutdown();
        await service.close();
      },
    };
  },
});
