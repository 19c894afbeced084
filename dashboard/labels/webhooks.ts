// Labels for states of webhook endpoints and deliveries, and for the responses to attempts.
import type { Schemas } from '../api/apiClient.ts';
import type { WebhookDelivery, WebhookDeliveryState, WebhookEndpoint } from '../api/webhooks.ts';

type Tone = 'good' | 'warn' | 'bad' | 'plain';

export const endpointStateLabels: Record<WebhookEndpoint['state'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'good' },
  failing: { label: 'Failing', tone: 'warn' },
  disabled: { label: 'Disabled', tone: 'bad' },
};

export const deliveryStateLabels: Record<WebhookDeliveryState, { label: string; tone: Tone }> = {
  pending: { label: 'Pending', tone: 'plain' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** The reason why an endpoint is disabled. */
export const disabledReasonLabels: Record<NonNullable<WebhookEndpoint['disabledReason']>, string> = {
  gone: 'It returned 410 Gone, so we stopped sending.',
  failing: 'It hasn’t accepted an event for five days.',
};

const errorLabels: Record<Schemas['WebhookError'], string> = {
  timeout: 'Timed out',
  name_not_found: 'Host name not found',
  forbidden_address: 'Private network address',
  connection_failed: 'Connection failed',
  certificate_untrusted: 'Certificate from an unknown authority',
  certificate_expired: 'Certificate expired',
  certificate_not_yet_valid: 'Certificate not valid yet',
  certificate_wrong_host: 'Certificate for another host name',
  tls_not_spoken: 'Endpoint did not respond with TLS',
  tls_failed: 'TLS error',
  endpoint_disabled: 'Endpoint disabled',
  application_archived: 'Application archived',
  invalid_secret: 'Stored secret is invalid',
};

/** The status of the last response, or the reason why there was none. */
export const responseLabel = ({ lastStatus, lastError }: WebhookDelivery): string => {
  if (lastStatus !== null) return `Status ${lastStatus}`;
  return lastError ? errorLabels[lastError] : 'None yet';
};
