// 1,000,000 transactions in one response: the cost per transaction compared with a page of 1,000; the memory of the process; the
// cost of a client that stops reading; and how long other requests wait in the meantime.
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { runLoad } from '../load/httpLoad.ts';
import { measure, type TargetRequest } from '../load/interleave.ts';
import { median, ratioOf, statsOf } from '../load/stats.ts';
import type { Target } from '../load/target.ts';
import { type Bench, type Measurement, type Row, serveAccount } from './row.ts';

const mebibyte = 2 ** 20;
const row = 'all transactions in one response';

export const unpaginated: Row = {
  name: 'unpaginated',
  anyDatabase: true,
  measure: async (bench) => {
    const { sizes } = bench;
    const transactions = sizes.accountLarge;
    bench.reportProgress(`an account of ${transactions}`);
    const { service, headers, path } = await serveAccount(bench, transactions);
    const all: TargetRequest = { target: service, path, headers };
    const longPage: TargetRequest = { target: service, path: `${path}?limit=1000`, headers };
    await measure(longPage, { connections: 4, milliseconds: sizes.warmUpMs });
    const before = await service.usage();
    const reads = await compareReads(bench, all, longPage);
    const simplefin = await readSimplefin(all, transactions);
    const stoppedMs = await cpuAfterPause(all);
    const shortPage: TargetRequest = { target: service, path: `${path}?limit=100`, headers };
    return [
      ...reads.measurements,
      {
        row,
        comparedWith: '',
        metric: 'growth of the process, MiB',
        service: statsOf([(reads.residentMax - before.residentBytes) / mebibyte]),
        goal: { atMost: 64 },
      },
      {
        row: 'a client that stops reading',
        comparedWith: '',
        metric: 'CPU ms in the second after',
        service: statsOf([stoppedMs]),
      },
      {
        row: 'all transactions over SimpleFIN',
        comparedWith: '',
        metric: 'growth of the process, MiB',
        service: statsOf([(simplefin.residentMax - before.residentBytes) / mebibyte]),
        goal: { atMost: 64 },
      },
      {
        row: 'all transactions over SimpleFIN',
        comparedWith: row,
        metric: 'CPU µs per transaction',
        service: statsOf([simplefin.cpuMicros]),
        other: reads.measurements[0]!.service,
      },
      await compareLatency(all, shortPage, sizes.roundMs),
    ];
  },
};

const open = ({ target, path, headers }: TargetRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: target.port, path, headers, agent: false };
    get(options, resolve).on('error', reject);
  });

const readToEnd = async (request: TargetRequest): Promise<void> => {
  for await (const _chunk of await open(request));
};

/** Samples the target's memory until the returned function is called, which returns the maximum. */
const watchMemory = (target: Target): (() => Promise<number>) => {
  let residentMax = 0;
  let watching = true;
  const watch = async (): Promise<void> => {
    while (watching) {
      residentMax = Math.max(residentMax, (await target.usage()).residentBytes);
      await sleep(100);
    }
  };
  const done = watch();
  return async () => {
    watching = false;
    await done;
    return residentMax;
  };
};

const compareReads = async (
  bench: Bench,
  all: TargetRequest,
  page: TargetRequest,
): Promise<{ measurements: Measurement[]; residentMax: number }> => {
  const { accountLarge: transactions, rounds, roundMs } = bench.sizes;
  const cpu: { all: number[]; page: number[] } = { all: [], page: [] };
  const wall: { all: number[]; page: number[] } = { all: [], page: [] };
  let residentMax = 0;
  for (let round = 0; round < Math.min(rounds, 3); round++) {
    bench.reportProgress(`round ${round + 1}`);
    const pages = await measure(page, { connections: 1, milliseconds: 3 * roundMs });
    cpu.page.push(pages.cpuMicros / 1000);
    // Milliseconds for a page of 1,000 are microseconds for a transaction.
    wall.page.push(median(pages.result.latencies));
    const before = await all.target.usage();
    const stopWatching = watchMemory(all.target);
    const started = performance.now();
    await readToEnd(all);
    wall.all.push(((performance.now() - started) * 1000) / transactions);
    residentMax = Math.max(residentMax, await stopWatching());
    cpu.all.push(((await all.target.usage()).cpuMicros - before.cpuMicros) / transactions);
  }
  const measurement = (
    metric: string,
    { all, page }: { all: number[]; page: number[] },
    goal: number,
  ): Measurement => ({
    row,
    comparedWith: 'a page of 1,000',
    metric,
    service: statsOf(all),
    other: statsOf(page),
    ratio: ratioOf(all, page),
    goal: { atMost: goal },
  });
  return {
    measurements: [
      measurement('CPU µs per transaction', cpu, 1),
      measurement('µs per transaction', wall, 1.05),
    ],
    residentMax,
  };
};

/** Reads all transactions once over SimpleFIN. `cpuMicros` is per transaction. */
const readSimplefin = async (
  { target, headers }: TargetRequest,
  transactions: number,
): Promise<{ residentMax: number; cpuMicros: number }> => {
  const origin = `http://127.0.0.1:${target.port}`;
  const created = await fetch(`${origin}/simplefin/accesses`, {
    method: 'POST',
    headers: { ...(headers as Record<string, string>), 'Content-Type': 'application/json' },
    body: JSON.stringify({ label: 'bench', allAccounts: true }),
  });
  const { setupToken } = (await created.json()) as { setupToken: string };
  const { pathname } = new URL(Buffer.from(setupToken, 'base64').toString());
  const accessUrl = new URL(await (await fetch(origin + pathname, { method: 'POST' })).text());
  const credentials = Buffer.from(`${accessUrl.username}:${accessUrl.password}`).toString('base64');
  const before = await target.usage();
  const stopWatching = watchMemory(target);
  await readToEnd({
    ...{ target, headers: { Authorization: `Basic ${credentials}` } },
    path: '/simplefin/accounts?start-date=-60000000000&pending=1',
  });
  const residentMax = await stopWatching();
  return { residentMax, cpuMicros: ((await target.usage()).cpuMicros - before.cpuMicros) / transactions };
};

/** CPU milliseconds in the second after both sides' buffers are full, when nothing more should be produced. */
const cpuAfterPause = async (all: TargetRequest): Promise<number> => {
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

const compareLatency = async (
  all: TargetRequest,
  page: TargetRequest,
  roundMs: number,
): Promise<Measurement> => {
  const request = { port: page.target.port, path: page.path, headers: page.headers };
  const load = { connections: 1, milliseconds: 3 * roundMs };
  const alone: number[] = [];
  const concurrent: number[] = [];
  for (let round = 0; round < 3; round++) {
    alone.push(median((await runLoad([request], load)).latencies));
    const response = await open(all);
    response.on('error', () => {}).resume();
    concurrent.push(median((await runLoad([request], load)).latencies));
    response.destroy();
    await sleep(200);
  }
  return {
    row: 'other requests during all transactions in one response',
    comparedWith: 'the same alone',
    metric: 'median ms of a page of 100',
    service: statsOf(concurrent),
    other: statsOf(alone),
    ratio: ratioOf(concurrent, alone),
    goal: { atMost: 2 },
  };
};
