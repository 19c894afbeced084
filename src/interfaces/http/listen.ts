// The HTTP server around the application: its address, its refusals of malformed HTTP, and how it stops without
// cutting off responses in progress.
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express } from 'express';
import type { Config } from '../../platform/settings/config.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { seconds } from '../../platform/values/clock.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import { type ExtraRoutes, makeApp, makeStartingApp, newRequestId, strictTransportSeconds } from './app.ts';
import type { HttpNeeds } from './needs.ts';
import { httpProblem, toProblem } from './problems.ts';

export type OpenServer = Listening & {
  /** The settings, with the actual port and base URL if the system chose the port. */
  config: Config;
  /** Serves requests with the service from now on. */
  serve(service: HttpNeeds, extraRoutes?: ExtraRoutes): void;
};

/**
 * Listens on the configured host and port (0 for any free one), and responds with 503 until `serve` is called. Throws OperatorError
 * if it cannot listen.
 */
export const openServer = async (settings: Config, log: Log): Promise<OpenServer> => {
  const { limits } = settings;
  const server = createServer({
    keepAliveTimeout: seconds(limits.keepAliveSeconds),
    // The application refuses requests without a Host header with a problem document.
    requireHostHeader: false,
  });
  const closeFromNowOn = closeAfterResponses(server);
  const port = await listenAt(server, settings);
  const config = { ...settings, port, baseUrl: settings.baseUrl.replace(/:0$/, `:${port}`) };
  const { baseUrl } = config;
  const starting = makeStartingApp(baseUrl, log);
  let app: Express | undefined;
  server.on('request', (request, response) => (app ?? starting)(request, response));
  server.on('clientError', (error, socket) => refuseMalformed(baseUrl, error, socket as Socket));
  // RFC 9110, section 10.1.1: only `100-continue` is known.
  server.on('checkExpectation', (_request, response) => {
    const { status, headers, body } = problemOf(baseUrl, 417);
    response.writeHead(status, headers).end(body);
  });
  return {
    ...{ port, config },
    serve: (service, extraRoutes) => {
      app = makeApp(service, extraRoutes);
    },
    close: async () => {
      closeFromNowOn();
      if (app) {
        // Load balancers notice it and route new requests elsewhere.
        app.locals.isStopping = true;
        if (limits.shutdownDelaySeconds > 0) await sleep(seconds(limits.shutdownDelaySeconds));
      }
      await closeServer(server, limits);
    },
  };
};

/**
 * Once the returned function is called, each keep-alive connection ends with a response that has `Connection: close`, so no
 * client sends a request on a closing connection.
 */
const closeAfterResponses = (server: Server): (() => void) => {
  const open = new Set<ServerResponse>();
  let isClosing = false;
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive &&= !isClosing;
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  return () => {
    isClosing = true;
    for (const response of open) response.shouldKeepAlive = false;
  };
};

/** Drains: stops listening, serves requests on open connections, and cuts off those that take too long. */
const closeServer = async (server: Server, limits: Limits): Promise<void> => {
  // The `close` of HTTP servers would also close connections with a request in flight.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const idle = setTimeout(() => server.closeIdleConnections(), limits.shutdownIdleMs);
  const force = setTimeout(() => server.closeAllConnections(), seconds(limits.shutdownTimeoutSeconds));
  await closed;
  clearTimeout(idle);
  clearTimeout(force);
  server.close();
};

const statusByParserError: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Responds to a request that Node.js could not parse, if the connection is still writable. */
const refuseMalformed = (baseUrl: string, error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = problemOf(baseUrl, statusByParserError[error.code ?? ''] ?? 400);
  const head = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n\r\n${body}`);
};

const problemOf = (baseUrl: string, status: number) => {
  const requestId = newRequestId();
  const body = JSON.stringify(toProblem(httpProblem(status), { baseUrl, requestId }));
  return {
    status,
    headers: {
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      ...(baseUrl.startsWith('https:') && {
        'Strict-Transport-Security': `max-age=${strictTransportSeconds}; includeSubDomains`,
      }),
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    },
    body,
  };
};

export type Listening = { port: number; close(): Promise<void> };

/** `settings` are the settings that the address comes from. */
export type Address = { host: string; port: number; settings?: { port: string; host: string } };

/** Listens at the address and returns the port, which the system chooses for 0. Throws OperatorError if it cannot listen. */
export const listenAt = async (
  server: Server,
  { host, port, settings = { port: 'PORT', host: 'HOST' } }: Address,
): Promise<number> => {
  server.prependListener('request', toOriginForm);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'the address is already in use' : error.message;
      const setting = `Change ${settings.port} or ${settings.host}.`;
      reject(new OperatorError(`Cannot listen on ${host}:${port}: ${reason}. ${setting}`));
    });
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
};

/**
 * A target in absolute form means its path (RFC 9112, section 3.2.2). Its authority is dropped before anything reads the target,
 * because this server has no other names.
 */
const toOriginForm = (request: IncomingMessage): void => {
  const [, rest] = /^[a-z][\w+.-]*:\/\/[^/?#]*(.*)$/is.exec(request.url!) ?? [];
  if (rest !== undefined) request.url = rest.startsWith('/') ? rest : `/${rest}`;
};
