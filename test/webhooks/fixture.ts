// A service that may send webhooks to loopback, and its endpoints, managed with the command line.
import { onTestFinished } from 'vitest';
import { cliSettingsOf, runInCliServer } from '../support/cli.ts';
import { startService, type TestService, type TestServiceOptions } from '../support/testService.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export type { TestService };

/** Starts a service that is closed when the test ends. */
export const startWebhookService = async (options: TestServiceOptions = {}): Promise<TestService> => {
  const service = await startService({
    ...options,
    env: { ALLOWED_NETWORKS: '127.0.0.0/8,::1', ...options.env },
    limits: { webhookPollMs: 20, sweepGraceSeconds: 0, ...options.limits },
  });
  onTestFinished(service.close);
  return service;
};

export type CommandOutcome = Record<string, unknown> & { code: number; err: string };

/** Runs a command of the group `webhooks` on the service's database, and returns its JSON result. */
export const webhooksCommand = async (
  { service: { config } }: TestService,
  ...args: string[]
): Promise<CommandOutcome> => {
  const networks = config.allowedNetworks.join(',');
  const settings = { ...cliSettingsOf(config), ALLOWED_NETWORKS: networks };
  const { code, out, err } = await runInCliServer(settings, 'webhooks', ...args, '--json');
  return { ...(out === '' ? {} : JSON.parse(out)), code, err };
};

export type CreatedEndpoint = { endpointId: string; secret: string };

/** Adds an endpoint, by default to the first application. Throws if the command fails. */
export const createEndpoint = async (
  service: TestService,
  url: string,
  applicationId = service.application.id,
): Promise<CreatedEndpoint> => {
  const outcome = await webhooksCommand(service, 'create', '--application', applicationId, '--url', url);
  if (outcome.code !== 0) throw new Error(outcome.err);
  return outcome as unknown as CreatedEndpoint;
};

/** A service with an endpoint whose receiver responds with `answer`; by default with 204. */
export const startReceiving = async (options: TestServiceOptions = {}, answer?: Receiver['answer']) => {
  const service = await startWebhookService(options);
  const receiver = await startReceiver();
  if (answer) receiver.answer = answer;
  return { service, receiver, ...(await createEndpoint(service, receiver.url)) };
};
