// The seven operations as a table, and a function that sends any request to one of them without the client package:
// with any credentials, parameters and method.
import { expect } from 'vitest';
import type { operations as Contract } from '../../../generated/api.ts';

export type OperationId = keyof Contract;

export type Ids = { connectionId: string; accountId: string; transactionId: string };

export type OperationMeta = {
  method: 'GET' | 'DELETE';
  path: string;
  /** The ids in the path; the id of the resource is the last one. */
  parameters: (keyof Ids)[];
  needsToken: boolean;
};

const connection = { path: '/connections/{connectionId}', parameters: ['connectionId' as const] };
const account = { path: '/accounts/{accountId}', parameters: ['accountId' as const] };
const read = { method: 'GET', needsToken: true } as const;

export const operations: Record<OperationId, OperationMeta> = {
  listConnections: { ...read, path: '/connections', parameters: [] },
  getConnection: { ...connection, method: 'GET', needsToken: false },
  revokeConnection: { ...connection, method: 'DELETE', needsToken: false },
  listAccounts: { ...read, ...connection, path: `${connection.path}/accounts` },
  getAccount: { ...read, ...account },
  listTransactions: { ...read, ...account, path: `${account.path}/transactions` },
  getTransaction: {
    ...read,
    path: `${account.path}/transactions/{transactionId}`,
    parameters: ['accountId', 'transactionId'],
  },
};

export const operationIds = Object.keys(operations) as OperationId[];

export type RequestOptions = {
  ids: Ids;
  /** Null omits the header. */
  apiKey: string | null;
  scopedToken: string | null;
  /** Includes the question mark. */
  query?: string;
  method?: string;
  headers?: Record<string, string>;
};

export type ApiResponse = {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests check any body.
  body: any;
};

/** Checks the headers that every response has. */
const expectCommonHeaders = ({ headers, status, body }: ApiResponse): void => {
  expect(headers.get('Request-Id')).toMatch(/^[0-9a-f]{32}$/);
  expect(headers.get('API-Version')).toBe('2024-01-01');
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect([...headers.keys()].filter((name) => /^access-control|^x-powered-by|^etag/.test(name))).toEqual([]);
  if (status < 400) return;
  expect(headers.get('Content-Type')).toMatch(/^application\/problem\+json\b/);
  // A response to HEAD has no body.
  if (body) expect(body.requestId).toBe(headers.get('Request-Id'));
};

/** Sends a request, reads the response and checks its common headers. */
export const sendRequest = async (
  url: string,
  operation: OperationMeta,
  options: RequestOptions,
): Promise<ApiResponse> => {
  const { ids, apiKey, scopedToken, query = '', method = operation.method } = options;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => encodeURIComponent(ids[name]));
  const headers: Record<string, string> = { ...options.headers };
  if (apiKey !== null) headers.Authorization ??= `Bearer ${apiKey}`;
  if (scopedToken !== null) headers['X-Scoped-Token'] ??= scopedToken;
  const response = await fetch(`${url}${path}${query}`, { method, headers });
  const text = await response.text();
  const isJson = /^application\/(problem\+)?json\b/.test(response.headers.get('Content-Type') ?? '');
  const body = isJson && text !== '' ? JSON.parse(text) : undefined;
  const apiResponse = { status: response.status, headers: response.headers, text, body };
  expectCommonHeaders(apiResponse);
  return apiResponse;
};
