// serve: the service until it is told to stop.
import { mkdirSync } from 'node:fs';
import { findDemoApplication, makeDemoApplication } from '../applications/demoApplication.ts';
import { type Config, isLoopback } from '../config.ts';
import { demoRouter } from '../demo/demoRouter.ts';
import { listen, type Mounted } from '../http/listen.ts';
import { makeLog } from '../log.ts';
import { buildService, type Service } from '../service.ts';

/** What runs, and how it is stopped. */
export type Serving = {
  service: Service;
  port: number;
  firstStart: FirstStart | undefined;
  close(): Promise<void>;
};
type FirstStart = { applicationId: string; apiKey: string };

/** Builds the service and listens. On the first start there is a demo application, and its key to show once. */
export const startServing = async (config: Config, options: { worker: boolean }): Promise<Serving> => {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const service = await buildService(config, makeLog(config.logLevel), options);
  try {
    const tools = {
      db: service.db,
      signer: service.signer,
      baseUrl: config.baseUrl,
      now: service.clock.real(),
    };
    const made = await makeDemoApplication(tools);
    const listening = await listen(service, config.demo ? await demoDoor(service, tools) : {});
    return {
      service,
      port: listening.port,
      firstStart: made && { applicationId: made.application.id, apiKey: made.apiKey },
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

/** Serves until SIGINT or SIGTERM; a second signal does not wait. */
export const serve = async (config: Config, options: { worker: boolean }): Promise<void> => {
  const serving = await startServing(config, options);
  process.stdout.write(`${greeting(config, serving).join('\n')}\n`);
  if (!isLoopback(config.host) && config.baseUrl.startsWith('http:')) {
    process.stderr.write(
      'Warning: HOST lets other machines in while BASE_URL is plain http. Put a TLS proxy in front (see README.md).\n',
    );
  }
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await serving.close();
};

const greeting = ({ baseUrl, demo }: Config, { firstStart }: Serving): string[] => [
  '',
  'Bank Connection Data Service',
  ...(demo ? [`  Demo page       ${baseUrl}/demo`] : []),
  `  Reference       ${baseUrl}/docs`,
  `  Health          ${baseUrl}/health`,
  ...(firstStart
    ? [
        `  Application id  ${firstStart.applicationId}`,
        `  API key         ${firstStart.apiKey}`,
        '                  (shown only now: keep it, or make another with "keys create")',
      ]
    : []),
  '',
];
