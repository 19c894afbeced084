// The commands webhooks create, list, delete, enable, rotate-secret, test and listen. A secret is shown only when it is made.
import { makeGuardedSender } from '../../connectors/kit/guardedRequest.ts';
import type { Application } from '../applications/application.ts';
import { findApplication } from '../applications/store.ts';
import { operatorActor } from '../audit/store.ts';
import { Conflict, OperatorError } from '../errors.ts';
import type { Service } from '../service.ts';
import { type DeliveryResult, deliverNow } from '../webhooks/deliver.ts';
import {
  checkWebhookUrl,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  enableWebhookEndpoint,
  endpointState,
  queueTestWebhook,
  rotateWebhookSecret,
} from '../webhooks/endpoints.ts';
import { startListening } from '../webhooks/listen.ts';
import { makeWebhookSender } from '../webhooks/sendWebhook.ts';
import { findEndpoint, findEndpoints, type WebhookEndpoint } from '../webhooks/store.ts';
import {
  type CommandContext,
  type CommandResult,
  defineCommand,
  formatTime,
  keyValueTable,
  table,
} from './command.ts';
import { lookupApplication } from './lookup.ts';
import { openService, shutdownSignal, waitForShutdown, withService } from './service.ts';

const secretNote = 'The secret is shown only now. Store it where only your backend can read it.';

const create = defineCommand({
  summary: 'add a webhook endpoint and show its signing secret once',
  options: (command) =>
    command
      .requiredOption('--application <application>', 'the application (app_…)')
      .requiredOption('--url <url>', 'the URL that receives the events'),
  run: ({ config }, { application: id, url: text }: { application: string; url: string }) =>
    withService(config, async (service) => {
      const application = await lookupApplication(service, id);
      const url = readUrl(service, application, text);
      const { endpoint, secret } = await withConflicts(() =>
        createWebhookEndpoint(service.webhookEndpoints, url, changeBy(service, application)),
      );
      return {
        json: { endpointId: endpoint.id, applicationId: application.id, url, secret },
        text: [
          ...keyValueTable([
            ['Endpoint', endpoint.id],
            ['Application', application.id],
            ['URL', url],
            ['Secret', secret],
          ]),
          secretNote,
        ],
      };
    }),
});

const readUrl = ({ webhookEndpoints }: Service, application: Application, text: string): string => {
  try {
    return checkWebhookUrl(text, application.environment, webhookEndpoints.isAllowed);
  } catch (error) {
    throw error instanceof OperatorError ? new OperatorError(`--url ${error.message}.`) : error;
  }
};

const withConflicts = async <Result>(run: () => Promise<Result>): Promise<Result> => {
  try {
    return await run();
  } catch (error) {
    throw error instanceof Conflict ? new OperatorError(error.message) : error;
  }
};

const changeBy = ({ clock }: Service, application: Application) => ({
  application,
  now: clock.real(),
  actor: operatorActor,
});

const list = defineCommand({
  summary: 'list the webhook endpoints of an application, oldest first',
  options: (command) => command.requiredOption('--application <application>', 'the application (app_…)'),
  run: ({ config }, { application }: { application: string }) =>
    withService(config, async (service) => {
      const { id } = await lookupApplication(service, application);
      const endpoints = await findEndpoints(service.db.read, id);
      return {
        json: {
          endpoints: endpoints.map((endpoint) => {
            const { id: endpointId, url, createdAt, failingSince, disabledAt, disabledReason } = endpoint;
            const state = endpointState(endpoint);
            return { endpointId, url, state, createdAt, failingSince, disabledAt, disabledReason };
          }),
        },
        text:
          endpoints.length === 0
            ? [`${id} has no webhook endpoint yet: add one with "webhooks create".`]
            : table(
                ['ENDPOINT', 'STATE', 'FAILING SINCE', 'CREATED', 'URL'],
                endpoints.map((endpoint) => [
                  ...[endpoint.id, endpointState(endpoint), formatTime(endpoint.failingSince)],
                  ...[formatTime(endpoint.createdAt), endpoint.url],
                ]),
              ),
      };
    }),
});

type EndpointInput = { endpoint: string };

/** A command that is about one endpoint. */
const endpointCommand = (
  summary: string,
  run: (
    service: Service,
    found: { endpoint: WebhookEndpoint; application: Application },
  ) => Promise<CommandResult>,
  options?: { worker?: boolean },
) =>
  defineCommand({
    summary,
    options: (command) =>
      command.argument('<endpoint>', 'the id of the endpoint (whe_…), as "webhooks list" shows it'),
    run: ({ config }, { endpoint: id }: EndpointInput) =>
      withService(
        config,
        async (service) => {
          const endpoint = await findEndpoint(service.db.read, id);
          const application = endpoint && (await findApplication(service.db.read, endpoint.applicationId));
          if (!application) throw new OperatorError(`There is no webhook endpoint ${id}.`);
          return withConflicts(() => run(service, { endpoint, application }));
        },
        options,
      ),
  });

const remove = endpointCommand(
  'delete an endpoint and drop its pending deliveries',
  async (service, { endpoint, application }) => {
    await deleteWebhookEndpoint(service.db, endpoint, changeBy(service, application));
    return { json: { endpointId: endpoint.id }, text: [`${endpoint.id} is deleted.`] };
  },
);

const enable = endpointCommand(
  'enable a disabled endpoint; it receives new events only',
  async (service, { endpoint, application }) => {
    await enableWebhookEndpoint(service.db, endpoint, changeBy(service, application));
    return { json: { endpointId: endpoint.id }, text: [`${endpoint.id} is enabled.`] };
  },
);

const rotateSecret = endpointCommand(
  'replace the signing secret of an endpoint and show the new one once',
  async (service, { endpoint, application }) => {
    const change = changeBy(service, application);
    const { secret } = await rotateWebhookSecret(service.webhookEndpoints, endpoint, change);
    const hours = service.config.limits.webhookReplacedSecretHours;
    return {
      json: { endpointId: endpoint.id, secret, previousSecretSignsForHours: hours },
      text: [
        ...keyValueTable([
          ['Endpoint', endpoint.id],
          ['Secret', secret],
        ]),
        secretNote,
        `For ${hours} hours, events are signed with both the new and the previous secret.`,
      ],
    };
  },
);

const test = endpointCommand(
  'send a test event to an endpoint and show the response',
  async (service, { endpoint }) => {
    const queued = await queueTestWebhook(service.db, endpoint, service.clock.real());
    const result = await deliverNow(service.webhooks!, queued, shutdownSignal());
    const { eventId } = queued;
    return {
      json: { endpointId: endpoint.id, eventId, ...result },
      text: [`${eventId}: ${result ? describe(result) : 'sent by a worker'}.`],
      failed: result !== undefined && result.state !== 'delivered',
    };
  },
  { worker: true },
);

/** The status of the response, or why there was none. */
const describe = (result: DeliveryResult): string =>
  'status' in result ? `the endpoint responded with ${result.status}` : result.error.replaceAll('_', ' ');

type ListenInput = { application: string; forwardTo: string };

const listen = defineCommand({
  summary: 'forward the events of an application to a URL, for example on your machine',
  examples: ['webhooks listen --application app_… --forward-to http://localhost:4000/webhooks'],
  options: (command) =>
    command
      .requiredOption('--application <application>', 'the application (app_…)')
      .requiredOption(
        '--forward-to <url>',
        'the URL that receives the events, for example http://localhost:4000/webhooks',
      ),
  run: async ({ config, progress }: CommandContext, { application: id, forwardTo }: ListenInput) => {
    const service = await openService(config);
    try {
      const application = await lookupApplication(service, id);
      const listener = await startListening(
        {
          ...service.webhookEndpoints,
          clock: service.clock,
          send: makeWebhookSender(makeGuardedSender(() => true)),
          log: {
            attempted: ({ type, eventId }, result) =>
              progress.info(`${type}  ${eventId}  ${describe(result)}`),
            failed: () => progress.info('Events cannot be read or forwarded at the moment. Retrying.'),
          },
        },
        application,
        readForwardUrl(forwardTo),
      );
      return {
        json: { secret: listener.secret },
        text: [`The signing secret is ${listener.secret}. Events are forwarded until you stop this command.`],
        longRunning: async () => {
          await waitForShutdown();
          await listener.stop();
          await service.close();
        },
      };
    } catch (error) {
      await service.close();
      throw error;
    }
  },
});

const readForwardUrl = (text: string): string => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).href;
  throw new OperatorError('--forward-to must look like http://localhost:4000/webhooks.');
};

export const webhookCommands = {
  create,
  list,
  delete: remove,
  enable,
  'rotate-secret': rotateSecret,
  test,
  listen,
};
