// Builds the house once: database, secrets, vault, banks, and what each door and the worker may hold of them.
import { type ApiKeySigner, makeApiKeySigner } from './applications/apiKeys.ts';
import { withTimeout } from './connectors/withTimeout.ts';
import {
  type ConnectorModule,
  loadConnectorModules,
  makeRegistry,
  type Registry,
} from './connectors/registry.ts';
import { sandboxInstitutions } from './connectors/sandbox/institutions.ts';
import { makeSandboxConnector } from './connectors/sandbox/sandboxConnector.ts';
import { type Clock, seconds, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { migrate } from './db/migrate.ts';
import { type Database, openDatabase } from './db/open.ts';
import { importConnection } from './linking/importConnection.ts';
import type { LinkJobDeps } from './linking/linkJob.ts';
import { reconnectConnection } from './linking/reconnectConnection.ts';
import type { LinkingDeps } from './linking/deps.ts';
import type { Log } from './log.ts';
import { makeBackgroundTasks } from './members/backgroundTasks.ts';
import { makeOidcClient, type OidcClient } from './members/oidc.ts';
import type { MemberDeps } from './members/deps.ts';
import { type MetricsRecorder, startMetricsRecorder } from './metrics/recorder.ts';
import { type RateLimiter, startRateLimiter } from './metrics/rateLimiter.ts';
import type { ClaimedJob } from './refresh/jobs.ts';
import { refreshConnection } from './refresh/refreshConnection.ts';
import { startWorker, type Worker, type WorkerLog, type JobHandlers } from './refresh/worker.ts';
import { type Sweeper, startSweeper } from './retention/sweeper.ts';
import { watchSandboxClock } from './connectors/sandbox/storage/sandboxClock.ts';
import { makeDatabaseStorage } from './connectors/sandbox/storage/databaseStorage.ts';
import { loadSecrets, type Secrets } from './secrets/secrets.ts';
import { makeFairScheduler, type YieldTurn } from './fairScheduler.ts';

export type Service = {
  config: Config;
  log: Log;
  clock: Clock;
  db: Database;
  apiKeySigner: ApiKeySigner;
  secrets: Secrets;
  registry: Registry;
  linking: LinkingDeps;
  members: MemberDeps;
  /** There where the operator has set a provider. */
  oidc: OidcClient | undefined;
  metrics: MetricsRecorder;
  rateLimiter: RateLimiter;
  /** Long answers of this process take turns. */
  yieldTurn: YieldTurn;
  /** There in a process that may hold the worker's secrets: what is to be done for each kind of work. */
  jobHandlers: JobHandlers | undefined;
  /** There in a process that looks for work, and at times for what is to be deleted, by itself. */
  worker: Worker | undefined;
  /** Stops what runs by itself and closes the database. */
  close(): Promise<void>;
};

export type ServiceOptions = {
  /** Whether this process may hold the worker's secrets and do its work. */
  worker: boolean;
  /** A process with the worker's secrets that does only what it is told to. */
  withoutLoops?: boolean;
  /** Another time than the system's with the sandbox's offset. */
  clock?: Clock;
  /** Connectors for Production applications, besides those of the setting CONNECTORS. */
  connectors?: ConnectorModule[];
  /** How long each step takes the sandbox's user `slow`. */
  slowStepMs?: number;
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
  const { limits } = config;
  let worker: Worker | undefined;
  let sweeper: Sweeper | undefined;
  const time = await startClock(db, options.clock, limits.sandboxClockPollMs, () => {
    worker?.wake();
    sweeper?.wake();
  });
  const metrics = startMetricsRecorder({ db, clock: time.clock, limits, log });
  const rateLimiter = startRateLimiter({ db, clock: time.clock, limits, log });
  const backgroundTasks = makeBackgroundTasks((err) =>
    log.error({ err }, 'a failed sign-in was not recorded'),
  );
  const close = async (): Promise<void> => {
    await Promise.all([worker?.stop(), sweeper?.stop(), time.stop()]);
    await Promise.all([metrics.stop(), rateLimiter.stop(), backgroundTasks.drain()]);
    await db.close();
  };
  try {
    const { clock } = time;
    const secrets = await loadSecrets(db, config.secretsDir, { worker: options.worker, now: clock.real() });
    const registry = await buildRegistry(config, db, clock, {
      secrets,
      ...options,
    });
    const linking: LinkingDeps = {
      db,
      clock,
      limits,
      registry,
      workerPublicKey: secrets.workerPublicKey,
      serviceSecret: secrets.apiKeys,
      wakeWorker: () => worker?.wake(),
      reportError: (session, error) => log.error({ session, err: error }, 'linking failed'),
    };
    const jobHandlers = secrets.worker && makeJobHandlers(linking, secrets.worker);
    if (jobHandlers && !options.withoutLoops) {
      worker = startWorker({ db, clock, limits, log: workerLog(log, metrics) }, jobHandlers);
      sweeper = startSweeper({ db, clock, limits, log });
    }
    const apiKeySigner = makeApiKeySigner(secrets.apiKeys);
    const members: MemberDeps = { db, clock, limits, baseUrl: config.baseUrl, backgroundTasks };
    const oidc = config.oidc && makeOidcClient(config.oidc);
    return {
      ...{ config, log, clock, db, apiKeySigner, secrets, registry },
      ...{ linking, members, oidc, metrics, rateLimiter, jobHandlers, worker, close },
      yieldTurn: makeFairScheduler(),
    };
  } catch (error) {
    await Promise.all([metrics.stop(), rateLimiter.stop()]);
    await time.stop();
    throw error;
  }
};

const startClock = async (db: Database, given: Clock | undefined, everyMs: number, onMoved: () => void) => {
  if (given) return { clock: given, stop: async () => {} };
  const sandbox = await watchSandboxClock(db, { everyMs, onMoved });
  return { clock: systemClock(sandbox.offset), stop: sandbox.stop };
};

const buildRegistry = async (
  config: Config,
  db: Database,
  clock: Clock,
  { secrets, connectors = [], slowStepMs }: ServiceOptions & { secrets: Secrets },
): Promise<Registry> => {
  const patient = (connector: ConnectorModule): ConnectorModule => ({
    ...connector,
    connector: withTimeout(connector.connector, seconds(config.limits.connectorTimeoutSeconds)),
  });
  const storage = makeDatabaseStorage(db, secrets.sandbox);
  const sandbox = makeSandboxConnector({ storage, realNow: clock.real, slowStepMs });
  const production = [...connectors, ...(await loadConnectorModules(config.connectors))];
  return makeRegistry({
    sandbox: patient({ institutions: sandboxInstitutions, connector: sandbox }),
    production: production.map(patient),
  });
};

const makeJobHandlers = (linking: LinkingDeps, secrets: NonNullable<Secrets['worker']>): JobHandlers => {
  const tools: LinkJobDeps = { ...linking, workerKeys: secrets.keys, fingerprintKey: secrets.fingerprints };
  return {
    import: (work, signal) => importConnection(tools, work, signal),
    reconnect: (work, signal) => reconnectConnection(tools, work, signal),
    refresh: (work, signal) => refreshConnection(tools, work, signal),
  };
};

const workerLog = (log: Log, counter: MetricsRecorder): WorkerLog => {
  const count = (
    work: ClaimedJob,
    outcome: 'succeeded' | 'refused' | 'failed',
    milliseconds: number,
  ): void => {
    const { applicationId, institutionId } = work;
    counter.observe({ applicationId, kind: 'institution', subject: institutionId, outcome, milliseconds });
  };
  return {
    done: (work, milliseconds, outcome) => {
      const { connectionId, kind } = work;
      log.info({ connectionId, kind, milliseconds }, 'work done');
      if (kind !== 'refresh' || outcome === 'nothing') return;
      count(work, outcome === 'refused' ? 'refused' : 'succeeded', milliseconds);
    },
    failed: (work, err, milliseconds) => {
      const { connectionId, kind } = work;
      log.warn({ connectionId, kind, err }, 'work failed');
      if (kind === 'refresh' && connectionId !== '') count(work, 'failed', milliseconds ?? 0);
    },
  };
};
