// Sends generated requests to a service, remembers the ids and secrets that it returns, and checks each response against
// the contract and against the bounds of its parameters.
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { Contract, OperationMeta } from '../../src/interfaces/http/contract.ts';
import type { FuzzRequest } from './requestArbitrary.ts';
import { Known } from './schemaArbitrary.ts';

/** Headers for each principal of a contract, valid when the request is sent. */
export type Credentials = (principal: number, request: FuzzRequest) => Record<string, string>;

/** The values that the service has returned, for `Known` values. */
export type Memory = {
  /** Remembers the ids within a value. */
  learn(value: unknown): void;
  ids: Map<string, string[]>;
  sessions: LinkSession[];
};

export type Sender = {
  /** Sends a request; returns the fault of the response, if any. */
  send(request: FuzzRequest): Promise<string | undefined>;
  /** The number of responses with each status, by operation. */
  statuses: Map<string, number>;
  close(): void;
};

const responseTimeoutMs = 20_000;
const remembered = 40;

// A stack, a file path, or SQL.
const leaks =
  /\bat [^\n]{0,80}\.(ts|js|mjs):\d+|node_modules|\/src\/|SQLITE_|SqliteError|syntax error at|\bselect .{0,200} from |insert into |violates |invalid byte sequence/i;

type LinkSession = { id: string; secret: string; view: { version: number; state: string } };

/** A step that the state of a link session allows. */
const stepOf: Record<string, object> = {
  consent: { kind: 'consent' },
  institution: { kind: 'selectInstitution', institutionId: 'north-bank' },
  credentials: { kind: 'credentials', values: { username: 'ada', password: 'password' } },
  challenge: { kind: 'answer', answer: '123456' },
  accounts: { kind: 'selectAccounts', accountIds: ['0'] },
  failed: { kind: 'retry' },
};

export const makeMemory = (): Memory => {
  const ids = new Map<string, string[]>();
  const remember = (kind: string, id: string): void => {
    const list = ids.get(kind) ?? [];
    if (list.includes(id)) return;
    ids.set(kind, [...list.slice(-remembered + 1), id]);
  };
  const learn = (value: unknown): void => {
    if (typeof value === 'string') {
      const kind = /^([a-z]{3})_[0-9A-Za-z]{22,26}$/.exec(value)?.[1];
      if (kind) remember(kind, value);
    } else if (typeof value === 'object' && value !== null) {
      for (const part of Object.values(value)) learn(part);
    }
  };
  return { learn, ids, sessions: [] };
};

export const makeSender = (
  url: string,
  contract: Contract,
  options: { credentials: Credentials; headerNames: readonly string[]; memory: Memory },
): Sender => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const { ids, sessions, learn } = options.memory;
  const statuses = new Map<string, number>();

  const learnSession = (path: Record<string, string>, body: unknown): void => {
    const { session, view } = (body ?? {}) as {
      session?: { id: string; secret: string };
      view?: LinkSession['view'];
    };
    if (session?.secret && view) {
      sessions.push({ ...session, view });
      if (sessions.length > remembered) sessions.shift();
    } else if (view) {
      const open = sessions.find(({ id }) => id === path.linkSessionId);
      if (open) open.view = view;
    }
  };
  const lookUp = ({ kind, index }: Known, session: LinkSession | undefined): unknown => {
    if (kind === 'lks' && session) return session.id;
    if (kind === 'version') return session?.view.version ?? 1;
    if (kind === 'step') return stepOf[session?.view.state ?? ''] ?? { kind: 'back' };
    const list = ids.get(kind) ?? [];
    return list.length > 0 ? list[index % list.length]! : `${kind}_0000000000000000000000`;
  };
  const fill = (value: unknown, session: LinkSession | undefined): unknown => {
    if (value instanceof Known) return lookUp(value, session);
    if (Array.isArray(value)) return value.map((item) => fill(item, session));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fill(part, session)]));
  };

  const send: Sender['send'] = async (request) => {
    const { operation } = request;
    const usesSession = operation.path.includes('{linkSessionId}');
    const session = usesSession ? sessions[request.principal % Math.max(1, sessions.length)] : undefined;
    const path: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.path)) path[name] = String(fill(value, session));
    const query = request.query.map(([name, value]) => [name, String(fill(value, session))]);
    const target =
      operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encode(path[name]!)) +
      (query.length > 0
        ? `?${query.map((pair) => pair.map((part) => encode(part!)).join('=')).join('&')}`
        : '');
    const headers: Record<string, string> = {};
    if (request.credentials === 'valid') {
      Object.assign(headers, options.credentials(request.principal, request));
      if (session) headers.Authorization = `Bearer ${session.secret}`;
    } else if (request.credentials !== 'none') {
      const text = toHeaderText(request.credentials.text);
      for (const name of options.headerNames) headers[name] = text;
    }
    let body: string | undefined;
    if (request.body) {
      const { type, content, isRaw } = request.body;
      headers['Content-Type'] = type;
      body = isRaw ? String(content) : JSON.stringify(fill(content, session));
    }
    const response = await sendHttp(agent, url, { method: operation.method, path: target, headers, body });
    const key = `${operation.operationId} ${response.status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
    const problem = findProblem(contract, request, response);
    if (problem !== undefined) return `${operation.method} ${target} ${body ?? ''}: ${problem}`;
    if (response.status < 300 && response.type.startsWith('application/json')) {
      const parsed: unknown = JSON.parse(response.body);
      const excess = findExcess(operation, new Map(query as [string, string][]), parsed);
      if (excess !== undefined) return `${operation.method} ${target}: ${excess}`;
      learn(parsed);
      learnSession(path, parsed);
    }
    return undefined;
  };
  return { send, statuses, close: () => agent.destroy() };
};

/** Percent-encodes a text; a lone surrogate becomes the bytes that its code point would have. */
const encode = (text: string): string =>
  text.isWellFormed()
    ? encodeURIComponent(text)
    : encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80');

// The characters that Node.js can send in a header.
const toHeaderText = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 2000);

type HttpResponse = { status: number; type: string; body: string };

const sendHttp = async (
  agent: Agent,
  url: string,
  message: { method: string; path: string; headers: Record<string, string>; body: string | undefined },
): Promise<HttpResponse> => {
  const { body, ...options } = message;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.timeout(responseTimeoutMs);
    const request = httpRequest(url, { ...options, agent, signal }, resolve);
    request.on('error', reject);
    if (body !== undefined) request.setHeader('Content-Length', Buffer.byteLength(body));
    request.end(body);
  });
  return {
    status: response.statusCode!,
    type: response.headers['content-type'] ?? '',
    body: await readText(response),
  };
};

const findProblem = (
  contract: Contract,
  { operation }: FuzzRequest,
  { status, type, body }: HttpResponse,
): string | undefined => {
  if (leaks.test(body)) return `${status} with a stack, a path or SQL: ${body.slice(0, 500)}`;
  if (status >= 500) return `${status} ${body}`;
  const item = contract.paths[operation.path]!;
  const { responses } = item[operation.method.toLowerCase()] as { responses: Record<string, unknown> };
  // A hostile path parameter may change the path to another valid or invalid one.
  if (!(status in responses) && status !== 404 && status !== 405) return `${status} is not declared: ${body}`;
  if (status < 400) return undefined;
  if (operation.refusesInText && type.startsWith('text/plain')) return undefined;
  if (!type.startsWith('application/problem+json')) return `${status} is ${type}`;
  const problem = JSON.parse(body) as { code?: string; status?: number };
  return problem.code && problem.status === status ? undefined : `${status} has no code: ${body}`;
};

/** Finds a number that should have been refused, or a list that is longer than any `limit` allows. */
const findExcess = (
  { queryParameters }: OperationMeta,
  query: ReadonlyMap<string, string>,
  body: unknown,
): string | undefined => {
  const lists = Object.values(body as object).filter(Array.isArray);
  for (const { name, schema } of queryParameters) {
    const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number };
    const value = Number(query.get(name) ?? minimum);
    if (maximum !== Infinity && !(value >= minimum && value <= maximum)) return `${name} is out of bounds`;
    if (name === 'limit' && lists.some(({ length }) => length > maximum))
      return `a list of more than ${maximum}`;
  }
  return undefined;
};
