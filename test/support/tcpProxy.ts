// A connection to a server that a test can stop, restart or freeze.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP proxy to a database server that can be stopped and restarted on the same port, or frozen, so that it sends nothing.
 */
export const startTcpProxy = async (to: { host: string; port: number }) => {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    // Errors are expected when the proxy is stopped.
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const listen = (port: number): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer((client) => {
        const upstream = track(connect(to));
        track(client).pipe(upstream).pipe(client);
        if (isFrozen) for (const socket of [client, upstream]) socket.pause();
      }).listen(port, '127.0.0.1', () => resolve(server));
    });
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    port,
    stop,
    start: async () => {
      server = await listen(port);
    },
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
  };
};
