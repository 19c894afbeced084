// The commands for webhook endpoints. A secret is shown only when it is created.
import { makeGuardedSender } from '../../../connectors/kit/guardedRequest.ts';
import type { Application } from '../../domain/applications/application.ts';
import { findApplication } from '../../domain/applications/store.ts';
import { type AuditContext, byOperator } from '../../domain/audit/by.ts';
import { type DeliveryResult, deliverNow } from '../../domain/webhooks/deliver.ts';
import {
  checkWebhookUrl,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  enableWebhookEndpoint,
  endpointState,
  queueTestWebhook,
  rotateWebhookSecret,
} from '../../domain/webhooks/endpoints.ts';
import { startListening } from '../../domain/webhooks/listen.ts';
import { makeWebhookSender } from '../../domain/webhooks/sendWebhook.ts';
import { findEndpoint, findEndpoints, type WebhookEndpoint } from '../../domain/webhooks/store.ts';
import type { WebhookError } from '../../platform/db/tables.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import type { Service } from '../../service.ts';
import { type CommandResult, defineCommand, formatTime, keyValueTable, table } from './command.ts';
import { lookupApplication } from './lookup.ts';
import { closeAtShutdown, defineServiceCommand, openService, shutdownSignal } from './service.ts';

const secretNote = 'The secret is shown only once. Store it where only your backend can read it.';

const create = defineServiceCommand({
  summary: 'add a webhook endpoint and show its signing secret once',
  examples: ['webhooks create --application app_… --url https://shop.example/webhooks'],
  options: (command) =>
    command
      .requiredOption('--application <application>', 'the application (app_…)')
      .requiredOption('--url <url>', 'the URL that receives the events'),
  run: async (service, { application: id, url: text }: { application: string; url: string }) => {
    const application = await lookupApplication(service, id);
    const url = readUrl(service, application, text);
    const by = byOperator(application.organizationId, service.clock.real());
    const request = { applicationId: application.id, url };
    const { endpoint, secret } = await createWebhookEndpoint(service.webhookEndpoints, request, by);
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
  },
});

const readUrl = ({ webhookEndpoints }: Service, application: Application, text: string): string => {
  try {
    return checkWebhookUrl(text, application.environment, webhookEndpoints.isAllowed);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const message = error.message.replace(/ALLOWED_NETWORKS$/, '$&, for this command as for the service');
    throw new OperatorError(`--url ${message}.`);
  }
};

const list = defineServiceCommand({
  summary: 'list the webhook endpoints of an application, oldest first',
  options: (command) => command.requiredOption('--application <application>', 'the application (app_…)'),
  run: async (service, { application }: { application: string }) => {
    const { id } = await lookupApplication(service, application);
    const found = await findEndpoints(service.db.read, id);
    const endpoints = found.map((endpoint) => {
      const { id: endpointId, url, createdAt, failingSince, disabledAt, disabledReason } = endpoint;
      const state = endpointState(endpoint);
      return { endpointId, url, state, createdAt, failingSince, disabledAt, disabledReason };
    });
    return {
      json: { endpoints },
      text: table(
        ['ENDPOINT', 'STATE', 'FAILING SINCE', 'CREATED', 'URL'],
        endpoints.map(({ endpointId, url, state, createdAt, failingSince }) => {
          return [endpointId, state, formatTime(failingSince), formatTime(createdAt), url];
        }),
        `${id} has no webhook endpoints yet: add one with "webhooks create".`,
      ),
    };
  },
});

/** Defines a command for one endpoint. */
const endpointCommand = (
  summary: string,
  run: (service: Service, endpoint: WebhookEndpoint, by: AuditContext) => Promise<CommandResult>,
  { worker }: { worker?: boolean } = {},
) =>
  defineServiceCommand({
    summary,
    worker,
    options: (command) =>
      command.argument('<endpoint>', 'the id of the endpoint (whe_…), as shown by "webhooks list"'),
    run: async (service, { endpoint: id }: { endpoint: string }) => {
      const endpoint = await findEndpoint(service.db.read, id);
      const application = endpoint && (await findApplication(service.db.read, endpoint.applicationId));
      if (!application) throw new OperatorError(`There is no webhook endpoint ${id}.`);
      return run(service, endpoint, byOperator(application.organizationId, service.clock.real()));
    },
  });

const remove = endpointCommand(
  'delete an endpoint and drop its pending deliveries',
  async ({ db }, endpoint, by) => {
    await deleteWebhookEndpoint(db, endpoint, by);
    return { json: { endpointId: endpoint.id }, text: [`${endpoint.id} is deleted.`] };
  },
);

const enable = endpointCommand(
  'enable a disabled endpoint; it receives new events only',
  async ({ db }, endpoint, by) => {
    await enableWebhookEndpoint(db, endpoint, by);
    return { json: { endpointId: endpoint.id }, text: [`${endpoint.id} is enabled.`] };
  },
);

const rotateSecret = endpointCommand(
  'replace the signing secret of an endpoint and show the new one once',
  async (service, endpoint, by) => {
    const { secret } = await rotateWebhookSecret(service.webhookEndpoints, endpoint, by);
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
  async ({ db, webhooks }, endpoint, { now }) => {
    const queued = await queueTestWebhook(db, endpoint, now);
    const result = await deliverNow(webhooks!, queued, shutdownSignal());
    const { eventId } = queued;
    return {
      json: { endpointId: endpoint.id, eventId, ...result },
      text: [`${eventId}: ${result ? describe(result) : 'A worker sent the event.'}`],
      failed: result !== undefined && result.state !== 'delivered',
    };
  },
  { worker: true },
);

/** The status of the response, or the reason for having none. */
const describe = (result: DeliveryResult): string =>
  'status' in result ? `The endpoint responded with ${result.status}.` : errorTexts[result.error];

const errorTexts: Record<WebhookError, string> = {
  timeout: 'The endpoint did not respond in time.',
  name_not_found: 'The host name was not found.',
  forbidden_address: 'The address belongs to a private network. Allow it with ALLOWED_NETWORKS.',
  connection_failed: 'The connection failed.',
  certificate_untrusted: 'The certificate authority is unknown. Add it with NODE_EXTRA_CA_CERTS.',
  certificate_expired: 'The certificate has expired.',
  certificate_not_yet_valid: 'The certificate is not valid yet.',
  certificate_wrong_host: 'The certificate is for another host name.',
  tls_not_spoken: 'The endpoint did not respond with TLS.',
  tls_failed: 'The TLS connection failed.',
  endpoint_disabled: 'The endpoint is disabled.',
  application_archived: 'The application is archived.',
  invalid_secret: 'Something other than the service changed the stored secret or URL.',
};

type ListenInput = { application: string; forwardTo: string };

const listen = defineCommand({
  summary: "forward an application's events to a URL, for example on your machine",
  examples: ['webhooks listen --application app_… --forward-to http://localhost:4000/webhooks'],
  options: (command) =>
    command
      .requiredOption('--application <application>', 'the application (app_…)')
      .requiredOption(
        '--forward-to <url>',
        'the URL that receives the events, for example http://localhost:4000/webhooks',
      ),
  run: async ({ config, progress }, { application: id, forwardTo }: ListenInput) => {
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
            failed: () => progress.info('Events cannot be read or forwarded right now. Retrying.'),
          },
        },
        application,
        readForwardUrl(forwardTo),
      );
      return {
        json: { secret: listener.secret },
        text: [`The signing secret is ${listener.secret}. Events are forwarded until you stop this command.`],
        longRunning: closeAtShutdown(async () => {
          await listener.stop();
          await service.close();
        }),
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
