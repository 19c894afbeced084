// The command worker: imports, refreshes and deletes, without an HTTP server.
import { buildService } from '../service.ts';
import { makeLog } from '../telemetry/log.ts';
import { defineCommand } from './command.ts';
import { waitForShutdown } from './shutdownSignal.ts';
import { makeDataDirectory, serveSignals, warnWithoutTracer } from './withService.ts';

export const workerCommand = defineCommand({
  summary: 'run imports, refreshes and deletions, without an HTTP server',
  run: async ({ config, json }) => {
    makeDataDirectory(config);
    const log = makeLog(config.logLevel, json ? 'stderr' : 'stdout');
    warnWithoutTracer(config, log);
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
