// The fixture of a soak run: a database on a PostgreSQL server or on a Citus cluster, a Sandbox application with an API key, the sandbox
// connector, and the operator's access to its clock and its loaded logins.
import type { Connector } from '../../connectors/kit/contract.ts';
import { makeSandboxConnector } from '../../connectors/sandbox/sandboxConnector.ts';
import { createApiKey } from '../../src/domain/applications/apiKeys.ts';
import { createApplication, createOrganization } from '../../src/domain/applications/applications.ts';
import { byOperator, operatorActor } from '../../src/domain/audit/by.ts';
import { makeDatabaseStorage } from '../../src/domain/institutions/sandbox/databaseStorage.ts';
import { loadFile } from '../../src/domain/institutions/sandbox/loadFile.ts';
import { advanceSandboxClock } from '../../src/domain/institutions/sandbox/sandboxClock.ts';
import type { Database } from '../../src/platform/db/open.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { makeLog } from '../../src/platform/telemetry/log.ts';
import { buildService } from '../../src/service.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { hostOrigin } from '../data/linkLogin.ts';
import { startDistributed } from '../data/startDistributed.ts';

export type SoakFixture = {
  /** The environment of the service's processes. */
  env: Record<string, string>;
  application: { id: string; apiKey: string };
  db: Database;
  connector: Connector;
  /** The organization of the application. */
  organizationId: string;
  /** The sandbox's time. */
  now(): Date;
  advance(milliseconds: number): Promise<void>;
  load(file: string): Promise<void>;
  close(): Promise<void>;
};

/** With `distributed`, the database is on the cluster of TEST_DISTRIBUTED_URL. */
export const startSoakFixture = async (
  directory: string,
  { distributed }: { distributed: boolean },
): Promise<SoakFixture> => {
  const database = distributed ? await startDistributed() : await startPostgres();
  const env = { DATA_DIR: directory, DATABASE_URL: database.url, LOG_LEVEL: 'fatal', NODE_ENV: 'production' };
  const config = readConfig(env);
  const service = await buildService(config, makeLog('fatal'), { worker: true, withoutLoops: true });
  const { db, apiKeySigner, secrets } = service;
  const now = new Date();
  const { id: organizationId } = await createOrganization(db, 'Soak', { actor: operatorActor, now });
  const by = byOperator(organizationId, now);
  const request = { name: 'Soak', environment: 'sandbox' as const, origins: [hostOrigin] };
  const { id } = await createApplication(db, request, by);
  const { apiKey } = await createApiKey(db, apiKeySigner, { applicationId: id, name: 'soak' }, by);
  let offset = 0;
  return {
    env,
    application: { id, apiKey },
    db,
    connector: makeSandboxConnector({
      storageOf: (id) => makeDatabaseStorage(db, secrets.sandbox, id),
      realNow: () => new Date(),
    }),
    organizationId,
    now: () => new Date(Date.now() + offset),
    advance: async (milliseconds) => {
      offset = await advanceSandboxClock(db, { organizationId, milliseconds, now: new Date() });
    },
    load: async (file) => {
      const { limits } = config;
      await loadFile(db, secrets.sandbox, { organizationId, path: file, limits, now: new Date() });
    },
    close: async () => {
      await service.close();
      await database.stop();
    },
  };
};
