// The seven operations, typed from the contract, with the two credentials on every call. For a backend only:
// whoever has the API key has the application.
import openapiFetch, { type Client as OpenapiClient } from 'openapi-fetch';
import { exactAmounts } from './exactAmounts.ts';
import { type Fetch, fetchWithRetries } from './retry.ts';
import type { Amount, PathsWithAmounts } from './types.ts';

export type ClientOptions<Exact extends boolean = boolean> = {
  /** Where the service is, for example `https://bank.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Opens one end user's data; operations on accounts and transactions need one. See `withScopedToken`. */
  scopedToken?: string;
  /** Read money as the decimal text that was sent ("12.50") instead of as a binary float (12.5). */
  exactAmounts?: Exact;
  /** How often a call is repeated while the service is busy (429, 503), as its Retry-After says. */
  retries?: number;
  /** Another fetch than the global one, for a proxy or for tracing. */
  fetch?: Fetch;
};

/** `GET` and `DELETE` as openapi-fetch has them: they resolve to `{ data, error, response }`. */
export interface Client<As extends Amount = number> extends OpenapiClient<PathsWithAmounts<As>> {
  /** The same client for another end user. */
  withScopedToken(scopedToken: string): Client<As>;
}

const defaultRetries = 3;

/**
 * A client of the service:
 * `createClient({ baseUrl, apiKey }).withScopedToken(token).GET('/connections', {})`.
 * It keeps nothing between calls and may be shared or thrown away.
 */
export const createClient = <Exact extends boolean = false>(
  options: ClientOptions<Exact>,
): Client<Exact extends true ? string : number> => {
  type As = Exact extends true ? string : number;
  const { baseUrl, apiKey, scopedToken, retries = defaultRetries, fetch = globalThis.fetch } = options;
  if (!/^https?:\/\//.test(baseUrl)) throw new TypeError('baseUrl must start with https:// or http://.');
  if (!apiKey) throw new TypeError('apiKey must not be empty.');
  const client = openapiFetch<PathsWithAmounts<As>>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': scopedToken },
    fetch: fetchWithRetries((request) => fetch(request), retries),
    // The service never redirects, and a redirect would carry the scoped token to another host.
    redirect: 'manual',
  });
  if (options.exactAmounts) client.use(exactAmounts);
  return Object.assign(client, {
    withScopedToken: (token: string) => createClient<Exact>({ ...options, scopedToken: token }),
  });
};
