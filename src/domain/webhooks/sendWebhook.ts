// Sends one attempt, signed as the Standard Webhooks specification requires (HMAC-SHA256 of the id, time and body), and returns
// the response's status and `Retry-After`.
import { createHmac, randomBytes } from 'node:crypto';
import { retryAfterOf, type SendGuarded } from '../../../connectors/kit/guardedRequest.ts';
import type { WebhookError } from '../../platform/db/tables.ts';

export type WebhookRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  /** Real time, for a `Retry-After` that is a date. */
  now(): Date;
  /** Aborts the attempt, which then rejects. */
  signal: AbortSignal;
};

export type WebhookResponse = { status: number; retryAfterSeconds?: number } | { error: WebhookError };

export type SendWebhook = (request: WebhookRequest) => Promise<WebhookResponse>;

export const makeWebhookSender =
  (send: SendGuarded): SendWebhook =>
  async ({ url, headers, body, timeoutMs, now, signal }) => {
    const response = await send({
      method: 'POST',
      url: new URL(url),
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': 'Bank-Connection-Webhooks/1',
        ...headers,
      },
      ...{ body, timeoutMs, signal },
    });
    if ('error' in response) return response;
    const at = now();
    const retryAfter = retryAfterOf(response, at);
    const retryAfterSeconds = retryAfter && Math.max(0, (retryAfter.getTime() - at.getTime()) / 1000);
    return { status: response.status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  };

const secretPrefix = 'whsec_';

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export const makeWebhookSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`;

export type SignedWebhook = { id: string; at: Date; body: string };

/** The headers of one attempt, signed with every secret. */
export const webhookHeaders = (
  { id, at, body }: SignedWebhook,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  };
};
