// Everything in one answer, 1,000,000 transactions: per entry against a page of 1,000; how much the process grows;
// what a client that stops reading costs; and what others wait meanwhile.
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceOn } from '../targets/programs.ts';
import type { Target } from '../load/target.ts';
import { type TargetRequest, measure } from '../load/interleave.ts';
import { runLoad } from '../load/httpLoad.ts';
import { median, ratioOf, statsOf } from '../load/stats.ts';
import { type Bench, authHeaders, type Finding, type Row } from './row.ts';

const mebibyte = 2 ** 20;
const row = 'everything in one answer';

export const unpaginated: Row = {
  name: 'everything',
  anyDatabase: true,
  measure: async (bench) => {
    const { fixture, sizes } = bench;
    const transactions = sizes.accountLarge;
    bench.reportProgress(`an account of ${transactions}`);
    const linked = await fixture.linked(`of ${transactions}`, {
      transactions,
      span: transactions,
      days: 3650,
    });
    const headers = authHeaders(fixture, linked.scopedToken);
    const service = await bench.start(serviceOn(fixture));
    const path = `/accounts/${linked.accountId}/transactions`;
    const all: TargetRequest = { target: service, path, headers };
    const page: TargetRequest = { target: service, path: `${path}?limit=1000`, headers };
    await measure(page, { connections: 4, milliseconds: sizes.warmUpMs });
    const before = await service.usage();
    const walks = await compareReads(bench, all, page);
    const stopped = await stopReading(all);
    const small: TargetRequest = { target: service, path: `${path}?limit=100`, headers };
    const others = await othersMeanwhile(all, small, sizes.roundMs);
    return [
      ...walks.findings,
      {
        row,
        against: '',
        metric: 'growth of the process, MiB',
        ours: statsOf([(walks.residentMax - before.residentBytes) / mebibyte]),
        goal: { atMost: 64 },
      },
      {
        row: 'a client that stops reading',
        against: '',
        metric: 'CPU ms in the second after',
        ours: statsOf([stopped]),
      },
      others,
    ];
  },
};

const open = ({ target, path, headers }: TargetRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: target.port, path, headers, agent: false };
    get(options, resolve).on('error', reject);
  });

const readAll = async (contestant: TargetRequest): Promise<number> => {
  let bytes = 0;
  for await (const chunk of await open(contestant)) bytes += (chunk as Buffer).length;
  return bytes;
};

const watchMemory = (target: Target) => {
  let residentMax = 0;
  let watching = true;
  const watch = async (): Promise<void> => {
    while (watching) {
      residentMax = Math.max(residentMax, (await target.usage()).residentBytes);
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

const compareReads = async (
  bench: Bench,
  all: TargetRequest,
  page: TargetRequest,
): Promise<{ findings: Finding[]; residentMax: number }> => {
  const { accountLarge: entries, rounds, roundMs } = bench.sizes;
  const cpu: { all: number[]; page: number[] } = { all: [], page: [] };
  const wall: { all: number[]; page: number[] } = { all: [], page: [] };
  let residentMax = 0;
  for (let round = 0; round < Math.min(rounds, 3); round++) {
    bench.reportProgress(`round ${round + 1}`);
    const one = await measure(page, { connections: 1, milliseconds: 3 * roundMs });
    cpu.page.push(one.cpuMicros / 1000);
    wall.page.push(median(one.answered.latencies));
    const before = await all.target.usage();
    const stopWatching = watchMemory(all.target);
    const started = performance.now();
    await readAll(all);
    wall.all.push(((performance.now() - started) * 1000) / entries);
    residentMax = Math.max(residentMax, await stopWatching());
    cpu.all.push(((await all.target.usage()).cpuMicros - before.cpuMicros) / entries);
  }
  const finding = (metric: string, { all, page }: { all: number[]; page: number[] }): Finding => ({
    row,
    against: 'a page of 1,000',
    metric,
    ours: statsOf(all),
    theirs: statsOf(page),
    ratio: ratioOf(all, page),
    goal: { atMost: 1 },
  });
  return { findings: [finding('CPU µs per entry', cpu), finding('µs per entry', wall)], residentMax };
};

// What is in the buffers of both sides is still made; after that nothing may happen.
const stopReading = async (all: TargetRequest): Promise<number> => {
  const response = await open(all);
  response.pause();
  response.socket.pause();
  await sleep(1000);
  const before = await all.target.usage();
  await sleep(1000);
  const after = await all.target.usage();
  response.destroy();
  return (after.cpuMicros - before.cpuMicros) / 1000;
};

const othersMeanwhile = async (
  all: TargetRequest,
  small: TargetRequest,
  turnMs: number,
): Promise<Finding> => {
  const request = { port: small.target.port, path: small.path, headers: small.headers };
  const asked = { connections: 1, milliseconds: 3 * turnMs };
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < 3; round++) {
    alone.push(median((await runLoad([request], asked)).latencies));
    const response = await open(all);
    response.on('error', () => {}).resume();
    beside.push(median((await runLoad([request], asked)).latencies));
    response.destroy();
    await sleep(200);
  }
  return {
    row: 'other requests beside everything in one answer',
    against: 'the same alone',
    metric: 'median ms of a page of 100',
    ours: statsOf(beside),
    theirs: statsOf(alone),
    ratio: ratioOf(beside, alone),
    goal: { atMost: 2 },
  };
};
