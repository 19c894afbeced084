// A free port, for servers that must know their address before they listen.
import { randomInt } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/**
 * Below the ports that systems assign to outgoing connections, one of which could take a port before its server listens, and below
 * the ports of services with PORT=0. Above 10080, the highest port that `fetch` and browsers refuse (Fetch Standard, "bad port").
 */
const [firstPort, lastPort] = [10_081, 20_000];

/** A port of this machine on which no process listens, and which no other test of this run gets. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(firstPort, lastPort);
    if (reserve(port) && (await canListen(port))) return port;
  }
};

/** TEST_PORTS is a directory of the run, with an empty file for each assigned port. */
const reserve = (port: number): boolean => {
  if (!process.env.TEST_PORTS) return true;
  try {
    closeSync(openSync(join(process.env.TEST_PORTS, String(port)), 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

const canListen = async (port: number): Promise<boolean> => {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isFree) await new Promise((resolve) => server.close(resolve));
  return isFree;
};
