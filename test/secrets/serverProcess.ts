// A second process of a service, with short intervals: it serves with the settings that its parent sends until the parent
// disconnects, and sends back its port.
import { startServer } from '../../src/interfaces/commands/serve.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import type { Settings } from '../support/cli.ts';
import { testLimits } from '../support/testService.ts';
import { shortIntervals } from './fixture.ts';

export type ServerRequest = { settings: Settings; worker: boolean };

process.once('message', async ({ settings, worker }: ServerRequest) => {
  const server = await startServer(readConfig(settings, { ...testLimits, ...shortIntervals }), { worker });
  process.once('disconnect', async () => {
    await server.close();
    process.exit();
  });
  process.send!(server.port);
});
