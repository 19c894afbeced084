// Verifies webhooks as specified by Standard Webhooks, so that nobody else can send you events.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isAnyArrayBuffer, isUint8Array } from 'node:util/types';
import type { webhooks } from '../generated/api.ts';
import { check, checkObject } from './usageError.ts';

export type WebhookType = keyof webhooks;

/** An event by type. Ignore types that this client does not know: the service may add them. */
export type WebhookEvent = {
  [Type in WebhookType]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[WebhookType];

/** The request is not a webhook of this service. Respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** The headers of a fetch request, or Node's `request.headers`. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

const toleranceSeconds = 5 * 60;

/**
 * Returns the event if the request was signed with the endpoint's secret (`whsec_…`), or any of several, in the last five
 * minutes. `body` is the raw body, before parsing. `at` is the current time, for tests. Throws WebhookVerificationError, and
 * UsageError if the secret is missing or the body was already parsed.
 */
export const verifyWebhook = (
  secret: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  { at = new Date() }: { at?: Date } = {},
): WebhookEvent => {
  const secrets = [secret ?? []].flat();
  const isGiven = secrets.length > 0 && secrets.every((text) => typeof text === 'string' && text !== '');
  check(isGiven, 'The secret is missing: pass the endpoint’s secret, whsec_….');
  const keys = secrets.map((text) => Buffer.from(text.replace(/^whsec_/, ''), 'base64'));
  const areKeys = keys.every(({ length }) => length > 0);
  check(areKeys, 'secret must be the secret of a webhook endpoint, whsec_….');
  const isRaw = typeof body === 'string' || isUint8Array(body) || isAnyArrayBuffer(body);
  check(isRaw, 'The body was parsed or is missing: pass the raw body, as text or bytes.');
  checkObject(headers, 'headers must be the headers of the request.');
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature').split(' ');
  const age = at.getTime() / 1000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || !(Math.abs(age) <= toleranceSeconds)) {
    throw new WebhookVerificationError('webhook-timestamp is not within five minutes of the current time.');
  }
  const content = Buffer.from(body as Uint8Array);
  const isSigned = keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(content).digest();
    return signatures.some((signature) => isSignature(signature, expected));
  });
  if (!isSigned) throw new WebhookVerificationError('webhook-signature does not match.');
  return JSON.parse(content.toString());
};

const readHeader = (headers: WebhookHeaders, name: string): string => {
  // Not `instanceof`: frameworks and test runners may have their own class.
  const value =
    typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  if (typeof value === 'string') return value;
  throw new WebhookVerificationError(`The ${name} header is missing.`);
};

const isSignature = (text: string, expected: Buffer): boolean => {
  const [version, signature = ''] = text.split(',');
  const bytes = Buffer.from(signature, 'base64');
  return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
};
