// Webhook endpoints of an application, and the deliveries of events to them.
import type { components } from '../../../../generated/management.ts';
import {
  checkWebhookUrl,
  createWebhookEndpoint as create,
  deleteWebhookEndpoint as deleteEndpoint,
  enableWebhookEndpoint as enable,
  endpointState,
  findWebhookEndpoint,
  queueTestWebhook,
  replayWebhook as replay,
  replayFailedWebhooks as replayFailed,
  rotateWebhookSecret as rotateSecret,
} from '../../../domain/webhooks/endpoints.ts';
import {
  countDeliveries,
  type DeliveryCounts,
  findDeliveries,
  findEndpoints,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '../../../domain/webhooks/store.ts';
import { readListPage, timeAndIdCursors } from '../../../platform/values/listPage.ts';
import type { DashboardNeeds } from '../needs.ts';
import { asValidationError } from './asValidationError.ts';
import type { ApplicationPrincipal, Operation } from './authenticate.ts';

type Schemas = components['schemas'];

const endpointToJson = (
  endpoint: WebhookEndpoint,
  deliveries: DeliveryCounts,
): Schemas['WebhookEndpoint'] => {
  const { id, url, failingSince, disabledAt, disabledReason, createdAt } = endpoint;
  const state = endpointState(endpoint);
  return { id, url, state, failingSince, disabledAt, disabledReason, createdAt, deliveries };
};

const deliveryToJson = (delivery: WebhookDelivery): Schemas['WebhookDelivery'] => {
  const { eventId, type, connectionId, state, attempts, createdAt, dueAt } = delivery;
  const { lastAttemptAt, lastStatus, lastError } = delivery;
  return {
    ...{ eventId, type, connectionId, state, attempts, createdAt },
    ...{ nextAttemptAt: dueAt, lastAttemptAt, lastStatus, lastError },
  };
};

const findEndpoint = (
  { db }: DashboardNeeds,
  { application, path }: ApplicationPrincipal & { path: { endpointId: string } },
): Promise<WebhookEndpoint> => findWebhookEndpoint(db, application.id, path.endpointId);

export const listWebhookEndpoints: Operation<'listWebhookEndpoints'> = async ({ application }, { db }) => {
  const endpoints = await findEndpoints(db.read, application.id);
  const counts = await countDeliveries(
    db.read,
    endpoints.map(({ id }) => id),
  );
  return { webhookEndpoints: endpoints.map((one) => endpointToJson(one, counts.get(one.id)!)) };
};

export const createWebhookEndpoint: Operation<'createWebhookEndpoint'> = async (
  { body, application, by },
  { webhookEndpoints },
) => {
  const { id: applicationId, environment } = application;
  const { isAllowed } = webhookEndpoints;
  const url = await asValidationError('/body/url', () => checkWebhookUrl(body.url, environment, isAllowed));
  const { endpoint, secret } = await create(webhookEndpoints, { applicationId, url }, by);
  const webhookEndpoint = endpointToJson(endpoint, { pending: 0, delivered: 0, failed: 0 });
  return { webhookEndpoint, secret };
};

export const deleteWebhookEndpoint: Operation<'deleteWebhookEndpoint'> = async (input, service) =>
  deleteEndpoint(service.db, await findEndpoint(service, input), input.by);

export const enableWebhookEndpoint: Operation<'enableWebhookEndpoint'> = async (input, service) =>
  enable(service.db, await findEndpoint(service, input), input.by);

export const rotateWebhookSecret: Operation<'rotateWebhookSecret'> = async (input, service) => {
  const endpoint = await findEndpoint(service, input);
  const rotated = await rotateSecret(service.webhookEndpoints, endpoint, input.by);
  return { ...rotated, previousSecretExpiresAt: rotated.previousSecretExpiresAt.toISOString() };
};

export const sendTestWebhook: Operation<'sendTestWebhook'> = async (input, service) => {
  const endpoint = await findEndpoint(service, input);
  const { eventId } = await queueTestWebhook(service.db, endpoint, input.by.now);
  return { eventId };
};

export const listWebhookDeliveries: Operation<'listWebhookDeliveries'> = async (input, service) => {
  const { id } = await findEndpoint(service, input);
  const { state, ...request } = input.query;
  const { rows, ...next } = await readListPage(request, deliveryCursors, (page) =>
    findDeliveries(service.db.read, id, { state, ...page }),
  );
  return { deliveries: rows.map(deliveryToJson), ...next };
};

const eventCursors = timeAndIdCursors('evt');
const deliveryCursors = {
  ...eventCursors,
  encode: ({ createdAt, eventId: id }: WebhookDelivery) => eventCursors.encode({ createdAt, id }),
};

export const replayWebhook: Operation<'replayWebhook'> = async (input, service) =>
  replay(service.db, await findEndpoint(service, input), input.path.eventId, input.by.now);

export const replayFailedWebhooks: Operation<'replayFailedWebhooks'> = async (input, service) => {
  const endpoint = await findEndpoint(service, input);
  return { count: await replayFailed(service.db, endpoint, input.by.now) };
};
