// The listening server around the application: where it can be reached, and how it stops without cutting off
// answers that are under way.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seconds } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import type { Service } from '../service.ts';
import { type Mounted, makeApp } from './app.ts';

export type { Mounted };

export type Listening = { port: number; close(): Promise<void> };

/** Listens on the configured host and port (0 for any free one). Throws OperatorError where it cannot. */
export const listen = async (service: Service, mounted: Mounted = {}): Promise<Listening> => {
  const { host, port, limits } = service.config;
  const server = createServer(makeApp(service, mounted));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'something else listens there' : error.message;
      reject(new OperatorError(`Cannot listen on ${host}:${port}: ${reason}. Set PORT or HOST to another.`));
    });
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        const force = setTimeout(() => server.closeAllConnections(), seconds(limits.stopSeconds));
        server.close(() => {
          clearTimeout(force);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
};
