// A service of one account, in memory, that speaks the contract's shapes over real HTTP: enough to see what the
// client sends and how it walks. What the service itself does is tested at the service.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Transaction } from '../../client/index.ts';

/** What a request looked like on the wire. */
export type RecordedRequest = { method: string; url: string; headers: IncomingMessage['headers'] };
type Responder = (response: ServerResponse) => void;

export type FakeService = {
  url: string;
  requests: RecordedRequest[];
  /** The account's entries; a test changes them as a bank would. */
  transactions: Transaction[];
  /** The next requests get these instead of what they asked for. */
  nextResponders: Responder[];
  /** From now on every page cursor handed out so far is unknown. */
  forgetCursors(): void;
  close(): Promise<void>;
};

/** Answers with a problem, as the contract describes it. */
export const respondProblem =
  (status: number, code: string, headers: Record<string, string> = {}): Responder =>
  (response) => {
    const body = {
      type: `/problems/${code}`,
      title: code,
      status,
      code,
      detail: 'So it is.',
      requestId: 'r1',
    };
    response.writeHead(status, {
      'content-type': 'application/problem+json',
      'request-id': 'r1',
      ...headers,
    });
    response.end(JSON.stringify(body));
  };

/** Answers with a JSON text exactly as it is. */
export const respondJson =
  (json: string, headers: Record<string, string> = {}): Responder =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(json);
  };

type PageCursor = { epoch: number; filter: string; asOf: string; after: string };
const encodeCursor = (place: PageCursor): string => Buffer.from(JSON.stringify(place)).toString('base64url');
const decodeCursor = (cursor: string): PageCursor | undefined => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
};

/** Starts one on a free port. */
export const startFakeService = async (held: Transaction[] = []): Promise<FakeService> => {
  let epoch = 0;
  const service = {
    requests: [] as RecordedRequest[],
    nextResponders: [] as Responder[],
    transactions: held,
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
    forgetCursors: () => void epoch++,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
};

const pageOf = (held: Transaction[], query: URLSearchParams, epoch: number) => {
  const since = query.get('refreshedSince') ?? '';
  const limit = Number(query.get('limit') ?? Number.POSITIVE_INFINITY);
  const filter = JSON.stringify([...query].filter(([name]) => name !== 'cursor' && name !== 'limit'));
  const cursor = query.get('cursor');
  const newest =
    held
      .map((entry) => entry.transactionRefresh)
      .sort()
      .at(-1) ?? '';
  const place = cursor ? decodeCursor(cursor) : { epoch, filter, asOf: newest, after: '' };
  if (!place || place.epoch !== epoch || place.filter !== filter) return undefined;
  const keyOf = (entry: Transaction) => (since ? entry.transactionRefresh : '') + entry.date + entry.id;
  const rest = held
    .filter((entry) => entry.transactionRefresh > since && entry.transactionRefresh <= place.asOf)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .filter((entry) => keyOf(entry) > place.after);
  const transactions = rest.slice(0, limit);
  const last = transactions.at(-1);
  const hasMore = rest.length > transactions.length;
  const nextCursor = hasMore && last ? encodeCursor({ ...place, after: keyOf(last) }) : undefined;
  return { transactions, pagination: { hasMore, nextCursor } };
};

/** An entry that a test can tell apart; `refresh` counts up as a bank is read. */
export const entry = (number: number, refresh = 1, more: Partial<Transaction> = {}): Transaction => ({
  id: `txn_${String(number).padStart(22, '0')}`,
  accountId: 'acc_0000000000000000000001',
  amount: number / 100 - 1000,
  date: `2024-01-${String((number % 28) + 1).padStart(2, '0')}`,
  description: `ENTRY ${number}`,
  reference: '',
  status: 'posted',
  transactionRefresh: refreshCursor(refresh),
  ...more,
});

/** The cursor of the n-th refresh. */
export const refreshCursor = (refresh: number): string => `txr_${String(refresh).padStart(26, '0')}`;
