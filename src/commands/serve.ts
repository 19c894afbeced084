// serve: the service until it is told to stop.
import { findDemoApplication, makeDemoApplication } from '../applications/demoApplication.ts';
import { findOrganizations } from '../applications/store.ts';
import { type Config, isLoopback } from '../config.ts';
import { demoRouter } from '../demo/demoRouter.ts';
import { claimPort, listen, type Mounted } from '../http/listen.ts';
import { makeLog } from '../log.ts';
import { inviteFirstOwner } from '../members/invitations.ts';
import { buildService, type Service } from '../service.ts';
import { operatorCommand } from './command.ts';
import { facts } from './lines.ts';
import { untilStopped } from './untilStopped.ts';
import { makeDataDirectory } from './withService.ts';

/** What runs, and how it is stopped. */
export type Serving = {
  service: Service;
  port: number;
  firstStart: FirstStart | undefined;
  /** The address by which the first owner of the dashboard comes in, while there is no member. */
  firstOwner: string | undefined;
  close(): Promise<void>;
};
type FirstStart = { applicationId: string; apiKey: string };

/** Builds the service and listens. On the first start there is a demo application, and its key to show once. */
export const startServing = async (
  settings: Config,
  options: { worker: boolean; logTo?: NodeJS.WritableStream },
): Promise<Serving> => {
  makeDataDirectory(settings);
  const config = withPort(settings, await claimPort(settings));
  const service = await buildService(config, makeLog(config.logLevel, options.logTo), {
    worker: options.worker,
  });
  try {
    const tools = {
      db: service.db,
      signer: service.signer,
      baseUrl: config.baseUrl,
      now: service.clock.real(),
    };
    const made = await makeDemoApplication(tools);
    const [organization] = await findOrganizations(service.db.read);
    const firstOwner = await inviteFirstOwner(service.members, organization?.id);
    const listening = await listen(service, config.demo ? await demoDoor(service, tools) : {});
    return {
      service,
      port: listening.port,
      firstStart: made && { applicationId: made.application.id, apiKey: made.apiKey },
      firstOwner: firstOwner?.address,
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

// PORT=0 means any free one; the address that people see has it then.
const withPort = (config: Config, port: number): Config => ({
  ...config,
  port,
  baseUrl: config.baseUrl.replace(/^http:\/\/localhost:0$/, `http://localhost:${port}`),
});

const demoDoor = async (
  service: Service,
  tools: Parameters<typeof findDemoApplication>[0],
): Promise<Mounted> => {
  const demo = await findDemoApplication(tools);
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
  run: async ({ config, json, progress }, { worker }: { worker: boolean }) => {
    const logTo = json ? process.stderr : undefined;
    const serving = await startServing(config, { worker, logTo });
    const { host, baseUrl } = serving.service.config;
    if (!isLoopback(host) && baseUrl.startsWith('http:')) progress.say(plainHttp);
    return {
      json: shown(serving),
      text: greeting(serving),
      stay: async () => {
        await untilStopped();
        await serving.close();
      },
    };
  },
});

const plainHttp =
  'Warning: HOST lets other machines in while BASE_URL is plain http. Put a TLS proxy in front (see README.md).';

const shown = ({ service, port, firstStart, firstOwner }: Serving) => {
  const { baseUrl, demo } = service.config;
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

const greeting = (serving: Serving): string[] => {
  const { demo, dashboard, firstOwner, reference, health, applicationId, apiKey } = shown(serving);
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
  return [
    '',
    'Bank Connection Data Service',
    ...[...pairs, ...(apiKey ? [once] : [])].map((line) => `  ${line}`),
    '',
  ];
};
