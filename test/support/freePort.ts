// A free port, for servers that must know their address before they listen.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A port of this machine that no process listens on. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};
