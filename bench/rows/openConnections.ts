// 1,000 clients held open against 50: how long the 50 that ask steadily wait, when 900 more are connected and ask
// now and then, and 50 more read their answers so slowly that the service must wait for them.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceOn } from '../targets/programs.ts';
import { runLoad, encodeRequest, type LoadRequest } from '../load/httpLoad.ts';
import { median, ratioOf, statsOf } from '../load/stats.ts';
import { authHeaders, type Finding, type Row } from './row.ts';

const steady = 50;
const slow = 50;
const quiet = 900;
const rounds = 5;
/** Within how long each of the quiet ones asks, once: few enough together to leave the service its time. */
const quietWithinMs = 30_000;
/** What fits into the buffers of the slow ones is made at once, and is not what is measured. */
const settleMs = 2000;

export const openConnections: Row = {
  name: 'held',
  anyDatabase: true,
  measure: async (bench) => {
    const { fixture, sizes } = bench;
    const transactions = sizes.accountMedium;
    const linked = await fixture.linked(`of ${transactions}`, {
      transactions,
      span: transactions,
      days: 3650,
    });
    const headers = authHeaders(fixture, linked.scopedToken);
    const service = await bench.start(serviceOn(fixture));
    const path = `/accounts/${linked.accountId}/transactions`;
    const page: LoadRequest = { port: service.port, path: `${path}?limit=100`, headers };
    const pace = { connections: steady, milliseconds: 2 * sizes.roundMs };
    await runLoad([page], { ...pace, milliseconds: sizes.warmUpMs });
    const few: number[] = [];
    const many: number[] = [];
    let refused = 0;
    for (let round = 0; round < rounds; round++) {
      bench.reportProgress(`round ${round + 1} of ${rounds}`);
      few.push(median((await runLoad([page], pace)).latencies));
      const crowd = await connectIdleClients({ ...page, path }, { ...page, path: `${path}?limit=1` });
      await sleep(settleMs);
      many.push(median((await runLoad([page], pace)).latencies));
      refused += crowd.refused();
      crowd.leave();
      await sleep(200);
    }
    const row = '1,000 clients held open, 50 of them slow';
    const waiting: Finding = {
      row,
      against: '50 clients',
      metric: 'median ms of a page of 100',
      ours: statsOf(many),
      theirs: statsOf(few),
      ratio: ratioOf(many, few),
      goal: { atMost: 3 },
    };
    return [
      waiting,
      {
        row,
        against: '',
        metric: 'refused or broken off',
        ours: statsOf([refused]),
        goal: { atMost: 0 },
      },
    ];
  },
};

type IdleClients = { refused(): number; leave(): void };

/** Connects those who ask for everything and hardly read, and those who ask now and then. */
const connectIdleClients = async (everything: LoadRequest, page: LoadRequest): Promise<IdleClients> => {
  let refused = 0;
  let left = false;
  const enter = (request: LoadRequest, behave: (socket: Socket, bytes: Buffer) => void): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(request.port, '127.0.0.1');
      socket.once('connect', () => {
        behave(socket, encodeRequest(request));
        resolve(socket);
      });
      socket.on('error', () => {});
      socket.once('close', () => {
        // Who has its whole answer and asks no more may be let go.
        if (!left && (request === everything || socket.bytesRead === 0)) refused += 1;
        resolve(socket);
      });
    });
  const timers: NodeJS.Timeout[] = [];
  const readSlowly = (socket: Socket, bytes: Buffer): void => {
    socket.on('data', (chunk: Buffer) => {
      if (chunk.toString('latin1', 0, 9) === 'HTTP/1.1 ' && chunk.toString('latin1', 9, 12) !== '200')
        refused += 1;
      socket.pause();
      timers.push(setTimeout(() => socket.resume(), 500));
    });
    socket.write(bytes);
  };
  const askNowAndThen = (socket: Socket, bytes: Buffer): void => {
    socket.on('data', (chunk: Buffer) => {
      if (chunk.toString('latin1', 0, 9) === 'HTTP/1.1 ' && chunk.toString('latin1', 9, 12) !== '200')
        refused += 1;
    });
    timers.push(setTimeout(() => socket.write(bytes), Math.random() * quietWithinMs));
  };
  const sockets = await Promise.all([
    ...Array.from({ length: slow }, () => enter(everything, readSlowly)),
    ...Array.from({ length: quiet }, () => enter(page, askNowAndThen)),
  ]);
  return {
    refused: () => refused,
    leave: () => {
      left = true;
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
};
