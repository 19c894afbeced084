// The data for one run: one database in a temporary directory. Connections are linked through the widget's HTTP API
// when a row first needs them.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createApiKey } from '../../src/domain/applications/apiKeys.ts';
import { createApplication, createOrganization } from '../../src/domain/applications/applications.ts';
import { byOperator, operatorActor } from '../../src/domain/audit/by.ts';
import { type RefreshNowResult, refreshNow } from '../../src/flows/refresh/refreshNow.ts';
import { openServer } from '../../src/interfaces/http/listen.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import type { Limits } from '../../src/platform/settings/limits.ts';
import { makeLog } from '../../src/platform/telemetry/log.ts';
import type { Clock } from '../../src/platform/values/clock.ts';
import { buildService, type Service } from '../../src/service.ts';
import { type GeneratedConnector, type Login, makeGeneratedConnector } from './generatedConnector.ts';
import { hostOrigin, type LinkedLogin, linkLogin } from './linkLogin.ts';

/** What another process needs to open the same database. */
export type DatabaseLocation = { directory: string; databaseUrl: string };

export type BenchFixture = DatabaseLocation & {
  applicationId: string;
  apiKey: string;
  /** The connection for this login, linked by the first call. */
  linked(username: string, login: Login): Promise<LinkedLogin>;
  /** A connection whose history has grown over this many refreshes, by one transaction in each. */
  linkedWithRefreshes(username: string, refreshes: number): Promise<LinkedLogin>;
  close(): Promise<void>;
};

/** A service in this process, with its worker and the generated connector. */
export type Importer = {
  service: Service;
  generated: GeneratedConnector;
  url: string;
  refresh(connectionId?: string): Promise<RefreshNowResult>;
  close(): Promise<void>;
};

const environment = (location: DatabaseLocation): Record<string, string> => ({
  PORT: '0',
  DATA_DIR: location.directory,
  DATABASE_URL: location.databaseUrl,
  LOG_LEVEL: 'error',
  NODE_ENV: 'production',
});

/** A new SQLite database in an existing directory. */
export const sqliteLocation = (directory: string): DatabaseLocation => ({
  directory,
  databaseUrl: `sqlite:${join(directory, 'service.db')}`,
});

export type ImporterOptions = { clock?: Clock; limits?: Partial<Limits> };

export const startImporter = async (
  location: DatabaseLocation,
  { clock: ownClock, limits }: ImporterOptions = {},
): Promise<Importer> => {
  const config = readConfig(environment(location), {
    workerPollMs: 20,
    workerConcurrency: 8,
    workerConcurrencyPerInstitution: 8,
    widgetRequestsPerMinute: 1e9,
    linkSignInsPerAddress: 1e9,
    linkSignInsPerApplication: 1e9,
    apiRequestsPerMinute: 1e9,
    refreshTimeoutSeconds: 3600,
    ...limits,
  });
  const generated = makeGeneratedConnector();
  const log = makeLog(config.logLevel);
  const connectors = [generated.connector];
  const service = await buildService(config, log, { worker: true, connectors, clock: ownClock });
  const server = await openServer(config, log);
  server.serve(service);
  const { db, clock, registry, jobHandlers } = service;
  return {
    service,
    generated,
    url: `http://127.0.0.1:${server.port}`,
    refresh: (connectionId) =>
      refreshNow({ db, clock, registry, limits: config.limits }, jobHandlers!.refresh, {
        connectionId,
        signal: AbortSignal.timeout(3_600_000),
      }),
    close: async () => {
      await server.close();
      await service.close();
    },
  };
};

/** Creates a Production application and its API key, in an empty database. */
export const addApplication = async (
  service: Service,
): Promise<{ applicationId: string; apiKey: string }> => {
  const now = service.clock.real();
  const organization = await createOrganization(service.db, 'Bench', { actor: operatorActor, now });
  const by = byOperator(organization.id, now);
  const request = { name: 'Bench', environment: 'production' as const, origins: [hostOrigin] };
  const application = await createApplication(service.db, request, by);
  const key = { applicationId: application.id, name: 'bench' };
  const { apiKey } = await createApiKey(service.db, service.apiKeySigner, key, by);
  return { applicationId: application.id, apiKey };
};

/** Creates a database with one application. `close` removes `location.directory`. */
export const makeBenchFixture = async (location: DatabaseLocation): Promise<BenchFixture> => {
  const withImporter = async <Result>(use: (importer: Importer) => Promise<Result>): Promise<Result> => {
    const importer = await startImporter(location);
    try {
      return await use(importer);
    } finally {
      await importer.close();
    }
  };
  const application = await withImporter(({ service }) => addApplication(service));
  const linkedByUsername = new Map<string, Promise<LinkedLogin>>();
  const once = (username: string, make: () => Promise<LinkedLogin>): Promise<LinkedLogin> => {
    const linked = linkedByUsername.get(username) ?? make();
    linkedByUsername.set(username, linked);
    return linked;
  };
  const link = (importer: Importer, username: string, login: Login): Promise<LinkedLogin> => {
    importer.generated.setLogin(username, login);
    return linkLogin(importer.url, { applicationId: application.applicationId, username });
  };
  return {
    ...location,
    ...application,
    linked: (username, login) =>
      once(username, () => withImporter((importer) => link(importer, username, login))),
    linkedWithRefreshes: (username, refreshes) =>
      once(username, () =>
        withImporter(async (importer) => {
          const login = { span: refreshes, days: 10 };
          const linked = await link(importer, username, { ...login, transactions: 1 });
          for (let transactions = 2; transactions <= refreshes; transactions++) {
            importer.generated.setLogin(username, { ...login, transactions });
            await importer.refresh(linked.connectionId);
          }
          return linked;
        }),
      ),
    close: () => rm(location.directory, { recursive: true, force: true }),
  };
};
