// Everything in one answer, 1,000,000 transactions: per entry against a page of 1,000; how much the process grows;
// what a client that stops reading costs; and what others wait meanwhile.
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceOn } from '../contenders/programs.ts';
import type { Contender } from '../load/contender.ts';
import { type Contestant, measure } from '../load/inTurns.ts';
import { drive } from '../load/keepAlive.ts';
import { median, ratioOf, spreadOf } from '../load/spread.ts';
import { type Bench, credentials, type Finding, type Row } from './row.ts';

const mebibyte = 2 ** 20;
const row = 'everything in one answer';

export const everything: Row = {
  name: 'everything',
  anyDatabase: true,
  measure: async (bench) => {
    const { stage, sizes } = bench;
    const entries = sizes.accountLarge;
    bench.say(`an account of ${entries}`);
    const linked = await stage.linked(`of ${entries}`, { entries, span: entries, days: 3650 });
    const headers = credentials(stage, linked.scopedToken);
    const service = await bench.start(serviceOn(stage));
    const path = `/accounts/${linked.accountId}/transactions`;
    const all: Contestant = { contender: service, path, headers };
    const page: Contestant = { contender: service, path: `${path}?limit=1000`, headers };
    await measure(page, { connections: 4, milliseconds: sizes.warmUpMs });
    const before = await service.usage();
    const walks = await compareWalks(bench, all, page);
    const stopped = await stopReading(all);
    const small: Contestant = { contender: service, path: `${path}?limit=100`, headers };
    const others = await othersMeanwhile(all, small, sizes.turnMs);
    return [
      ...walks.findings,
      {
        row,
        against: '',
        figure: 'growth of the process, MiB',
        ours: spreadOf([(walks.residentMax - before.residentBytes) / mebibyte]),
        toReach: { atMost: 64 },
      },
      {
        row: 'a client that stops reading',
        against: '',
        figure: 'CPU ms in the second after',
        ours: spreadOf([stopped]),
      },
      others,
    ];
  },
};

const open = ({ contender, path, headers }: Contestant): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: contender.port, path, headers, agent: false };
    get(options, resolve).on('error', reject);
  });

const readAll = async (contestant: Contestant): Promise<number> => {
  let bytes = 0;
  for await (const chunk of await open(contestant)) bytes += (chunk as Buffer).length;
  return bytes;
};

const watchMemory = (contender: Contender) => {
  let residentMax = 0;
  let watching = true;
  const watch = async (): Promise<void> => {
    while (watching) {
      residentMax = Math.max(residentMax, (await contender.usage()).residentBytes);
      await sleep(100);
    }
  };
  const done = watch();
  return async (): Promise<number> => {
    watching = false;
    await done;
    return residentMax;
  };
};

const compareWalks = async (
  bench: Bench,
  all: Contestant,
  page: Contestant,
): Promise<{ findings: Finding[]; residentMax: number }> => {
  const { accountLarge: entries, rounds, turnMs } = bench.sizes;
  const cpu: { all: number[]; page: number[] } = { all: [], page: [] };
  const wall: { all: number[]; page: number[] } = { all: [], page: [] };
  let residentMax = 0;
  for (let round = 0; round < Math.min(rounds, 3); round++) {
    bench.say(`round ${round + 1}`);
    const one = await measure(page, { connections: 1, milliseconds: 3 * turnMs });
    cpu.page.push(one.cpuMicros / 1000);
    wall.page.push(median(one.answered.latencies));
    const before = await all.contender.usage();
    const stopWatching = watchMemory(all.contender);
    const started = performance.now();
    await readAll(all);
    wall.all.push(((performance.now() - started) * 1000) / entries);
    residentMax = Math.max(residentMax, await stopWatching());
    cpu.all.push(((await all.contender.usage()).cpuMicros - before.cpuMicros) / entries);
  }
  const finding = (figure: string, { all, page }: { all: number[]; page: number[] }): Finding => ({
    row,
    against: 'a page of 1,000',
    figure,
    ours: spreadOf(all),
    theirs: spreadOf(page),
    ratio: ratioOf(all, page),
    toReach: { atMost: 1 },
  });
  return { findings: [finding('CPU µs per entry', cpu), finding('µs per entry', wall)], residentMax };
};

// What is in the buffers of both sides is still made; after that nothing may happen.
const stopReading = async (all: Contestant): Promise<number> => {
  const response = await open(all);
  response.pause();
  response.socket.pause();
  await sleep(1000);
  const before = await all.contender.usage();
  await sleep(1000);
  const after = await all.contender.usage();
  response.destroy();
  return (after.cpuMicros - before.cpuMicros) / 1000;
};

const othersMeanwhile = async (all: Contestant, small: Contestant, turnMs: number): Promise<Finding> => {
  const request = { port: small.contender.port, path: small.path, headers: small.headers };
  const asked = { connections: 1, milliseconds: 3 * turnMs };
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < 3; round++) {
    alone.push(median((await drive([request], asked)).latencies));
    const response = await open(all);
    response.on('error', () => {}).resume();
    beside.push(median((await drive([request], asked)).latencies));
    response.destroy();
    await sleep(200);
  }
  return {
    row: 'other requests beside everything in one answer',
    against: 'the same alone',
    figure: 'median ms of a page of 100',
    ours: spreadOf(beside),
    theirs: spreadOf(alone),
    ratio: ratioOf(beside, alone),
    toReach: { atMost: 2 },
  };
};
