// A SimpleFIN server on loopback, strict about requests: it exchanges a setup token once, requires Basic credentials, and
// responds in version 1 or 2 of the protocol. It shortens long requests as SimpleFIN Bridge does, and records all requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A transaction as in a response. */
export type FakeTransaction = Record<string, unknown> & { posted?: number; transacted_at?: number };

/** An account as in a response, without its bank. */
export type FakeAccount = Record<string, unknown> & { id: string; transactions: FakeTransaction[] };

/** An end user's connection at this server, with its accounts. */
export type FakeConnection = { id: string; bank: string; accounts: FakeAccount[] };

export type FakeRequest = { method: string; path: string; parameters: URLSearchParams };

/** `isCutOff`: the connection is closed after the body, even if the headers announced a longer one. */
export type FakeAnswer = {
  status?: number;
  headers?: Record<string, string>;
  body?: string | object;
  isCutOff?: true;
};

export type FakeServer = {
  port: number;
  version: 1 | 2;
  connections: FakeConnection[];
  /** The errors in every response to a request for accounts: objects in version 2, sentences in version 1. */
  errors: unknown[];
  /** True if transactions are listed newest first. */
  isNewestFirst: boolean;
  /** Replaces the response to a request; undefined keeps it. */
  intercept: (request: FakeRequest) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>;
  requests: FakeRequest[];
  /** A setup token for a new access URL. */
  makeSetupToken(): string;
  /** A new access URL, as the end user sees it. */
  makeAccessUrl(): string;
  /** Invalidates every access URL. */
  revoke(): void;
  close(): Promise<void>;
};

/** SimpleFIN Bridge returns fewer days and reports it. */
const windowSecondsMax = 90 * 86_400;

export const startFakeServer = async (): Promise<FakeServer> => {
  const passwords = new Set<string>();
  const claims = new Map<string, string>();
  const makeAccessUrl = (): string => {
    const password = crypto.randomUUID();
    passwords.add(password);
    // Both must be decoded before they are sent.
    return `http://end%40user:p%25${password}@127.0.0.1:${server.port}/simplefin`;
  };
  const isKnown = ({ headers }: IncomingMessage): boolean => {
    const [scheme, credentials = ''] = headers.authorization?.split(' ') ?? [];
    const [user, password = ''] = Buffer.from(credentials, 'base64').toString().split(':');
    return scheme === 'Basic' && user === 'end@user' && passwords.has(password.replace('p%', ''));
  };
  const answer = (request: IncomingMessage, { method, path, parameters }: FakeRequest): FakeAnswer => {
    const claim = path.split('/simplefin/claim/')[1];
    if (method === 'POST' && claim !== undefined) {
      if (request.headers['content-length'] !== '0') return { status: 411 };
      const accessUrl = claims.get(claim);
      claims.delete(claim);
      return accessUrl === undefined ? { status: 403, body: 'Forbidden' } : { body: `${accessUrl}\n` };
    }
    if (method !== 'GET' || path !== '/simplefin/accounts') return { status: 404 };
    if (!isKnown(request)) return { status: 403, body: 'Forbidden' };
    return { body: answerAccounts(server, parameters) };
  };
  const httpServer = createServer(async (request, response) => {
    const { pathname: path, searchParams: parameters } = new URL(request.url!, 'http://server');
    const received = { method: request.method!, path, parameters };
    server.requests.push(received);
    send(response, (await server.intercept(received)) ?? answer(request, received));
  });
  await new Promise<void>((resolve) => httpServer.listen(0, '127.0.0.1', resolve));
  const server: FakeServer = {
    port: (httpServer.address() as AddressInfo).port,
    version: 2,
    connections: [],
    errors: [],
    isNewestFirst: true,
    intercept: () => undefined,
    requests: [],
    makeSetupToken: () => {
      const claim = crypto.randomUUID();
      claims.set(claim, makeAccessUrl());
      return toSetupToken(`http://127.0.0.1:${server.port}/simplefin/claim/${claim}`);
    },
    makeAccessUrl,
    revoke: () => passwords.clear(),
    close: async () => {
      httpServer.closeAllConnections();
      await new Promise((resolve) => httpServer.close(resolve));
    },
  };
  return server;
};

/** The setup token for a URL. */
export const toSetupToken = (url: string): string => Buffer.from(url).toString('base64');

const send = (response: ServerResponse, { status = 200, headers, body = '', isCutOff }: FakeAnswer): void => {
  const isText = typeof body === 'string';
  const text = isText ? body : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': isText ? 'text/plain' : 'application/json', ...headers });
  if (isCutOff) response.write(text, () => response.destroy());
  else response.end(text);
};

const answerAccounts = (
  { version, connections, errors, isNewestFirst }: FakeServer,
  parameters: URLSearchParams,
): object => {
  const { first, end, isCut } = readRange(parameters);
  const ids = parameters.getAll('account');
  const isBalancesOnly = parameters.get('balances-only') === '1';
  const withPending = parameters.get('pending') === '1';
  const toAccount = ({ transactions, ...account }: FakeAccount): object => {
    const found = transactions
      .filter((transaction) => timeOf(transaction) >= first && timeOf(transaction) < end)
      .filter(({ pending }) => pending !== true || withPending)
      .toSorted((left, right) => (timeOf(left) - timeOf(right)) * (isNewestFirst ? -1 : 1));
    return isBalancesOnly ? account : { ...account, transactions: found };
  };
  const accounts = connections.flatMap(({ id, bank, accounts: own }) =>
    own
      .filter((account) => ids.length === 0 || ids.includes(account.id))
      .map((account) => ({
        ...(version === 2 ? { conn_id: id } : { org: { name: bank, 'sfin-url': 'https://sfin.example' } }),
        ...toAccount(account),
      })),
  );
  const notice = 'Requested date range exceeds limit of 90 days and was capped.';
  if (version === 1) return { errors: [...errors, ...(isCut ? [notice] : [])], accounts };
  return {
    errlist: [...errors, ...(isCut ? [{ code: 'gen.api', msg: notice }] : [])],
    connections: connections.map(({ id, bank }) => ({ conn_id: id, name: bank, org_id: `ORG ${bank}` })),
    accounts,
  };
};

/** A pending transaction may have no posting time. */
const timeOf = ({ posted, transacted_at: transacted = 0 }: FakeTransaction): number => posted || transacted;

const readRange = (parameters: URLSearchParams): { first: number; end: number; isCut: boolean } => {
  const [first, end] = ['start-date', 'end-date'].map((name) => parameters.get(name));
  const range = { first: Number(first ?? 0), end: Number(end ?? Infinity) };
  const isCut = range.end - range.first >= windowSecondsMax && end !== null;
  return isCut ? { ...range, first: range.end - windowSecondsMax + 1, isCut } : { ...range, isCut };
};
