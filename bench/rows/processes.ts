// Two processes on one database compared with one, on SQLite and on PostgreSQL: CPU time per request of all processes
// together. The PostgreSQL server's own CPU time is the same for both and is not counted.
import { type LoadRequest, runLoad } from '../load/httpLoad.ts';
import { ratioOf, statsOf } from '../load/stats.ts';
import type { Target } from '../load/target.ts';
import { serviceOn } from '../targets/programs.ts';
import { authHeaders, type Bench, linkAccount, type Measurement, type Row, withPostgres } from './row.ts';

export const processes: Row = {
  name: 'processes',
  measure: async (bench) => [
    await compareProcesses(bench, 'SQLite'),
    await withPostgres(bench, (onPostgres) => compareProcesses(onPostgres, 'PostgreSQL')),
  ],
};

const compareProcesses = async (bench: Bench, database: string): Promise<Measurement> => {
  const { fixture, sizes } = bench;
  const linked = await linkAccount(bench, sizes.accountSmall);
  const request = {
    path: `/accounts/${linked.accountId}/transactions?limit=100`,
    headers: authHeaders(fixture, linked.scopedToken),
  };
  const targets = [await bench.start(serviceOn(fixture)), await bench.start(serviceOn(fixture))];
  const cpu: { one: number[]; two: number[] } = { one: [], two: [] };
  for (let round = 0; round <= sizes.rounds; round++) {
    bench.reportProgress(`${database}, round ${round}`);
    const load = {
      connections: sizes.connections,
      milliseconds: round === 0 ? sizes.warmUpMs : sizes.roundMs,
    };
    // The two processes take turns running alone.
    const one = await cpuPerRequest([targets[round % 2]!], request, load);
    const two = await cpuPerRequest(targets, request, load);
    // Two rounds warm up, one for each process that runs alone.
    if (round < 2) continue;
    cpu.one.push(one);
    cpu.two.push(two);
  }
  await Promise.all(targets.map((target) => target.stop()));
  return {
    row: `page of 100 on ${database}, 2 processes`,
    comparedWith: '1 process',
    metric: 'CPU µs per request',
    service: statsOf(cpu.two),
    other: statsOf(cpu.one),
    ratio: ratioOf(cpu.two, cpu.one),
    goal: { atMost: 1.1 },
  };
};

const cpuPerRequest = async (
  targets: readonly Target[],
  request: Omit<LoadRequest, 'port'>,
  load: { connections: number; milliseconds: number },
): Promise<number> => {
  const sumCpu = async (): Promise<number> => {
    const usages = await Promise.all(targets.map((target) => target.usage()));
    return usages.reduce((sum, usage) => sum + usage.cpuMicros, 0);
  };
  const before = await sumCpu();
  const requests = targets.map(({ port }) => ({ ...request, port }));
  const result = await runLoad(requests, load);
  return ((await sumCpu()) - before) / result.requests;
};
