// The command worker: imports, refreshes and deletes, without an HTTP server.
import { makeLog } from '../log.ts';
import { buildService } from '../service.ts';
import { defineCommand } from './command.ts';
import { waitForShutdown } from './shutdownSignal.ts';
import { makeDataDirectory, serveSignals } from './withService.ts';

export const workerCommand = defineCommand({
  summary: 'run imports, refreshes and deletions, without an HTTP server',
  run: async ({ config, json }) => {
    makeDataDirectory(config);
    const log = makeLog(config.logLevel, json ? 'stderr' : 'stdout');
    const service = await buildService(config, log, { worker: true, serves: false });
    const metrics = await serveSignals(service).catch(async (error) => {
      // Otherwise its loops would go on.
      await service.close();
      throw error;
    });
    return {
      json: { working: true },
      text: ['Working on imports, refreshes and deletions until stopped.'],
      longRunning: async () => {
        await waitForShutdown();
        await metrics?.close();
        await service.close();
      },
    };
  },
});
