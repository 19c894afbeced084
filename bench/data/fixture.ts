// The data of one run: one database, filled through the service's own linking when a row first asks for it, and
// kept under a temporary directory until the run ends.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createApiKey } from '../../src/applications/apiKeys.ts';
import { createApplication, createOrganization } from '../../src/applications/createApplication.ts';
import { readConfig } from '../../src/config.ts';
import { listen } from '../../src/http/listen.ts';
import { makeLog } from '../../src/log.ts';
import { type RefreshNowResult, refreshNow } from '../../src/refresh/refreshNow.ts';
import { buildService, type Service } from '../../src/service.ts';
import { type GeneratedConnector, type Login, makeGeneratedConnector } from './generatedConnector.ts';
import { hostOrigin, type LinkedLogin, linkLogin } from './linkLogin.ts';

/** What a process needs to open the same database. */
export type DatabaseLocation = { directory: string; databaseUrl: string };

export type BenchFixture = DatabaseLocation & {
  applicationId: string;
  apiKey: string;
  /** A connection of this login, linked the first time it is asked for. */
  linked(username: string, login: Login): Promise<LinkedLogin>;
  /** The same login after its history has grown by one entry and one refresh, as often as this. */
  linkedWithRefreshes(username: string, refreshes: number): Promise<LinkedLogin>;
  close(): Promise<void>;
};

/** A service in this process, with its worker, whose bank is the lazy one. */
export type Importer = {
  service: Service;
  connector: GeneratedConnector;
  url: string;
  refresh(connectionId?: string): Promise<RefreshNowResult>;
  close(): Promise<void>;
};

const environment = (place: DatabaseLocation): Record<string, string> => ({
  PORT: '0',
  DATA_DIR: place.directory,
  DATABASE_URL: place.databaseUrl,
  LOG_LEVEL: 'error',
  NODE_ENV: 'production',
});

/** The place of a fresh SQLite database within a directory that is there. */
export const sqliteLocation = (directory: string): DatabaseLocation => ({
  directory,
  databaseUrl: `sqlite:${join(directory, 'service.db')}`,
});

export const startImporter = async (place: DatabaseLocation): Promise<Importer> => {
  const config = readConfig(environment(place), {
    workerPollMs: 20,
    workerConcurrency: 8,
    workerConcurrencyPerInstitution: 8,
    widgetRequestsPerMinute: 1e9,
    apiRequestsPerMinute: 1e9,
    refreshTimeoutSeconds: 3600,
  });
  const connector = makeGeneratedConnector();
  const log = makeLog(config.logLevel);
  const service = await buildService(config, log, { worker: true, connectors: [connector.connector] });
  const listening = await listen(service);
  const { db, clock, jobHandlers } = service;
  return {
    service,
    connector,
    url: `http://127.0.0.1:${listening.port}`,
    refresh: (connectionId) =>
      refreshNow({ db, clock, limits: config.limits }, jobHandlers!.refresh, {
        connectionId,
        signal: AbortSignal.timeout(3_600_000),
      }),
    close: async () => {
      await listening.close();
      await service.close();
    },
  };
};

/** A Production application and its key, in a database that has none yet. */
export const addApplication = async (
  service: Service,
): Promise<{ applicationId: string; apiKey: string }> => {
  const now = new Date();
  await createOrganization(service.db, { name: 'Bench', now });
  const made = await createApplication(service.db, {
    name: 'Bench',
    environment: 'production',
    origins: [hostOrigin],
    now,
  });
  const key = { applicationId: made.id, name: 'bench', now };
  const { apiKey } = await createApiKey(service.db, service.apiKeySigner, key);
  return { applicationId: made.id, apiKey };
};

/** An empty database with one application. `place.directory` is taken away at the end. */
export const makeBenchFixture = async (place: DatabaseLocation): Promise<BenchFixture> => {
  const withImporter = async <Result>(work: (importer: Importer) => Promise<Result>): Promise<Result> => {
    const importer = await startImporter(place);
    try {
      return await work(importer);
    } finally {
      await importer.close();
    }
  };
  const application = await withImporter(({ service }) => addApplication(service));
  const known = new Map<string, Promise<LinkedLogin>>();
  const once = (username: string, make: () => Promise<LinkedLogin>): Promise<LinkedLogin> => {
    const linked = known.get(username) ?? make();
    known.set(username, linked);
    return linked;
  };
  const link = (importer: Importer, username: string, login: Login): Promise<LinkedLogin> => {
    importer.connector.setLogin(username, login);
    return linkLogin(importer.url, { applicationId: application.applicationId, username });
  };
  return {
    ...place,
    ...application,
    linked: (username, login) =>
      once(username, () => withImporter((importer) => link(importer, username, login))),
    linkedWithRefreshes: (username, refreshes) =>
      once(username, () =>
        withImporter(async (importer) => {
          const login = { span: refreshes, days: 10 };
          const linked = await link(importer, username, { ...login, transactions: 1 });
          for (let transactions = 2; transactions <= refreshes; transactions++) {
            importer.connector.setLogin(username, { ...login, transactions });
            await importer.refresh(linked.connectionId);
          }
          return linked;
        }),
      ),
    close: () => rm(place.directory, { recursive: true, force: true }),
  };
};
