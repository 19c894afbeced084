// Assembles the service: database, secrets, connectors, worker, and the dependencies of linking, members and metrics.
import { makeIpFilter } from '../connectors/kit/ipFilter.ts';
import { type ApiKeySigner, makeApiKeySigner } from './domain/applications/apiKeys.ts';
import { startAskingDirectories, startReadingDirectories } from './domain/institutions/directories.ts';
import type { Registry } from './domain/institutions/registry.ts';
import { buildRegistry, type RegistryOptions } from './domain/institutions/sandbox/buildRegistry.ts';
import { startClock } from './domain/institutions/sandbox/sandboxClock.ts';
import { type MemberDeps, makeBackgroundTasks } from './domain/members/member.ts';
import { makeOidcClient, type OidcClient } from './domain/members/oidc.ts';
import { type RateLimiter, startRateLimiter } from './domain/rateLimits/rateLimiter.ts';
import {
  type MetricsRecorder,
  type RequestLog,
  startMetricsRecorder,
  startRequestLog,
} from './domain/requestLog/recorder.ts';
import { type DeliveryDeps, startDelivering } from './domain/webhooks/deliver.ts';
import { makeDeliveryDeps } from './domain/webhooks/deliveryDeps.ts';
import type { EndpointDeps } from './domain/webhooks/endpoints.ts';
import { importConnection } from './flows/import/importConnection.ts';
import type { LinkJobDeps } from './flows/import/linkJob.ts';
import { reconnectConnection } from './flows/import/reconnectConnection.ts';
import { startRevoking } from './flows/import/revokeConsents.ts';
import type { LinkingDeps } from './flows/link/linkSession.ts';
import { refreshConnection } from './flows/refresh/refreshConnection.ts';
import { type JobHandlers, makeWorkerLog, startWorker, type Worker } from './flows/refresh/worker.ts';
import { type Sweeper, startLogTruncation, startSweeper } from './operations/retention/sweeper.ts';
import { openSecrets, processKind, type Secrets } from './operations/secrets/secrets.ts';
import { makeReadState, type ReadState } from './operations/signals/operationalState.ts';
import type { Signals } from './operations/signals/prometheus.ts';
import { startSignals } from './operations/signals/startSignals.ts';
import { migrate } from './platform/db/migrate.ts';
import { type Database, openDatabase } from './platform/db/open.ts';
import { makeFairScheduler, type YieldTurn } from './platform/loops/fairScheduler.ts';
import { makeRequestSlots, type RequestSlot } from './platform/loops/requestSlots.ts';
import type { Config } from './platform/settings/config.ts';
import type { Log } from './platform/telemetry/log.ts';
import { type Clock, seconds } from './platform/values/clock.ts';
import { deriveKey } from './platform/vault/keys.ts';
import { deriveKeyset } from './platform/vault/keyset.ts';

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
  /** The counters for Prometheus; undefined unless METRICS_PORT is set. */
  signals: Signals | undefined;
  readState: ReadState;
  rateLimiter: RateLimiter;
  /** The first proxy whose X-Forwarded-For this process has ignored. */
  ignoredProxy: { ip?: string };
  /** Long responses of this process yield to each other between chunks. */
  yieldTurn: YieldTurn;
  /** For a request, which takes its slot before it uses the database. */
  makeRequestSlot(): RequestSlot;
  /** One handler per kind of job; undefined in a process without the worker's secrets. */
  jobHandlers: JobHandlers | undefined;
  webhookEndpoints: EndpointDeps;
  /** The dependencies for delivering webhooks; undefined in a process without the worker's secrets. */
  webhooks: DeliveryDeps | undefined;
  /** Undefined in a process that does not claim jobs on its own. */
  worker: Worker | undefined;
  /** Stops the worker and all loops, then closes the database. */
  close(): Promise<void>;
};

export type ServiceOptions = RegistryOptions & {
  /** True if this process loads the worker's secrets and runs jobs. */
  worker: boolean;
  /** True (the default) if HTTP is served, which is only reported. */
  serves?: boolean;
  /** Starts no worker, sweeper or truncation of SQLite's log; for commands that run one job or sweep themselves. */
  withoutLoops?: boolean;
  /** Replaces the system's clock with the sandboxes' offsets. */
  clock?: Clock;
};

/** Opens and migrates the database and assembles the service. Throws OperatorError for wrong settings or secrets. */
export const buildService = async (config: Config, log: Log, options: ServiceOptions): Promise<Service> => {
  const { limits, secretsDir: directory } = config;
  // If the start fails, everything opened so far is closed in reverse order.
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
  const onMoved = (): void => {
    worker?.wake();
    sweeper?.wake();
  };
  const sandboxClock = await startClock(db, options.clock, { everyMs: limits.sandboxClockPollMs, onMoved });
  // Stopped together, because each uses the database when it stops: an unresponsive database then delays the stop only once.
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
  const deps = { db, clock, config, log, keys: secrets.sandbox, signingPublicKeys };
  const { registry, directories } = await buildRegistry(deps, options);
  if (!options.withoutLoops) background.push(startReadingDirectories(directories));
  const readState = makeReadState({ db, clock, limits });
  const signals = await startSignals(config, { db, clock, readState });
  const linking: LinkingDeps = {
    ...{ db, clock, limits, registry, rateLimiter, hashKeys, metrics },
    baseUrl: config.baseUrl,
    operator: config.operator,
    workerPublicKeys,
    signingPublicKeys,
    identityServiceSecrets: secrets.identity,
    wakeWorker: () => worker?.wake(),
    reportError: (linkSessionId, err) => log.error({ linkSessionId, err }, 'link session failed'),
  };
  const workerLog = makeWorkerLog(log, metrics, signals);
  const jobs = secrets.worker && toJobDeps({ ...linking, ...workerLog }, secrets.worker);
  const jobHandlers = jobs && makeJobHandlers(jobs);
  const isAllowed = makeIpFilter(config.allowedNetworks);
  const webhookEndpoints: EndpointDeps = { db, limits, workerPublicKeys, isAllowed };
  const webhooks =
    secrets.worker && makeDeliveryDeps({ ...webhookEndpoints, clock, log, signals }, secrets.worker.keys);
  if (!options.withoutLoops && db.dialect === 'sqlite')
    background.push(startLogTruncation({ db, limits, log }));
  if (jobs && jobHandlers && webhooks && !options.withoutLoops) {
    worker = startWorker({ db, clock, limits, registry, log: workerLog }, jobHandlers);
    sweeper = startSweeper({ db, clock, limits, log });
    const asking = startAskingDirectories(directories, jobs.signingKeys);
    const loops = [worker, startDelivering(webhooks), startRevoking(jobs, log), asking, sweeper];
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

const toJobDeps = (
  linking: Omit<LinkJobDeps, 'workerKeys' | 'signingKeys'>,
  { keys, signing }: NonNullable<Secrets['worker']>,
): LinkJobDeps => ({ ...linking, workerKeys: keys, signingKeys: signing });

const makeJobHandlers = (deps: LinkJobDeps): JobHandlers => ({
  import: (job, signal) => importConnection(deps, job, signal),
  reconnect: (job, signal) => reconnectConnection(deps, job, signal),
  refresh: (job, signal) => refreshConnection(deps, job, signal),
});
