// Verifies webhooks by the Standard Webhooks specification, so that nobody else can send you events.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { webhooks } from '../generated/api.ts';

export type WebhookType = keyof webhooks;

/** An event by its type. Types that this client does not know can be added: ignore them. */
export type WebhookEvent = {
  [Type in WebhookType]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[WebhookType];

/** A request that is not a webhook of this service; answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** The headers of a request: of fetch, or Node's `request.headers`. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

const toleranceSeconds = 5 * 60;

/**
 * The event of a request, if it was signed with the endpoint's secret (`whsec_…`) in the last five minutes; with several
 * secrets, any of them. `body` is the body as it was received, before it was parsed. `at` is the current time, for tests.
 * Throws WebhookVerificationError, and a TypeError where a secret is empty.
 */
export const verifyWebhook = (
  secret: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
  { at = new Date() }: { at?: Date } = {},
): WebhookEvent => {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const keys = secrets.map((text) => Buffer.from(text.replace(/^whsec_/, ''), 'base64'));
  if (keys.length === 0 || keys.some(({ length }) => length === 0)) {
    throw new TypeError('secret must be the secret of a webhook endpoint, whsec_….');
  }
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature').split(' ');
  const age = at.getTime() / 1000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > toleranceSeconds) {
    throw new WebhookVerificationError('webhook-timestamp is not within five minutes of the current time.');
  }
  const content = Buffer.from(body);
  const isSigned = keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(content).digest();
    return signatures.some((signature) => isSignature(signature, expected));
  });
  if (!isSigned) throw new WebhookVerificationError('webhook-signature does not match.');
  return JSON.parse(content.toString());
};

const readHeader = (headers: WebhookHeaders, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string') return value;
  throw new WebhookVerificationError(`The ${name} header is missing.`);
};

const isSignature = (text: string, expected: Buffer): boolean => {
  const [version, signature = ''] = text.split(',');
  const bytes = Buffer.from(signature, 'base64');
  return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
};
