// 1,000 open connections compared with 50: the time that 50 busy clients wait while 900 more send a request now and then, and 50
// more read their responses so slowly that the service has to wait for them.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeRequest, type LoadRequest, runLoad } from '../load/httpLoad.ts';
import { median, ratioOf, statsOf } from '../load/stats.ts';
import { type Row, serveAccount } from './row.ts';

const busyClients = 50;
const slowClients = 50;
const idleClients = 900;
const rounds = 5;
/** Each idle client sends one request within this time, so that all together leave CPU time for the busy ones. */
const idleWithinMs = 30_000;
/** The responses that fit into the slow clients' buffers are produced at once, and are not measured. */
const settleMs = 2000;

export const openConnections: Row = {
  name: 'connections',
  anyDatabase: true,
  measure: async (bench) => {
    const { sizes } = bench;
    const { service, headers, path } = await serveAccount(bench, sizes.accountMedium);
    const page: LoadRequest = { port: service.port, path: `${path}?limit=100`, headers };
    const load = { connections: busyClients, milliseconds: 2 * sizes.roundMs };
    await runLoad([page], { ...load, milliseconds: sizes.warmUpMs });
    const few: number[] = [];
    const many: number[] = [];
    let failures = 0;
    for (let round = 0; round < rounds; round++) {
      bench.reportProgress(`round ${round + 1} of ${rounds}`);
      few.push(median((await runLoad([page], load)).latencies));
      const clients = await connectClients({ ...page, path }, { ...page, path: `${path}?limit=1` });
      await sleep(settleMs);
      many.push(median((await runLoad([page], load)).latencies));
      failures += clients.failures();
      clients.close();
      await sleep(200);
    }
    const row = '1,000 open connections, 50 of them slow';
    return [
      {
        row,
        comparedWith: '50 connections',
        metric: 'median ms of a page of 100',
        service: statsOf(many),
        other: statsOf(few),
        ratio: ratioOf(many, few),
        goal: { atMost: 3 },
      },
      {
        row,
        comparedWith: '',
        metric: 'refused or closed connections',
        service: statsOf([failures]),
        goal: { atMost: 0 },
      },
    ];
  },
};

type Clients = { failures(): number; close(): void };

/** Connects the clients that read everything slowly, and those that send one request at a random time. */
const connectClients = async (everything: LoadRequest, page: LoadRequest): Promise<Clients> => {
  let failures = 0;
  let closing = false;
  const timers: NodeJS.Timeout[] = [];
  const connectClient = (
    request: LoadRequest,
    start: (socket: Socket, bytes: Buffer) => void,
  ): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(request.port, '127.0.0.1');
      socket.once('connect', () => {
        start(socket, encodeRequest(request));
        resolve(socket);
      });
      socket.on('error', () => {});
      socket.once('close', () => {
        // The service may close an idle connection after a complete response.
        if (!closing && (request === everything || socket.bytesRead === 0)) failures += 1;
        resolve(socket);
      });
    });
  const countFailure = (chunk: Buffer): void => {
    if (chunk.toString('latin1', 0, 9) === 'HTTP/1.1 ' && chunk.toString('latin1', 9, 12) !== '200')
      failures += 1;
  };
  const readSlowly = (socket: Socket, bytes: Buffer): void => {
    socket.on('data', (chunk: Buffer) => {
      countFailure(chunk);
      socket.pause();
      timers.push(setTimeout(() => socket.resume(), 500));
    });
    socket.write(bytes);
  };
  const requestOnce = (socket: Socket, bytes: Buffer): void => {
    socket.on('data', countFailure);
    timers.push(setTimeout(() => socket.write(bytes), Math.random() * idleWithinMs));
  };
  const sockets = await Promise.all([
    ...Array.from({ length: slowClients }, () => connectClient(everything, readSlowly)),
    ...Array.from({ length: idleClients }, () => connectClient(page, requestOnce)),
  ]);
  return {
    failures: () => failures,
    close: () => {
      closing = true;
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
};
