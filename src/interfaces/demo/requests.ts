// The demo's client for the service. It records each request for the page.
import { type Client, type ClientOptions, createClient } from '../../../client/index.ts';

/** A request to the service and its response, without the values of the API key and the token. */
export type Exchange = {
  at: string;
  method: string;
  path: string;
  status: number;
  milliseconds: number;
  hasToken: boolean;
  body: string;
};

export type ServiceClient = Client<string>;

/** Creates a client that passes each request to `note`. */
export const makeNotingClient =
  ({ fetch = globalThis.fetch, ...options }: ClientOptions) =>
  (note: (exchange: Exchange) => void): ServiceClient =>
    createClient({
      ...options,
      exactAmounts: true,
      fetch: async (request) => {
        const at = new Date();
        const response = await fetch(request);
        const { pathname, search } = new URL(request.url);
        note({
          at: at.toISOString(),
          method: request.method,
          path: `${pathname}${search}`,
          status: response.status,
          milliseconds: Date.now() - at.getTime(),
          hasToken: request.headers.has('x-scoped-token'),
          body: await response.clone().text(),
        });
        return response;
      },
    });
