// serve: the service until it is told to stop.
import { findDemoApplication, createDemoApplication } from '../applications/demoApplication.ts';
import { findOrganizations } from '../applications/store.ts';
import { seconds } from '../clock.ts';
import { type Config, isLoopback } from '../config.ts';
import { demoRouter } from '../demo/demoRouter.ts';
import { claimPort, listen, type Mounted } from '../http/listen.ts';
import { makeLog } from '../log.ts';
import { inviteFirstOwner } from '../members/invitations.ts';
import { buildService, type Service } from '../service.ts';
import { type Answer, operatorCommand, type Stage } from './command.ts';
import { facts } from './lines.ts';
import { isOneOfMany, leaveParent, sayServing, startProcesses } from './processes.ts';
import { untilStopped } from './untilStopped.ts';
import { makeDataDirectory } from './withService.ts';

/** What runs, and how it is stopped. */
export type Serving = Welcome & {
  service: Service;
  port: number;
  close(): Promise<void>;
};

/** What is made for whoever starts the service, and shown to them only. */
type Welcome = {
  firstStart: { applicationId: string; apiKey: string } | undefined;
  /** The address by which the first owner of the dashboard comes in, while there is no member. */
  firstOwner: string | undefined;
};

type ServeOptions = { worker: boolean; logTo?: NodeJS.WritableStream };

/** Builds the service and listens. On the first start there is a demo application, and its key to show once. */
export const startServing = async (settings: Config, options: ServeOptions): Promise<Serving> => {
  makeDataDirectory(settings);
  // One of many has its port from its parent, who has welcomed whoever started them, too.
  const many = isOneOfMany();
  const config = many ? settings : withPort(settings, await claimPort(settings));
  const service = await buildService(config, makeLog(config.logLevel, options.logTo), {
    worker: options.worker,
  });
  try {
    const welcomed = many ? { firstStart: undefined, firstOwner: undefined } : await welcome(service);
    const listening = await listen(service, config.demo ? await demoDoor(service) : {});
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

const demoTools = ({ db, apiKeySigner, clock, config }: Service) => ({
  ...{ db, signer: apiKeySigner },
  baseUrl: config.baseUrl,
  now: clock.real(),
});

const welcome = async (service: Service): Promise<Welcome> => {
  const made = await createDemoApplication(demoTools(service));
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

const demoDoor = async (service: Service): Promise<Mounted> => {
  const demo = await findDemoApplication(demoTools(service));
  if (!demo) return {};
  const { baseUrl, host, port } = service.config;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const serviceUrl = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  const log = (err: unknown): void => service.log.error({ err }, 'demo failed');
  return { '/demo': demoRouter({ baseUrl, serviceUrl, ...demo, log }) };
};

/** Serves until SIGINT or SIGTERM. */
export const serve = operatorCommand({
  summary: 'serve the interface, the widget and the reference, and do what is due',
  takes: (command) =>
    command.option('--no-worker', 'leave imports, refreshes and deletions to other processes'),
  run: async (stage, { worker }: { worker: boolean }) => {
    const { config, progress } = stage;
    if (isOneOfMany()) return serveAsOneOfMany(config, worker);
    if (!isLoopback(config.host) && config.baseUrl.startsWith('http:')) progress.say(plainHttp);
    return config.processes > 1 ? serveByMany(stage, worker) : serveAlone(stage, worker);
  },
});

const serveAlone = async ({ config, json }: Stage, worker: boolean): Promise<Answer> => {
  const serving = await startServing(config, { worker, logTo: json ? process.stderr : undefined });
  const stay = async (): Promise<void> => {
    await untilStopped();
    await serving.close();
  };
  return { ...greeting({ ...serving, config: serving.service.config }), stay };
};

/** Makes what there is to make, once, and leaves the serving to processes of its own. */
const serveByMany = async ({ config: settings, json }: Stage, worker: boolean): Promise<Answer> => {
  makeDataDirectory(settings);
  const port = await claimPort(settings);
  const config = withPort(settings, port);
  const log = makeLog(config.logLevel, json ? process.stderr : undefined);
  const service = await buildService(config, log, { worker, withoutLoops: true });
  const welcomed = await welcome(service).finally(service.close);
  const processes = await startProcesses({
    count: config.processes,
    args: ['serve', ...(worker ? [] : ['--no-worker'])],
    env: { PORT: String(port) },
    quiet: json,
    // Answers under way have this long, and then work under way.
    stopMs: seconds(2 * config.limits.shutdownTimeoutSeconds + 5),
    log,
  });
  const stay = async (): Promise<void> => {
    await untilStopped();
    await processes.stop();
  };
  return { ...greeting({ ...welcomed, port, config }), stay };
};

const serveAsOneOfMany = async (config: Config, worker: boolean): Promise<Answer> => {
  const serving = await startServing(config, { worker });
  sayServing();
  const stay = async (): Promise<void> => {
    await untilStopped();
    await serving.close();
    leaveParent();
  };
  return { json: {}, text: [], stay };
};

const plainHttp =
  'Warning: HOST lets other machines in while BASE_URL is plain http. Put a TLS proxy in front (see README.md).';

type Greeted = Welcome & { port: number; config: Config };

const shown = ({ config, port, firstStart, firstOwner }: Greeted) => {
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

const greeting = (greeted: Greeted): Answer => {
  const json = shown(greeted);
  const { demo, dashboard, firstOwner, reference, health, applicationId, apiKey } = json;
  const pairs = facts([
    ['Demo page', demo],
    ['Dashboard', dashboard],
    ['First owner', firstOwner],
    ['Reference', reference],
    ['Health', health],
    ['Application id', applicationId],
    ['API key', apiKey],
  ]);
  const once = '(the key is shown only now: keep it, or make another with "keys create")';
  const lines = [...pairs, ...(apiKey ? [once] : [])].map((line) => `  ${line}`);
  return { json, text: ['', 'Bank Connection Data Service', ...lines, ''] };
};
