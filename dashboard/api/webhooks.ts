// An application's webhook endpoints, and the deliveries of events to them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiClient, type Schemas, unwrap } from './apiClient.ts';

export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryState = Schemas['WebhookDeliveryState'];

/** One second while a delivery is pending, until `quickUntil` (in milliseconds); then as for other lists. */
const refetchIntervalOf = (isPending: boolean | undefined, quickUntil: number): number =>
  isPending && Date.now() < quickUntil ? 1_000 : 15_000;

export const webhookEndpointsQuery = (applicationId: string, quickUntil = 0) =>
  queryOptions({
    queryKey: ['webhookEndpoints', applicationId],
    queryFn: async () =>
      (
        await unwrap(
          apiClient.GET('/management/applications/{applicationId}/webhook-endpoints', {
            params: { path: { applicationId } },
          }),
        )
      ).webhookEndpoints,
    refetchInterval: ({ state }) =>
      refetchIntervalOf(
        state.data?.some(({ deliveries }) => deliveries.pending > 0),
        quickUntil,
      ),
  });

export const createWebhookEndpoint = (applicationId: string, body: Schemas['NewWebhookEndpoint']) =>
  unwrap(
    apiClient.POST('/management/applications/{applicationId}/webhook-endpoints', {
      params: { path: { applicationId } },
      body,
    }),
  );

export type EndpointPath = { applicationId: string; endpointId: string };

/** The queries that change when an event is sent. */
export const queriesOfSending = ({ applicationId, endpointId }: EndpointPath) => [
  ['webhookDeliveries', endpointId],
  ['webhookEndpoints', applicationId],
];

export const deleteWebhookEndpoint = (path: EndpointPath) =>
  unwrap(
    apiClient.DELETE('/management/applications/{applicationId}/webhook-endpoints/{endpointId}', {
      params: { path },
    }),
  );

export const enableWebhookEndpoint = (path: EndpointPath) =>
  unwrap(
    apiClient.POST('/management/applications/{applicationId}/webhook-endpoints/{endpointId}/enable', {
      params: { path },
    }),
  );

export const rotateWebhookSecret = (path: EndpointPath) =>
  unwrap(
    apiClient.POST('/management/applications/{applicationId}/webhook-endpoints/{endpointId}/rotate-secret', {
      params: { path },
    }),
  );

export const sendTestWebhook = (path: EndpointPath) =>
  unwrap(
    apiClient.POST('/management/applications/{applicationId}/webhook-endpoints/{endpointId}/test', {
      params: { path },
    }),
  );

export type DeliveryPageRequest = { state?: WebhookDeliveryState; cursor?: string; quickUntil: number };

export const webhookDeliveriesQuery = (
  path: EndpointPath,
  { state, cursor, quickUntil }: DeliveryPageRequest,
) =>
  queryOptions({
    queryKey: ['webhookDeliveries', path.endpointId, state, cursor],
    queryFn: () =>
      unwrap(
        apiClient.GET('/management/applications/{applicationId}/webhook-endpoints/{endpointId}/deliveries', {
          params: { path, query: { state, cursor, limit: 25 } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      refetchIntervalOf(
        query.state.data?.deliveries.some((one) => one.state === 'pending'),
        quickUntil,
      ),
  });

export const replayWebhook = (path: EndpointPath, eventId: string) =>
  unwrap(
    apiClient.POST(
      '/management/applications/{applicationId}/webhook-endpoints/{endpointId}/deliveries/{eventId}/replay',
      { params: { path: { ...path, eventId } } },
    ),
  );

export const replayFailedWebhooks = (path: EndpointPath) =>
  unwrap(
    apiClient.POST('/management/applications/{applicationId}/webhook-endpoints/{endpointId}/replay-failed', {
      params: { path },
    }),
  );
