// A fake service with one account in memory, over real HTTP: records the client's requests and paginates transactions.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Transaction } from '../../client/index.ts';

export type RecordedRequest = { method: string; url: string; headers: IncomingMessage['headers'] };
type Responder = (response: ServerResponse) => void;

export type FakeService = {
  url: string;
  requests: RecordedRequest[];
  /** The account's transactions. Tests change them. */
  transactions: Transaction[];
  /** The responses to the next requests, in place of the real ones. */
  nextResponders: Responder[];
  /** Makes all existing cursors invalid. */
  invalidateCursors(): void;
  close(): Promise<void>;
};

/** Responds with a problem document. */
export const respondProblem =
  (status: number, code: string, headers: Record<string, string> = {}, more: object = {}): Responder =>
  (response) => {
    const body = {
      type: `/problems/${code}`,
      title: code,
      status,
      code,
      detail: 'A detail.',
      requestId: 'r1',
    };
    const own = { 'content-type': 'application/problem+json', 'request-id': 'r1' };
    response.writeHead(status, { ...own, ...headers });
    response.end(JSON.stringify({ ...body, ...more }));
  };

/** Responds with this JSON text. */
export const respondJson =
  (json: string, headers: Record<string, string> = {}): Responder =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(json);
  };

type PageCursor = { epoch: number; filter: string; asOf: string; after: string };
const encodeCursor = (cursor: PageCursor): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url');
const decodeCursor = (cursor: string): PageCursor | undefined => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
};

export const startFakeService = async (transactions: Transaction[] = []): Promise<FakeService> => {
  let epoch = 0;
  const service = {
    requests: [] as RecordedRequest[],
    nextResponders: [] as Responder[],
    transactions,
  };
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    service.requests.push({ method, url, headers });
    const scripted = service.nextResponders.shift();
    if (scripted) return scripted(response);
    const query = new URL(url, 'http://host').searchParams;
    const page = pageOf(service.transactions, query, epoch);
    return page
      ? respondJson(JSON.stringify(page))(response)
      : respondProblem(400, 'invalid_cursor')(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(service, {
    url: `http://127.0.0.1:${port}`,
    invalidateCursors: () => void epoch++,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
};

const pageOf = (all: Transaction[], query: URLSearchParams, epoch: number) => {
  const since = query.get('refreshedSince') ?? '';
  const limit = Number(query.get('limit') ?? Number.POSITIVE_INFINITY);
  const filter = JSON.stringify([...query].filter(([name]) => name !== 'cursor' && name !== 'limit'));
  const encoded = query.get('cursor');
  const newest =
    all
      .map(({ transactionRefresh }) => transactionRefresh)
      .toSorted()
      .at(-1) ?? '';
  const cursor = encoded ? decodeCursor(encoded) : { epoch, filter, asOf: newest, after: '' };
  if (!cursor || cursor.epoch !== epoch || cursor.filter !== filter) return undefined;
  const keyOf = (transaction: Transaction) =>
    (since ? transaction.transactionRefresh : '') + transaction.date + transaction.id;
  const rest = all
    .filter(({ transactionRefresh: refresh }) => refresh > since && refresh <= cursor.asOf)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .filter((transaction) => keyOf(transaction) > cursor.after);
  const transactions = rest.slice(0, limit);
  const last = transactions.at(-1);
  const hasMore = rest.length > transactions.length;
  const nextCursor = hasMore && last ? encodeCursor({ ...cursor, after: keyOf(last) }) : undefined;
  return { transactions, pagination: { hasMore, nextCursor } };
};

/** Returns a distinct transaction for each number; `refresh` is the number of its refresh. */
export const makeTransaction = (
  number: number,
  refresh = 1,
  more: Partial<Transaction> = {},
): Transaction => ({
  id: `txn_${String(number).padStart(22, '0')}`,
  accountId: 'acc_0000000000000000000001',
  amount: number / 100 - 1000,
  date: `2024-01-${String((number % 28) + 1).padStart(2, '0')}`,
  description: `TRANSACTION ${number}`,
  reference: '',
  status: 'posted',
  transactionRefresh: refreshCursor(refresh),
  ...more,
});

/** The cursor of the n-th refresh. */
export const refreshCursor = (refresh: number): string => `txr_${String(refresh).padStart(26, '0')}`;
