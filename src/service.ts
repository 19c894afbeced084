// Builds the house once: database, secrets, vault, banks, and what each door and the worker may hold of them.
import { type ApiKeySigner, makeApiKeySigner } from './applications/apiKeys.ts';
import { withPatience } from './banks/patience.ts';
import { type Connector, loadConnectors, makeRegistry, type Registry } from './banks/registry.ts';
import { sandboxInstitutions } from './banks/sandbox/institutions.ts';
import { makeSandboxBank } from './banks/sandbox/sandboxBank.ts';
import { type Clock, seconds, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { migrate } from './db/migrate.ts';
import { type Database, openDatabase } from './db/open.ts';
import { importConnection } from './linking/finish.ts';
import type { ImportTools } from './linking/follow.ts';
import { reconnectConnection } from './linking/reconnect.ts';
import type { LinkingTools } from './linking/tools.ts';
import type { Log } from './log.ts';
import { refreshConnection } from './refresh/refreshConnection.ts';
import { startWorker, type Worker } from './refresh/worker.ts';
import { makeSandboxMemory } from './sandbox/memory.ts';
import { loadSecrets, type Secrets } from './secrets/secrets.ts';

export type Service = {
  config: Config;
  log: Log;
  clock: Clock;
  db: Database;
  signer: ApiKeySigner;
  secrets: Secrets;
  registry: Registry;
  linking: LinkingTools;
  /** There in a process that refreshes and imports. */
  worker: Worker | undefined;
  /** Stops the worker and closes the database. */
  close(): Promise<void>;
};

export type ServiceOptions = {
  /** Whether this process may hold the worker's secrets and do its work. */
  worker: boolean;
  clock?: Clock;
  /** Connectors for Production applications, besides those of the setting BANKS. */
  connectors?: Connector[];
};

/** Opens, migrates and assembles. Throws OperatorError with one sentence for whatever the operator must mend. */
export const buildService = async (config: Config, log: Log, options: ServiceOptions): Promise<Service> => {
  const db = await openDatabase(config.databaseUrl);
  try {
    return await assemble(config, log, db, options);
  } catch (error) {
    await db.close();
    throw error;
  }
};

const assemble = async (
  config: Config,
  log: Log,
  db: Database,
  options: ServiceOptions,
): Promise<Service> => {
  await migrate(db);
  const clock = options.clock ?? systemClock(() => 0);
  const secrets = await loadSecrets(db, config.secretsDir, { worker: options.worker, now: clock.real() });
  const registry = await buildRegistry(config, db, clock, { secrets, connectors: options.connectors ?? [] });
  let worker: Worker | undefined;
  const linking: LinkingTools = {
    db,
    clock,
    limits: config.limits,
    registry,
    workerPublicKey: secrets.workerPublicKey,
    wakeWorker: () => worker?.wake(),
    reportFault: (session, error) => log.error({ session, err: error }, 'linking failed'),
  };
  worker = options.worker ? startWork(linking, secrets, log) : undefined;
  return {
    config,
    log,
    clock,
    db,
    signer: makeApiKeySigner(secrets.apiKeys),
    secrets,
    registry,
    linking,
    worker,
    close: async () => {
      await worker?.stop();
      await db.close();
    },
  };
};

const buildRegistry = async (
  config: Config,
  db: Database,
  clock: Clock,
  { secrets, connectors }: { secrets: Secrets; connectors: Connector[] },
): Promise<Registry> => {
  const patient = (connector: Connector): Connector => ({
    ...connector,
    bank: withPatience(connector.bank, seconds(config.limits.bankTimeoutSeconds)),
  });
  const sandbox = makeSandboxBank({ memory: makeSandboxMemory(db, secrets.sandbox), realNow: clock.real });
  const production = [...connectors, ...(await loadConnectors(config.banks))];
  return makeRegistry({
    sandbox: patient({ institutions: sandboxInstitutions, bank: sandbox }),
    production: production.map(patient),
  });
};

const startWork = (linking: LinkingTools, secrets: Secrets, log: Log): Worker => {
  const { keys, fingerprints } = secrets.worker!;
  const tools: ImportTools = { ...linking, worker: keys, fingerprintKey: fingerprints };
  return startWorker(
    {
      ...tools,
      log: {
        done: ({ connectionId, kind }, milliseconds) =>
          log.info({ connectionId, kind, milliseconds }, 'work done'),
        failed: ({ connectionId, kind }, err) => log.warn({ connectionId, kind, err }, 'work failed'),
      },
    },
    {
      import: (work, signal) => importConnection(tools, work, signal),
      reconnect: (work, signal) => reconnectConnection(tools, work, signal),
      refresh: (work, signal) => refreshConnection(tools, work, signal),
    },
  );
};
