// serve: the service until it is told to stop.
import { findDemoApplication, createDemoApplication } from '../applications/demoApplication.ts';
import { findOrganizations } from '../applications/store.ts';
import { seconds } from '../clock.ts';
import { type Config, isLoopback } from '../config.ts';
import { demoRouter } from '../demo/demoRouter.ts';
import type { ExtraRoutes } from '../http/app.ts';
import { checkPort, listen } from '../http/listen.ts';
import { makeLog } from '../log.ts';
import { inviteFirstOwner } from '../members/invitations.ts';
import { buildService, type Service } from '../service.ts';
import { type CommandResult, defineCommand, type CommandContext } from './command.ts';
import { keyValueTable } from './format.ts';
import { isClusterChild, disconnectFromParent, notifyReady, startProcesses } from './processes.ts';
import { waitForShutdown } from './shutdownSignal.ts';
import { makeDataDirectory } from './withService.ts';

/** What runs, and how it is stopped. */
export type RunningServer = BootstrapResult & {
  service: Service;
  port: number;
  close(): Promise<void>;
};

/** What is made for whoever starts the service, and shown to them only. */
type BootstrapResult = {
  firstStart: { applicationId: string; apiKey: string } | undefined;
  /** The address by which the first owner of the dashboard comes in, while there is no member. */
  firstOwner: string | undefined;
};

type ServeOptions = { worker: boolean; logTo?: NodeJS.WritableStream };

/** Builds the service and listens. On the first start there is a demo application, and its key to show once. */
export const startServer = async (settings: Config, options: ServeOptions): Promise<RunningServer> => {
  makeDataDirectory(settings);
  // One of many has its port from its parent, who has welcomed whoever started them, too.
  const many = isClusterChild();
  const config = many ? settings : withPort(settings, await checkPort(settings));
  const service = await buildService(config, makeLog(config.logLevel, options.logTo), {
    worker: options.worker,
  });
  try {
    const welcomed = many ? { firstStart: undefined, firstOwner: undefined } : await bootstrap(service);
    const listening = await listen(service, config.demo ? await mountDemo(service) : {});
    return {
      ...welcomed,
      service,
      port: listening.port,
      close: async () => {
        await listening.close();
        await service.close();
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
};

const demoDeps = ({ db, apiKeySigner, clock, config }: Service) => ({
  ...{ db, signer: apiKeySigner },
  baseUrl: config.baseUrl,
  now: clock.real(),
});

const bootstrap = async (service: Service): Promise<BootstrapResult> => {
  const made = await createDemoApplication(demoDeps(service));
  const [organization] = await findOrganizations(service.db.read);
  const firstOwner = await inviteFirstOwner(service.members, organization?.id);
  return {
    firstStart: made && { applicationId: made.application.id, apiKey: made.apiKey },
    firstOwner: firstOwner?.url,
  };
};

// PORT=0 means any free one; the address that people see has it then.
const withPort = (config: Config, port: number): Config => ({
  ...config,
  port,
  baseUrl: config.baseUrl.replace(/^http:\/\/localhost:0$/, `http://localhost:${port}`),
});

const mountDemo = async (service: Service): Promise<ExtraRoutes> => {
  const demo = await findDemoApplication(demoDeps(service));
  if (!demo) return {};
  const { baseUrl, host, port } = service.config;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const serviceUrl = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  const log = (err: unknown): void => service.log.error({ err }, 'demo failed');
  return { '/demo': demoRouter({ baseUrl, serviceUrl, ...demo, log }) };
};

/** Serves until SIGINT or SIGTERM. */
export const serve = defineCommand({
  summary: 'serve the interface, the widget and the reference, and do what is due',
  options: (command) =>
    command.option('--no-worker', 'leave imports, refreshes and deletions to other processes'),
  run: async (stage, { worker }: { worker: boolean }) => {
    const { config, progress } = stage;
    if (isClusterChild()) return serveAsClusterChild(config, worker);
    if (!isLoopback(config.host) && config.baseUrl.startsWith('http:')) progress.info(plainHttpWarning);
    return config.processes > 1 ? serveInCluster(stage, worker) : serveInOneProcess(stage, worker);
  },
});

const serveInOneProcess = async (
  { config, json }: CommandContext,
  worker: boolean,
): Promise<CommandResult> => {
  const serving = await startServer(config, { worker, logTo: json ? process.stderr : undefined });
  const longRunning = async (): Promise<void> => {
    await waitForShutdown();
    await serving.close();
  };
  return { ...startupBanner({ ...serving, config: serving.service.config }), longRunning };
};

/** Makes what there is to make, once, and leaves the serving to processes of its own. */
const serveInCluster = async (
  { config: settings, json }: CommandContext,
  worker: boolean,
): Promise<CommandResult> => {
  makeDataDirectory(settings);
  const port = await checkPort(settings);
  const config = withPort(settings, port);
  const log = makeLog(config.logLevel, json ? process.stderr : undefined);
  const service = await buildService(config, log, { worker, withoutLoops: true });
  const welcomed = await bootstrap(service).finally(service.close);
  const processes = await startProcesses({
    count: config.processes,
    args: ['serve', ...(worker ? [] : ['--no-worker'])],
    env: { PORT: String(port) },
    quiet: json,
    // Answers under way have this long, and then work under way.
    stopMs: seconds(2 * config.limits.shutdownTimeoutSeconds + 5),
    log,
  });
  const longRunning = async (): Promise<void> => {
    await waitForShutdown();
    await processes.stop();
  };
  return { ...startupBanner({ ...welcomed, port, config }), longRunning };
};

const serveAsClusterChild = async (config: Config, worker: boolean): Promise<CommandResult> => {
  const serving = await startServer(config, { worker });
  notifyReady();
  const longRunning = async (): Promise<void> => {
    await waitForShutdown();
    await serving.close();
    disconnectFromParent();
  };
  return { json: {}, text: [], longRunning };
};

const plainHttpWarning =
  'Warning: HOST lets other machines in while BASE_URL is plain http. Put a TLS proxy in front (see README.md).';

type StartupInfo = BootstrapResult & { port: number; config: Config };

const toJson = ({ config, port, firstStart, firstOwner }: StartupInfo) => {
  const { baseUrl, demo } = config;
  return {
    port,
    baseUrl,
    ...(demo && { demo: `${baseUrl}/demo` }),
    dashboard: `${baseUrl}/dashboard`,
    ...(firstOwner && { firstOwner }),
    reference: `${baseUrl}/docs`,
    health: `${baseUrl}/health`,
    ...firstStart,
  };
};

const startupBanner = (greeted: StartupInfo): CommandResult => {
  const json = toJson(greeted);
  const { demo, dashboard, firstOwner, reference, health, applicationId, apiKey } = json;
  const pairs = keyValueTable([
    ['Demo page', demo],
    ['Dashboard', dashboard],
    ['First owner', firstOwner],
    ['Reference', reference],
    ['Health', health],
    ['Application id', applicationId],
    ['API key', apiKey],
  ]);
  const once = '(the key is shown only now: keep it, or make another with "api-keys create")';
  const lines = [...pairs, ...(apiKey ? [once] : [])].map((line) => `  ${line}`);
  return { json, text: ['', 'Bank Connection Data Service', ...lines, ''] };
};
