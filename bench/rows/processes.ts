// Two processes on one database against one, on SQLite and on PostgreSQL: CPU seconds per request of the
// processes together. What the PostgreSQL server needs itself is the same for both and not counted.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../test/support/postgres.ts';
import { serviceOn } from '../targets/programs.ts';
import { type BenchFixture, makeBenchFixture } from '../data/fixture.ts';
import type { Target } from '../load/target.ts';
import { runLoad, type LoadRequest } from '../load/httpLoad.ts';
import { ratioOf, statsOf } from '../load/stats.ts';
import { type Bench, authHeaders, type Finding, type Row } from './row.ts';

export const processes: Row = {
  name: 'processes',
  measure: async (bench) => {
    const onSqlite = await compareOn(bench, bench.fixture, 'SQLite');
    const server = await startPostgres();
    try {
      const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bench-'));
      const stage = await makeBenchFixture({ directory, databaseUrl: server.url });
      try {
        return [onSqlite, await compareOn(bench, stage, 'PostgreSQL')];
      } finally {
        await stage.close();
      }
    } finally {
      await server.stop();
    }
  },
};

const compareOn = async (bench: Bench, stage: BenchFixture, database: string): Promise<Finding> => {
  const { sizes } = bench;
  const transactions = sizes.accountSmall;
  const linked = await stage.linked('small', { transactions, span: transactions, days: 365 });
  const headers = authHeaders(stage, linked.scopedToken);
  const path = `/accounts/${linked.accountId}/transactions?limit=100`;
  const both = [await bench.start(serviceOn(stage)), await bench.start(serviceOn(stage))];
  const cpu: { one: number[]; two: number[] } = { one: [], two: [] };
  for (let round = 0; round <= sizes.rounds; round++) {
    bench.reportProgress(`${database}, round ${round}`);
    const milliseconds = round === 0 ? sizes.warmUpMs : sizes.roundMs;
    // The first alone, then both; which one is alone changes.
    const alone = await cpuPerRequest([both[round % 2]!], { path, headers }, milliseconds, sizes.connections);
    const together = await cpuPerRequest(both, { path, headers }, milliseconds, sizes.connections);
    if (round < 2) continue;
    cpu.one.push(alone);
    cpu.two.push(together);
  }
  await Promise.all(both.map((target) => target.stop()));
  return {
    row: `page of 100 on ${database}, 2 processes`,
    against: '1 process',
    metric: 'CPU µs per request',
    ours: statsOf(cpu.two),
    theirs: statsOf(cpu.one),
    ratio: ratioOf(cpu.two, cpu.one),
    goal: { atMost: 1.1 },
  };
};

const cpuPerRequest = async (
  contenders: readonly Target[],
  question: Omit<LoadRequest, 'port'>,
  milliseconds: number,
  connections: number,
): Promise<number> => {
  const sum = async (): Promise<number> => {
    const usages = await Promise.all(contenders.map((target) => target.usage()));
    return usages.reduce((total, usage) => total + usage.cpuMicros, 0);
  };
  const before = await sum();
  const requests = contenders.map(({ port }) => ({ ...question, port }));
  const answered = await runLoad(requests, { connections, milliseconds });
  return ((await sum()) - before) / answered.requests;
};
