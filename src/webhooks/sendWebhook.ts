// Sends one attempt, and reads of the response its status and when to try again.
import type { SendGuarded } from '../../connectors/kit/guardedRequest.ts';
import type { WebhookError } from '../db/tables.ts';

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
    const retryAfterSeconds = readRetryAfter(response.headers['retry-after'], now());
    return { status: response.status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  };

/** RFC 9110, section 10.2.3: seconds, or a date. */
const readRetryAfter = (text: string | undefined, now: Date): number | undefined => {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
};
