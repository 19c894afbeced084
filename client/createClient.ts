// The typed client for the seven operations and for SimpleFIN access. Every request contains the API key and the scoped token. For
// backends only, because the API key gives access to the whole application.
import openapiFetch, { type Client as OpenapiClient } from 'openapi-fetch';
import { exactAmounts } from './exactAmounts.ts';
import { requestOptions } from './requestOptions.ts';
import { defaultRetries, type Fetch, fetchWithRetries } from './retry.ts';
import type { Amount, Paths, RequestMethod } from './types.ts';
import { check, checkBaseUrl } from './usageError.ts';

export type ClientOptions<Exact extends boolean = boolean> = {
  /** The URL of the service, for example `https://bank.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Required to read an end user's accounts and transactions. See `withScopedToken`. */
  scopedToken?: string;
  /** Returns amounts as the decimal text in the response ("12.50") instead of as numbers (12.5). */
  exactAmounts?: Exact;
  /** The number of retries on 429 and 503, after the time in Retry-After. Default 3. */
  retries?: number;
  /** Replaces the global fetch, for a proxy or tracing. */
  fetch?: Fetch;
};

/** openapi-fetch's `GET`, `POST` and `DELETE`, which resolve to `{ data, error, response }`. */
export interface Client<As extends Amount = number> extends Pick<OpenapiClient<Paths>, 'use' | 'eject'> {
  GET: RequestMethod<'get', As>;
  POST: RequestMethod<'post', As>;
  DELETE: RequestMethod<'delete', As>;
  /** A copy of this client for another end user. */
  withScopedToken(scopedToken: string): Client<As>;
}

/**
 * Creates a client: `createClient({ baseUrl, apiKey }).withScopedToken(token).GET('/connections', {})`. It keeps no state between
 * requests. Throws UsageError for an invalid `baseUrl` or an empty `apiKey`.
 */
export const createClient = <Exact extends boolean = false>(
  options: ClientOptions<Exact>,
): Client<Exact extends true ? string : number> => {
  checkBaseUrl(options);
  const { baseUrl, apiKey, scopedToken, retries = defaultRetries, fetch = globalThis.fetch } = options;
  check(typeof apiKey === 'string' && apiKey !== '', 'apiKey must not be empty.');
  const client = openapiFetch<Paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': scopedToken },
    fetch: fetchWithRetries((request) => fetch(request), retries),
    ...requestOptions,
  });
  if (options.exactAmounts) client.use(exactAmounts);
  return Object.assign(client, {
    withScopedToken: (token: string) => createClient<Exact>({ ...options, scopedToken: token }),
  }) as unknown as Client<Exact extends true ? string : number>;
};
