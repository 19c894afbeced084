// The seven operations as a table, and how a test asks one of them without the help of a client: with whatever
// credentials, parameters and method it likes, and with everything of the answer in its hands.
import { expect } from 'vitest';
import type { operations as Contract } from '../../../generated/api.ts';

export type OperationId = keyof Contract;

export type Ids = { connectionId: string; accountId: string; transactionId: string };

export type OperationMeta = {
  method: 'GET' | 'DELETE';
  path: string;
  /** The ids in its path, the resource's own last. */
  parameters: (keyof Ids)[];
  needsToken: boolean;
};

export const operations: Record<OperationId, OperationMeta> = {
  listConnections: { method: 'GET', path: '/connections', parameters: [], needsToken: true },
  getConnection: {
    method: 'GET',
    path: '/connections/{connectionId}',
    parameters: ['connectionId'],
    needsToken: false,
  },
  revokeConnection: {
    method: 'DELETE',
    path: '/connections/{connectionId}',
    parameters: ['connectionId'],
    needsToken: false,
  },
  listAccounts: {
    method: 'GET',
    path: '/connections/{connectionId}/accounts',
    parameters: ['connectionId'],
    needsToken: true,
  },
  getAccount: {
    method: 'GET',
    path: '/accounts/{accountId}',
    parameters: ['accountId'],
    needsToken: true,
  },
  listTransactions: {
    method: 'GET',
    path: '/accounts/{accountId}/transactions',
    parameters: ['accountId'],
    needsToken: true,
  },
  getTransaction: {
    method: 'GET',
    path: '/accounts/{accountId}/transactions/{transactionId}',
    parameters: ['accountId', 'transactionId'],
    needsToken: true,
  },
};

export const operationIds = Object.keys(operations) as OperationId[];

export type RequestOptions = {
  ids: Ids;
  /** Null leaves the header out. */
  apiKey: string | null;
  scopedToken: string | null;
  /** With its question mark. */
  query?: string;
  method?: string;
  headers?: Record<string, string>;
};

export type ApiResponse = {
  status: number;
  headers: Headers;
  text: string;
  /** The text as JSON; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever came is what the test looks into.
  body: any;
};

/** What every answer has, whatever it says. */
const expectCommonHeaders = ({ headers, status, body }: ApiResponse): void => {
  expect(headers.get('Request-Id')).toMatch(/^[0-9a-f]{32}$/);
  expect(headers.get('API-Version')).toBe('2024-01-01');
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect([...headers.keys()].filter((name) => /^access-control|^x-powered-by|^etag/.test(name))).toEqual([]);
  if (status < 400) return;
  expect(headers.get('Content-Type')).toMatch(/^application\/problem\+json\b/);
  // Only the answer to a HEAD has no body to say it again.
  if (body) expect(body.requestId).toBe(headers.get('Request-Id'));
};

/** Asks one operation, reads the answer to its end, and looks at what every answer must have. */
export const sendRequest = async (
  url: string,
  place: OperationMeta,
  asking: RequestOptions,
): Promise<ApiResponse> => {
  const { ids, apiKey, scopedToken, query = '', method = place.method } = asking;
  const path = place.path.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => encodeURIComponent(ids[name]));
  const headers: Record<string, string> = { ...asking.headers };
  if (apiKey !== null) headers.Authorization ??= `Bearer ${apiKey}`;
  if (scopedToken !== null) headers['X-Scoped-Token'] ??= scopedToken;
  const response = await fetch(`${url}${path}${query}`, { method, headers });
  const text = await response.text();
  const isJson = /^application\/(problem\+)?json\b/.test(response.headers.get('Content-Type') ?? '');
  const body = isJson && text !== '' ? JSON.parse(text) : undefined;
  const answer = { status: response.status, headers: response.headers, text, body };
  expectCommonHeaders(answer);
  return answer;
};
