// Assembles the service: database, secrets, connectors, worker, and the dependencies of linking, members and metrics.
import { makeAddressFilter } from '../connectors/kit/addressFilter.ts';
import type { ConnectorModule } from '../connectors/kit/defineConnector.ts';
import { makeGuardedSender } from '../connectors/kit/guardedRequest.ts';
import { withTimeout } from '../connectors/kit/withTimeout.ts';
import { withValidation } from '../connectors/kit/withValidation.ts';
import { sandboxInstitutions } from '../connectors/sandbox/institutions.ts';
import { makeSandboxConnector } from '../connectors/sandbox/sandboxConnector.ts';
import { type ApiKeySigner, makeApiKeySigner } from './domain/applications/apiKeys.ts';
import { loadConnectorModules } from './domain/institutions/load.ts';
import { makeRegistry, type Registry } from './domain/institutions/registry.ts';
import { makeDatabaseStorage } from './domain/institutions/sandbox/databaseStorage.ts';
import { watchSandboxClocks } from './domain/institutions/sandbox/sandboxClock.ts';
import { type MemberDeps, makeBackgroundTasks } from './domain/members/member.ts';
import { makeOidcClient, type OidcClient } from './domain/members/oidc.ts';
import { type RateLimiter, startRateLimiter } from './domain/rateLimits/rateLimiter.ts';
import {
  type MetricsRecorder,
  type RequestLog,
  startMetricsRecorder,
  startRequestLog,
} from './domain/requestLog/recorder.ts';
import { type DeliveryDeps, type DeliveryLog, startDelivering } from './domain/webhooks/deliver.ts';
import type { EndpointDeps } from './domain/webhooks/endpoints.ts';
import { makeOpenEndpoint } from './domain/webhooks/openEndpoint.ts';
import { makeWebhookSender } from './domain/webhooks/sendWebhook.ts';
import { importConnection } from './flows/import/importConnection.ts';
import type { LinkJobDeps } from './flows/import/linkJob.ts';
import { reconnectConnection } from './flows/import/reconnectConnection.ts';
import type { LinkingDeps } from './flows/link/linkSession.ts';
import type { ClaimedJob } from './flows/refresh/jobs.ts';
import { refreshConnection } from './flows/refresh/refreshConnection.ts';
import { type JobHandlers, startWorker, type Worker, type WorkerLog } from './flows/refresh/worker.ts';
import { type Sweeper, startLogTruncation, startSweeper } from './operations/retention/sweeper.ts';
import { openSecrets, type ProcessKind, type Secrets } from './operations/secrets/secrets.ts';
import { makeStateReader, type StateReader } from './operations/signals/operationalState.ts';
import type { Signals } from './operations/signals/prometheus.ts';
import { migrate } from './platform/db/migrate.ts';
import { type Database, openDatabase } from './platform/db/open.ts';
import { makeFairScheduler, type YieldTurn } from './platform/loops/fairScheduler.ts';
import { makeRequestSlots, type RequestSlot } from './platform/loops/requestSlots.ts';
import type { Config } from './platform/settings/config.ts';
import type { Log } from './platform/telemetry/log.ts';
import { type Clock, seconds, systemClock } from './platform/values/clock.ts';
import { FingerprintKeyLost } from './platform/values/errors.ts';
import { deriveKey, type KeyPair } from './platform/vault/keys.ts';
import { deriveKeyset, type Keyset } from './platform/vault/keyset.ts';

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
  /** Undefined if no OpenID provider is configured. */
  oidc: OidcClient | undefined;
  metrics: MetricsRecorder;
  requestLog: RequestLog;
  /** What Prometheus reads; kept only where METRICS_PORT is set. */
  signals: Signals | undefined;
  readState: StateReader;
  rateLimiter: RateLimiter;
  /** The first proxy that this process has seen whose X-Forwarded-For is ignored. */
  ignoredProxy: { address?: string };
  /** Long responses of this process yield to each other between chunks. */
  yieldTurn: YieldTurn;
  /** For a request, which takes its slot before it uses the database. */
  makeRequestSlot(): RequestSlot;
  /** One handler per kind of job; undefined in a process without the worker's secrets. */
  jobHandlers: JobHandlers | undefined;
  webhookEndpoints: EndpointDeps;
  /** What delivers webhooks; undefined in a process without the worker's secrets. */
  webhooks: DeliveryDeps | undefined;
  /** Undefined in a process that does not claim jobs by itself. */
  worker: Worker | undefined;
  /** Stops the worker and all loops, then closes the database. */
  close(): Promise<void>;
};

export type ServiceOptions = {
  /** Whether this process loads the worker's secrets and runs jobs. */
  worker: boolean;
  /** Whether HTTP is served, which is only reported; by default yes. */
  serves?: boolean;
  /** Starts no worker, sweeper or truncation of SQLite's log; for commands that run one job or sweep themselves. */
  withoutLoops?: boolean;
  /** Replaces the system's clock with the sandboxes' offsets. */
  clock?: Clock;
  /** Connectors for Production applications, besides those of the setting CONNECTORS. */
  connectors?: ConnectorModule[];
  /** How long each step of the sandbox user `slow` takes. */
  slowStepMs?: number;
};

/** Opens and migrates the database and assembles the service. Throws OperatorError for wrong settings or secrets. */
export const buildService = async (config: Config, log: Log, options: ServiceOptions): Promise<Service> => {
  const { limits, secretsDir: directory } = config;
  // What a start that fails has opened is closed, the last first.
  await using opened = new AsyncDisposableStack();
  const db = await openDatabase(config.databaseUrl, {
    maxWaitMs: seconds(limits.databaseJobSeconds),
    prepared: config.databasePrepared,
  });
  opened.defer(db.close);
  db.onNodeOut((node) => log.warn({ node }, 'node not reached'));
  await migrate(db, { clock: options.clock, limits });
  const backgroundTasks = makeBackgroundTasks((err) => log.error({ err }, 'failed sign-in not recorded'));
  opened.defer(backgroundTasks.drain);
  let worker: Worker | undefined;
  let sweeper: Sweeper | undefined;
  const sandboxClock = await startClock(db, options.clock, limits.sandboxClockPollMs, () => {
    worker?.wake();
    sweeper?.wake();
  });
  // They read or write when they stop: together, so that a database that does not answer delays a stop only once.
  const background: Stoppable[] = [sandboxClock];
  opened.defer(() => stopAll(background));
  const { clock } = sandboxClock;
  const requestLog = startRequestLog({ db, clock, limits, log });
  const metrics = startMetricsRecorder({ db, clock, limits, log });
  background.push(requestLog, metrics);
  const kind = processKind(options);
  const secrets = await openSecrets(db, { directory, worker: options.worker, kind, clock, limits, log });
  background.push(secrets);
  const { workerPublicKeys, signingPublicKeys } = secrets;
  const hashKeys = deriveKeyset(secrets.cursors, (key) => deriveKey(key, 'keys of limits v1'));
  const rateLimiter = startRateLimiter({ db, clock, limits, log, hashKeys });
  background.push(rateLimiter);
  const registry = await buildRegistry(config, db, clock, { secrets, ...options });
  const readState = makeStateReader({ db, clock, limits });
  const signals = await startSignals(config, { db: db.within(limits.databaseRequestMs), readState });
  const linking: LinkingDeps = {
    db,
    clock,
    limits,
    baseUrl: config.baseUrl,
    operator: config.operator,
    registry,
    ...{ rateLimiter, hashKeys, metrics },
    workerPublicKeys,
    signingPublicKeys,
    identityServiceSecrets: secrets.identity,
    wakeWorker: () => worker?.wake(),
    reportError: (linkSessionId, err) => log.error({ linkSessionId, err }, 'link session failed'),
  };
  const jobHandlers = secrets.worker && makeJobHandlers(linking, secrets.worker);
  const isAllowed = makeAddressFilter(config.allowedNetworks);
  const webhookEndpoints: EndpointDeps = { db, limits, workerPublicKeys, isAllowed };
  const webhooks =
    secrets.worker && makeDeliveryDeps(webhookEndpoints, { clock, log, signals }, secrets.worker.keys);
  if (!options.withoutLoops && db.dialect === 'sqlite')
    background.push(startLogTruncation({ db, limits, log }));
  if (jobHandlers && webhooks && !options.withoutLoops) {
    worker = startWorker({ db, clock, limits, log: workerLog(log, metrics, signals) }, jobHandlers);
    sweeper = startSweeper({ db, clock, limits, log });
    const loops = [worker, startDelivering(webhooks), sweeper];
    opened.defer(() => stopAll(loops));
  }
  const members: MemberDeps = { db, clock, limits, hashKeys, baseUrl: config.baseUrl, backgroundTasks };
  const oidc = config.oidc && makeOidcClient(config.oidc);
  const yieldTurn = makeFairScheduler();
  const running = opened.move();
  return {
    ...{ config, log, clock, db, apiKeySigner: makeApiKeySigner(secrets.apiKeys), secrets, registry },
    ...{ linking, members, oidc, metrics, requestLog, signals, readState, rateLimiter },
    ...{ jobHandlers, webhookEndpoints, webhooks, worker, ignoredProxy: {} },
    ...{ yieldTurn, makeRequestSlot: makeRequestSlots(limits, yieldTurn) },
    close: () => running.disposeAsync(),
  };
};

type Stoppable = { stop(): Promise<void> };

const stopAll = async (parts: readonly Stoppable[]): Promise<void> => {
  await Promise.all(parts.map((part) => part.stop()));
};

// Loaded only where somebody reads the metrics.
const startSignals = async (
  { metricsPort }: Config,
  deps: { db: Database; readState: StateReader },
): Promise<Signals | undefined> => {
  if (metricsPort === undefined) return undefined;
  const { makeSignals } = await import('./operations/signals/prometheus.ts');
  return makeSignals(deps);
};

const processKind = ({ withoutLoops, serves = true, worker }: ServiceOptions): ProcessKind => {
  if (withoutLoops) return 'command';
  if (!serves) return 'worker';
  return worker ? 'serve' : 'serve --no-worker';
};

const startClock = async (
  db: Database,
  override: Clock | undefined,
  everyMs: number,
  onChange: () => void,
) => {
  if (override) return { clock: override, stop: async () => {} };
  const sandbox = await watchSandboxClocks(db, { everyMs, onMoved: onChange });
  return { clock: systemClock(sandbox.offsets), stop: sandbox.stop };
};

const buildRegistry = async (
  config: Config,
  db: Database,
  clock: Clock,
  { secrets, connectors = [], slowStepMs }: ServiceOptions & { secrets: Secrets },
): Promise<Registry> => {
  const guard = (module: ConnectorModule): ConnectorModule => ({
    ...module,
    connector: withValidation(withTimeout(module.connector, seconds(config.limits.connectorTimeoutSeconds))),
  });
  const storageOf = (organizationId: string) => makeDatabaseStorage(db, secrets.sandbox, organizationId);
  const sandbox = makeSandboxConnector({ storageOf, realNow: clock.real, slowStepMs });
  const named = await loadConnectorModules(config);
  return makeRegistry({
    sandbox: guard({ institutions: sandboxInstitutions, connector: sandbox }),
    production: [...connectors, ...named].map(guard),
  });
};

const makeJobHandlers = (
  linking: LinkingDeps,
  { keys, signing }: NonNullable<Secrets['worker']>,
): JobHandlers => {
  const deps: LinkJobDeps = { ...linking, workerKeys: keys, signingKeys: signing };
  return {
    import: (job, signal) => importConnection(deps, job, signal),
    reconnect: (job, signal) => reconnectConnection(deps, job, signal),
    refresh: (job, signal) => refreshConnection(deps, job, signal),
  };
};

const makeDeliveryDeps = (
  { db, limits, isAllowed }: EndpointDeps,
  { clock, log, signals }: { clock: Clock; log: Log; signals: Signals | undefined },
  workerKeys: Keyset<KeyPair>,
): DeliveryDeps => {
  const send = makeWebhookSender(makeGuardedSender(isAllowed));
  return { db, clock, limits, open: makeOpenEndpoint(workerKeys), send, log: deliveryLog(log, signals) };
};

const deliveryLog = (log: Log, signals: Signals | undefined): DeliveryLog => ({
  attempted: ({ endpointId, eventId, type }, result) => {
    const attempt = { endpointId, eventId, type, ...result };
    signals?.delivery(result.state);
    if (result.state === 'delivered') log.info(attempt, 'webhook delivered');
    else log.warn(attempt, 'webhook not delivered');
  },
  failed: (err) => log.warn({ err }, 'webhooks not delivered'),
});

const workerLog = (log: Log, metrics: MetricsRecorder, signals: Signals | undefined): WorkerLog => {
  const observe = (
    job: ClaimedJob,
    outcome: 'succeeded' | 'refused' | 'failed',
    milliseconds: number,
  ): void => {
    const { applicationId, institutionId: subject, kind } = job;
    signals?.job({ ...job, outcome, milliseconds });
    if (kind === 'refresh')
      metrics.observe({ applicationId, kind: 'institution', subject, outcome, milliseconds });
  };
  const failed: WorkerLog['failed'] = (job, err, milliseconds) => {
    const { connectionId, kind } = job;
    log.warn({ connectionId, kind, err }, 'job failed');
    observe(job, 'failed', milliseconds);
  };
  return {
    done: (job, milliseconds, outcome) => {
      if (outcome === 'key_lost') return failed(job, new FingerprintKeyLost(), milliseconds);
      const { connectionId, kind } = job;
      const isSkipped = outcome === 'skipped';
      log.info({ connectionId, kind, milliseconds }, isSkipped ? 'job skipped' : 'job done');
      if (!isSkipped) observe(job, outcome === 'refused' ? 'refused' : 'succeeded', milliseconds);
    },
    failed,
    dropped: ({ connectionId, kind }) => log.info({ connectionId, kind }, 'job dropped'),
    queueFailed: (err) => log.warn({ err }, 'job queue failed'),
  };
};
