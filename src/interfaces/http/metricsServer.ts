// Serves Prometheus metrics on a separate port, which is not reachable from outside by default.
import { createServer, type RequestListener } from 'node:http';
import type { Config } from '../../platform/settings/config.ts';
import { type Listening, listenAt } from './listen.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Serves `GET /metrics` at METRICS_HOST and METRICS_PORT. Throws OperatorError if it cannot listen. */
export const serveMetrics = async (
  { metricsHost: host, metricsPort: port }: Pick<Config, 'metricsHost' | 'metricsPort'>,
  text: () => Promise<string>,
): Promise<Listening | undefined> => {
  if (port === undefined) return undefined;
  const respond: RequestListener = async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      const metrics = await text();
      response.writeHead(200, { 'Content-Type': contentType }).end(metrics);
    } catch {
      // A process of the cluster did not respond to its parent.
      response.writeHead(503, { 'Retry-After': '5' }).end();
    }
  };
  const server = createServer(respond);
  const settings = { port: 'METRICS_PORT', host: 'METRICS_HOST' };
  return {
    port: await listenAt(server, { host, port, settings }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
