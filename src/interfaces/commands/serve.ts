// The command serve: the HTTP server, and by default the worker, until SIGINT or SIGTERM.
import {
  createDemoApplication,
  ensureOrganization,
  findDemoApplication,
} from '../../domain/applications/demoApplication.ts';
import { lockFirstStart } from '../../domain/applications/store.ts';
import { inviteFirstOwner } from '../../domain/members/invitations.ts';
import type { Database } from '../../platform/db/open.ts';
import type { Config } from '../../platform/settings/config.ts';
import { isLoopback } from '../../platform/settings/readers.ts';
import { makeLog } from '../../platform/telemetry/log.ts';
import { seconds } from '../../platform/values/clock.ts';
import { buildService, type Service } from '../../service.ts';
import type { Listening } from '../http/listen.ts';
import { type CommandContext, type CommandResult, defineCommand, keyValueTable } from './command.ts';
import {
  disconnectFromParent,
  isClusterChild,
  notifyReady,
  type ServerProcesses,
  startProcesses,
} from './processes.ts';
import { closeAtShutdown, makeDataDirectory, serveSignals, warnAtStart, withService } from './service.ts';

export type RunningServer = BootstrapResult & {
  service: Service;
  port: number;
  /** True if the demo is served. */
  hasDemo: boolean;
  close(): Promise<void>;
};

/** Objects that the first start creates, to be printed once. */
type BootstrapResult = {
  firstStart?: { applicationId: string; apiKey: string };
  /** The invitation link of the first owner, if there is no member and no process has just printed one. */
  firstOwner?: string;
};

type ServeOptions = { worker: boolean; logTo?: 'stdout' | 'stderr' };

/** Listens, builds the service and serves. The first start with the demo creates its application and returns an API key. */
export const startServer = async (settings: Config, options: ServeOptions): Promise<RunningServer> => {
  makeDataDirectory(settings);
  const log = makeLog(settings.logLevel, options.logTo);
  // Loaded on demand, because the HTTP server takes longer to load than everything that other commands need.
  const { openServer } = await import('../http/listen.ts');
  if (!isClusterChild()) warnAtStart(settings, log, options);
  // Opened first, like the metrics, because the next steps create secrets that are shown only once.
  const server = await openServer(settings, log);
  let service: Service | undefined;
  let metrics: Listening | undefined;
  let demo: Awaited<ReturnType<typeof makeDemo>>;
  const close = async (): Promise<void> => {
    await server.close();
    await metrics?.close();
    await demo?.close();
    await service?.close();
  };
  try {
    const { config, port } = server;
    service = await buildService(config, log, { worker: options.worker });
    // In a cluster, the parent does both for all children.
    metrics = isClusterChild() ? undefined : await serveSignals(service);
    const bootstrapped = isClusterChild() ? {} : await bootstrap(service);
    demo = config.demo ? await makeDemo(service) : undefined;
    server.serve(service, demo && { '/demo': demo.router });
    return { ...bootstrapped, service, port, hasDemo: demo !== undefined, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const demoDeps = ({ db, apiKeySigner, clock, config }: Service) => ({
  ...{ db, signer: apiKeySigner },
  baseUrl: config.baseUrl,
  now: clock.real(),
});

/** Processes that start at the same time take turns, so that only one of them prints the created objects. */
const bootstrap = (service: Service): Promise<BootstrapResult> =>
  service.db.transaction(async (trx) => {
    await lockFirstStart(trx, service.db.dialect);
    const db: Database = { ...service.db, read: trx, write: trx, transaction: (run) => run(trx) };
    const { demo } = service.config;
    const deps = { ...demoDeps(service), db };
    const { id } = await ensureOrganization(deps, demo ? 'Demo organization' : 'First organization');
    const firstStart = demo ? await createDemoApplication(deps, id) : undefined;
    const firstOwner = await inviteFirstOwner({ ...service.members, db }, id);
    return { firstStart, firstOwner: firstOwner?.url };
  });

const makeDemo = async (service: Service) => {
  const demo = await findDemoApplication(demoDeps(service));
  if (!demo) return undefined;
  const { baseUrl, host, port } = service.config;
  const localHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const serviceUrl = `http://${localHost.includes(':') ? `[${localHost}]` : localHost}:${port}`;
  const log = (err: unknown): void => service.log.error({ err }, 'demo failed');
  const { demoRouter } = await import('../demo/demoRouter.ts');
  const { makeDemoInside } = await import('./demoInside.ts');
  const inside = makeDemoInside(service, demo.applicationId);
  return { router: demoRouter({ baseUrl, serviceUrl, ...demo, inside, log }), close: inside.close };
};

export const serveCommand = defineCommand({
  examples: ['serve', 'serve --no-worker'],
  summary: 'serve the API, the widget, the dashboard and the reference, and run the worker',
  options: (command) =>
    command.option(
      '--no-worker',
      'do not run imports, refreshes or deletions; for installations with separate workers',
    ),
  run: async (context, { worker }: { worker: boolean }) => {
    const { config, progress } = context;
    if (isClusterChild()) return serveAsClusterChild(config, worker);
    if (!isLoopback(config.host) && config.baseUrl.startsWith('http:')) progress.info(plainHttpWarning);
    return config.processes > 1 ? serveInCluster(context, worker) : serveInOneProcess(context, worker);
  },
});

const serveInOneProcess = async (
  { config, json, progress }: CommandContext,
  worker: boolean,
): Promise<CommandResult> => {
  const server = await startServer(config, { worker, logTo: json ? 'stderr' : 'stdout' });
  if (config.demo && config.variables.has('DEMO') && !server.hasDemo) progress.info(demoNotServed);
  const banner = startupBanner({ ...server, config: server.service.config });
  return { ...banner, longRunning: closeAtShutdown(server.close) };
};

/** Starts WEB_CONCURRENCY child processes that serve, and then creates the objects of the first start. */
const serveInCluster = async ({ config, json }: CommandContext, worker: boolean): Promise<CommandResult> => {
  const log = makeLog(config.logLevel, json ? 'stderr' : 'stdout');
  warnAtStart(config, log, { worker });
  const metrics = await serveClusterMetrics(config);
  const { shutdownDelaySeconds, shutdownTimeoutSeconds } = config.limits;
  let processes: ServerProcesses | undefined;
  const close = async (): Promise<void> => {
    await processes?.stop();
    await metrics?.close();
  };
  try {
    processes = await startProcesses({
      count: config.processes,
      args: ['serve', ...(worker ? [] : ['--no-worker'])],
      quiet: json,
      // The delay, then the timeout once for open requests and once more for running jobs.
      stopMs: seconds(shutdownDelaySeconds + 2 * shutdownTimeoutSeconds + 5),
      log,
    });
    const bootstrapped = await withService(config, bootstrap);
    const banner = startupBanner({ ...bootstrapped, hasDemo: false, config });
    return { ...banner, longRunning: closeAtShutdown(close) };
  } catch (error) {
    await close();
    throw error;
  }
};

const serveClusterMetrics = async (config: Config) => {
  if (config.metricsPort === undefined) return undefined;
  const { clusterMetrics } = await import('../../operations/signals/prometheus.ts');
  const { serveMetrics } = await import('../http/metricsServer.ts');
  return serveMetrics(config, clusterMetrics());
};

const serveAsClusterChild = async (config: Config, worker: boolean): Promise<CommandResult> => {
  const server = await startServer(config, { worker }).catch((error) => {
    // Otherwise the channel to the parent would keep this process alive, and the parent would wait for this process.
    disconnectFromParent();
    throw error;
  });
  notifyReady();
  const longRunning = closeAtShutdown(async () => {
    await server.close();
    disconnectFromParent();
  });
  return { json: {}, text: [], longRunning };
};

const plainHttpWarning =
  'Warning: HOST accepts connections from other machines while BASE_URL is plain http. Use a TLS proxy (see README.md).';

const demoNotServed =
  'DEMO=on has no effect: the demo application or its API key is missing, archived or revoked. Only the first start on an empty database creates them.';

type StartupInfo = BootstrapResult & { hasDemo: boolean; config: Config };

const startupBanner = ({ config, hasDemo, firstStart, firstOwner }: StartupInfo): CommandResult => {
  const { port, baseUrl } = config;
  const demo = hasDemo ? `${baseUrl}/demo` : undefined;
  const dashboard = `${baseUrl}/dashboard`;
  const reference = `${baseUrl}/docs`;
  const health = `${baseUrl}/health`;
  const json = { port, baseUrl, demo, dashboard, firstOwner, reference, health, ...firstStart };
  const pages = keyValueTable([
    ['Demo', demo],
    ['', demo && 'connect Sandbox Bank as "otp", password "password", code 123456'],
    [firstOwner ? 'Create the owner account' : 'Dashboard', firstOwner ?? dashboard],
    ['API reference', reference],
    ['Health', health],
    ['Data', config.dataDir],
    ['Application id', firstStart?.applicationId],
  ]).map((line) => `  ${line}`);
  const key = firstStart
    ? ['', '  API key, shown only once ("api-keys create" creates another):', firstStart.apiKey]
    : [];
  return { json, text: ['', `Bank Connection Data Service at ${baseUrl}`, ...pages, ...key, ''] };
};
