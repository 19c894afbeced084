// The HTTP server around the application: its address, its refusals of malformed HTTP, and how it stops without
// cutting off responses in progress.
import { randomInt } from 'node:crypto';
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from '../../platform/settings/limits.ts';
import { seconds } from '../../platform/values/clock.ts';
import { type ExtraRoutes, makeApp, newRequestId, strictTransportSeconds } from './app.ts';
import { type Address, type Listening, listenAt } from './listenAt.ts';
import type { HttpNeeds } from './needs.ts';
import { httpProblem, toProblem } from './problems.ts';

/** Listens on the configured host and port (0 for any free one). Throws OperatorError where it cannot. */
export const listen = async (service: HttpNeeds, extraRoutes: ExtraRoutes = {}): Promise<Listening> => {
  const { limits, baseUrl } = service.config;
  const options = {
    keepAliveTimeout: seconds(limits.keepAliveSeconds),
    // The application refuses requests without a Host header with a problem document.
    requireHostHeader: false,
  };
  const app = makeApp(service, extraRoutes);
  const server = createServer(options, app);
  const closeFromNowOn = closeAfterResponses(server);
  server.on('clientError', (error, socket) => refuseMalformed(baseUrl, error, socket as Socket));
  // RFC 9110, section 10.1.1: only `100-continue` is known.
  server.on('checkExpectation', (_request, response) => {
    const { status, headers, body } = problemOf(baseUrl, 417);
    response.writeHead(status, headers).end(body);
  });
  return {
    port: await listenAt(server, service.config),
    close: async () => {
      // Load balancers see it, and send the next requests elsewhere.
      app.locals.isStopping = true;
      closeFromNowOn();
      if (limits.shutdownDelaySeconds > 0) await sleep(seconds(limits.shutdownDelaySeconds));
      await closeServer(server, limits);
    },
  };
};

/**
 * From the call on, connections that are kept open end with a response that says so: a client never sends a request to one
 * that is closing.
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

/** Stops listening, answers what arrives on open connections, and cuts off what is not answered in time. */
const closeServer = async (server: Server, limits: Limits): Promise<void> => {
  // The method of HTTP servers would also close connections on which a request may be on its way.
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

/** Answers a request that Node.js could not parse, where the connection still takes an answer. */
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

// Below the ports that systems give to outgoing connections, which could take one before the service listens.
const [firstPort, lastPort, attemptsMax] = [20_000, 32_768, 20];

/**
 * A port that is free: the configured one, or any free one for 0. Called before anything is created that is shown only
 * once and would be lost if the start failed later. Throws OperatorError.
 */
export const checkPort = async (address: Address): Promise<number> => {
  for (let attempt = 1; address.port === 0 && attempt < attemptsMax; attempt++) {
    const port = randomInt(firstPort, lastPort);
    if (await checkPort({ ...address, port }).catch(() => false)) return port;
  }
  const server = createServer();
  const port = await listenAt(server, address);
  await new Promise((resolve) => server.close(resolve));
  return port;
};
