// Two processes on one database against one, on SQLite and on PostgreSQL: CPU seconds per request of the
// processes together. What the PostgreSQL server needs itself is the same for both and not counted.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../test/run/postgres.ts';
import { serviceOn } from '../contenders/programs.ts';
import { type Stage, setStage } from '../data/stage.ts';
import type { Contender } from '../load/contender.ts';
import { drive, type Request } from '../load/keepAlive.ts';
import { ratioOf, spreadOf } from '../load/spread.ts';
import { type Bench, credentials, type Finding, type Row } from './row.ts';

export const processes: Row = {
  name: 'processes',
  measure: async (bench) => {
    const onSqlite = await compareOn(bench, bench.stage, 'SQLite');
    const server = await startPostgres();
    try {
      const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bench-'));
      const stage = await setStage({ directory, databaseUrl: server.url });
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

const compareOn = async (bench: Bench, stage: Stage, database: string): Promise<Finding> => {
  const { sizes } = bench;
  const entries = sizes.accountSmall;
  const linked = await stage.linked('small', { entries, span: entries, days: 365 });
  const headers = credentials(stage, linked.scopedToken);
  const path = `/accounts/${linked.accountId}/transactions?limit=100`;
  const both = [await bench.start(serviceOn(stage)), await bench.start(serviceOn(stage))];
  const cpu: { one: number[]; two: number[] } = { one: [], two: [] };
  for (let round = 0; round <= sizes.rounds; round++) {
    bench.say(`${database}, round ${round}`);
    const milliseconds = round === 0 ? sizes.warmUpMs : sizes.turnMs;
    // The first alone, then both; which one is alone changes.
    const alone = await cpuPerRequest([both[round % 2]!], { path, headers }, milliseconds, sizes.connections);
    const together = await cpuPerRequest(both, { path, headers }, milliseconds, sizes.connections);
    if (round < 2) continue;
    cpu.one.push(alone);
    cpu.two.push(together);
  }
  await Promise.all(both.map((contender) => contender.stop()));
  return {
    row: `page of 100 on ${database}, 2 processes`,
    against: '1 process',
    figure: 'CPU µs per request',
    ours: spreadOf(cpu.two),
    theirs: spreadOf(cpu.one),
    ratio: ratioOf(cpu.two, cpu.one),
    toReach: { atMost: 1.1 },
  };
};

const cpuPerRequest = async (
  contenders: readonly Contender[],
  question: Omit<Request, 'port'>,
  milliseconds: number,
  connections: number,
): Promise<number> => {
  const sum = async (): Promise<number> => {
    const usages = await Promise.all(contenders.map((contender) => contender.usage()));
    return usages.reduce((total, usage) => total + usage.cpuMicros, 0);
  };
  const before = await sum();
  const requests = contenders.map(({ port }) => ({ ...question, port }));
  const answered = await drive(requests, { connections, milliseconds });
  return ((await sum()) - before) / answered.requests;
};
