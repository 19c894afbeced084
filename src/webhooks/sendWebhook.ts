// Sends one attempt over node:http. Names are resolved here, and the address that is connected to is the one that was
// checked, so that a name that changes its address meanwhile leads nowhere else. Redirects are not followed.
import { lookup as dnsLookup } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { WebhookError } from '../db/tables.ts';
import { type AddressFilter, literalAddress } from './url.ts';

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

class ForbiddenAddress extends Error {}

/** `lookup` resolves names, like `dns.lookup`. */
export const makeWebhookSender = (
  isAllowed: AddressFilter,
  lookup: LookupFunction = dnsLookup as LookupFunction,
): SendWebhook => {
  const lookupAllowed: LookupFunction = (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      const isForbidden = !error && !addresses.every((address) => isAllowed(address));
      callback(isForbidden ? new ForbiddenAddress() : error, found, family);
    });
  return ({ url, headers, body, timeoutMs, now, signal }) =>
    new Promise((resolve, reject) => {
      const target = new URL(url);
      const address = literalAddress(target);
      if (address !== undefined && !isAllowed(address)) return resolve({ error: 'forbidden_address' });
      const timeout = AbortSignal.timeout(timeoutMs);
      const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
      const request = send(target, {
        method: 'POST',
        agent: false,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'User-Agent': 'Bank-Connection-Webhooks/1',
          ...headers,
        },
        lookup: lookupAllowed,
        signal: AbortSignal.any([signal, timeout]),
      });
      request.on('response', (response) => {
        // The body is of no use. The time limit also ends one that does not end.
        response.on('error', () => {}).resume();
        const retryAfterSeconds = readRetryAfter(response.headers['retry-after'], now());
        resolve({
          status: response.statusCode!,
          ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        });
      });
      request.on('error', (error) => {
        if (timeout.aborted) resolve({ error: 'timeout' });
        else if (signal.aborted) reject(error);
        else resolve({ error: toWebhookError(error) });
      });
      request.end(body);
    });
};

/** RFC 9110, section 10.2.3: seconds, or a date. */
const readRetryAfter = (text: string | undefined, now: Date): number | undefined => {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
};

const toWebhookError = (error: NodeJS.ErrnoException): WebhookError => {
  if (error instanceof ForbiddenAddress) return 'forbidden_address';
  const { code = '' } = error;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name_not_found';
  return /TLS|SSL|CERT|SIGNATURE|EPROTO/.test(code) ? 'tls_failed' : 'connection_failed';
};
