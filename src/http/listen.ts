// The listening server around the application: where it can be reached, and how it stops without cutting off
// answers that are under way.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seconds } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import type { Service } from '../service.ts';
import { type ExtraRoutes, makeApp } from './app.ts';

export type { ExtraRoutes as Mounted };

export type Listening = { port: number; close(): Promise<void> };

/** Listens on the configured host and port (0 for any free one). Throws OperatorError where it cannot. */
export const listen = async (service: Service, mounted: ExtraRoutes = {}): Promise<Listening> => {
  const { limits } = service.config;
  const keepAliveTimeout = seconds(limits.keepAliveSeconds);
  const server = createServer({ keepAliveTimeout }, makeApp(service, mounted));
  return {
    port: await listenAt(server, service.config),
    close: () =>
      new Promise((resolve) => {
        const force = setTimeout(() => server.closeAllConnections(), seconds(limits.shutdownTimeoutSeconds));
        server.close(() => {
          clearTimeout(force);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
};

/**
 * A port that can be listened on: the configured one, or any free one for 0. Asked before anything is made that
 * is shown only once, and would be lost if the start failed later. Throws OperatorError.
 */
export const checkPort = async (address: Address): Promise<number> => {
  const server = createServer();
  const port = await listenAt(server, address);
  await new Promise((resolve) => server.close(resolve));
  return port;
};

type Address = { host: string; port: number };

const listenAt = async (server: Server, { host, port }: Address): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'something else listens there' : error.message;
      reject(new OperatorError(`Cannot listen on ${host}:${port}: ${reason}. Set PORT or HOST to another.`));
    });
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
};
