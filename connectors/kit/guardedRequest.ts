// Sends one HTTP request to a URL from an untrusted source. Names are resolved here, and the connection uses the checked address,
// so a name whose address changes in between cannot redirect it. Redirects are not followed.
import { lookup as dnsLookup } from 'node:dns';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { BankUnreachable, type RateLimit } from './errors.ts';
import { type IpFilter, literalIp } from './ipFilter.ts';

export type GuardedRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers: Record<string, string | number>;
  body?: string;
  /** The maximum number of body bytes to read; if undefined, only the status is used and the body is discarded. */
  bodyBytesMax?: number;
  /** The time limit for the response, including the part of its body that is read. */
  timeoutMs: number;
  /** Aborts the request, which then rejects. */
  signal: AbortSignal;
};

/** `body` is undefined if it is discarded or longer than `bodyBytesMax`. */
export type GuardedResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer | undefined };

/** The reason for a missing response. */
export type RequestError =
  | 'forbidden_address'
  | 'name_not_found'
  | 'certificate_untrusted'
  | 'certificate_expired'
  | 'certificate_not_yet_valid'
  | 'certificate_wrong_host'
  | 'tls_not_spoken'
  | 'tls_failed'
  | 'connection_failed'
  | 'timeout';

export type SendGuarded = (request: GuardedRequest) => Promise<GuardedResponse | { error: RequestError }>;

/** The error that a connector throws if there is no response. The log shows its cause. */
export const withoutResponse = (error: RequestError): BankUnreachable => {
  const cause = Object.assign(new Error('No response.'), { code: error });
  return new BankUnreachable(error === 'timeout' ? 'timeout' : 'down', { cause });
};

/** The time for a retry, if the response has one (RFC 9110, section 10.2.3): in seconds from now, or as a date. */
export const retryAfterOf = ({ headers }: Pick<GuardedResponse, 'headers'>, now: Date): Date | undefined => {
  const text = headers['retry-after'] ?? '';
  const at = /^\d{1,10}$/.test(text) ? now.getTime() + 1000 * Number(text) : Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at);
};

/** The error that a connector throws if a server limits requests: 429, or 503 with Retry-After. */
export const findRateLimit = (
  response: GuardedResponse,
  { scope, now }: { scope: RateLimit['scope']; now: Date },
): BankUnreachable | undefined => {
  const until = retryAfterOf(response, now);
  const isLimit = response.status === 429 || (response.status === 503 && until !== undefined);
  return isLimit ? new BankUnreachable('rate_limited', { scope, until }) : undefined;
};

class ForbiddenIp extends Error {}

/** `lookup` works like `dns.lookup`. */
export const makeGuardedSender = (
  isAllowed: IpFilter,
  lookup: LookupFunction = dnsLookup as LookupFunction,
): SendGuarded => {
  const lookupAllowed: LookupFunction = (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const ips = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      const isForbidden = !error && !ips.every((ip) => isAllowed(ip));
      callback(isForbidden ? new ForbiddenIp() : error, found, family);
    });
  return async (request) => {
    request.signal.throwIfAborted();
    const ip = literalIp(request.url);
    if (ip !== undefined && !isAllowed(ip)) return { error: 'forbidden_address' };
    const timeout = AbortSignal.timeout(request.timeoutMs);
    try {
      return await send(request, lookupAllowed, AbortSignal.any([request.signal, timeout]));
    } catch (error) {
      request.signal.throwIfAborted();
      return { error: timeout.aborted ? 'timeout' : toRequestError(error as NodeJS.ErrnoException) };
    }
  };
};

const send = (
  { method, url, headers, body, bodyBytesMax }: GuardedRequest,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<GuardedResponse> =>
  new Promise((resolve, reject) => {
    const sendRequest = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = sendRequest(url, { method, agent: false, headers, lookup, signal });
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode: status, headers } = response;
      const answer = (body: Buffer | undefined): void => resolve({ status: status!, headers, body });
      if (bodyBytesMax !== undefined) {
        readBody(response, bodyBytesMax).then(answer, reject);
        return;
      }
      discardBody(response);
      answer(undefined);
    });
    // Without a listener, the request would end without a response or an error.
    request.on('upgrade', ({ statusCode: status, headers }, socket) => {
      socket.destroy();
      resolve({ status: status!, headers, body: Buffer.alloc(0) });
    });
    request.end(body);
  });

const discardedBytesMax = 4096;
const discardMsMax = 1000;

/** Lets the server finish a short body, and closes the connection if the body is long or slow. */
const discardBody = (response: IncomingMessage): void => {
  let bytes = 0;
  const timer = setTimeout(() => response.destroy(), discardMsMax);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > discardedBytesMax) response.destroy();
  });
  response.on('error', () => {}).on('close', () => clearTimeout(timer));
};

/** Undefined if the body is longer than `bytesMax`; never stores more. */
const readBody = async (response: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** By error codes of Node.js and, for certificates, OpenSSL. */
const errorsByCode: [code: RegExp, error: RequestError][] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'name_not_found'],
  [/^(UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)|SELF_SIGNED|DEPTH_ZERO)/, 'certificate_untrusted'],
  [/^CERT_HAS_EXPIRED$/, 'certificate_expired'],
  [/^CERT_NOT_YET_VALID$/, 'certificate_not_yet_valid'],
  [/^ERR_TLS_CERT_ALTNAME/, 'certificate_wrong_host'],
  [/TLS|SSL|CERT|SIGNATURE|EPROTO/, 'tls_failed'],
];

// For EPROTO and OpenSSL's codes, only the message contains the reason.
const toRequestError = (error: NodeJS.ErrnoException): RequestError => {
  if (error instanceof ForbiddenIp) return 'forbidden_address';
  const { code = '', message } = error;
  if (/wrong version number|packet length too long/.test(message)) return 'tls_not_spoken';
  return errorsByCode.find(([pattern]) => pattern.test(code))?.[1] ?? 'connection_failed';
};
