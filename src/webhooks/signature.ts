// Signatures by the Standard Webhooks specification: HMAC-SHA256 over the id, the time and the body.
import { createHmac, randomBytes } from 'node:crypto';

const secretPrefix = 'whsec_';

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export const makeWebhookSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`;

export type SignedWebhook = { id: string; at: Date; body: string };

/** The headers of one attempt, signed with each of the secrets. */
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
