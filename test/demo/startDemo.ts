// A service with the demo, as the command serve starts it, on a fresh database.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, startServer } from '../../src/interfaces/commands/serve.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { databases } from '../support/databases.ts';

export type RunningDemo = { server: RunningServer; url: string; directory: string; close(): Promise<void> };

export const startDemo = async (): Promise<RunningDemo> => {
  const directory = await mkdtemp(join(tmpdir(), 'demo-'));
  const database = await databases[0]!.create();
  const config = readConfig({
    PORT: '0',
    DATA_DIR: directory,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
  });
  const server = await startServer(config, { worker: true });
  return {
    ...{ server, url: server.service.config.baseUrl, directory },
    close: async () => {
      await server.close();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
