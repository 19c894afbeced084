// The typed client for the management API, for programs such as tests in CI. Every request contains an organization token.
// For backends only.
import openapiFetch, { type Client } from 'openapi-fetch';
import type { components, paths } from '../generated/management.ts';
import { requestOptions } from './requestOptions.ts';
import { defaultRetries, type Fetch, fetchWithRetries } from './retry.ts';
import { check, checkBaseUrl } from './usageError.ts';

export type ManagementSchemas = components['schemas'];

/** openapi-fetch's `GET`, `POST`, `PUT`, `PATCH` and `DELETE`, which resolve to `{ data, error, response }`. */
export type ManagementClient = Client<paths>;

export type ManagementOptions = {
  /** The URL of the service, for example `https://bank.example.com`. */
  baseUrl: string;
  /** An organization token, `ogt_…`, which an owner creates in the dashboard. */
  token: string;
  /** The number of retries of a GET on 429 and 503, after the time in Retry-After. Default 3. Changes are not retried. */
  retries?: number;
  /** Replaces the global fetch, for a proxy or tracing. */
  fetch?: Fetch;
};

/** Creates a client, which keeps no state between requests. Throws UsageError for an invalid `baseUrl` or an empty `token`. */
export const createManagementClient = (options: ManagementOptions): ManagementClient => {
  checkBaseUrl(options);
  const { baseUrl, token, retries = defaultRetries, fetch = globalThis.fetch } = options;
  check(typeof token === 'string' && token !== '', 'token must not be empty.');
  const send: Fetch = (request) => fetch(request);
  const sendWithRetries = fetchWithRetries(send, retries);
  return openapiFetch<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${token}` },
    fetch: (request) => (request.method === 'GET' ? sendWithRetries(request) : send(request)),
    ...requestOptions,
  });
};
