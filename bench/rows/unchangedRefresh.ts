// Refreshes without changes, with a few pending transactions: the rows that each writes, its cost, and the effect of a long
// history.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addApplication, type Importer, sqliteLocation, startImporter } from '../data/fixture.ts';
import { linkLogin } from '../data/linkLogin.ts';
import { ratioOf, statsOf } from '../load/stats.ts';
import type { Bench, Measurement, Row } from './row.ts';

const concurrentLinks = 16;
const monthlyTransactions = 30;
const shortHistoryMonths = 3;
const pending = 5;

export const unchangedRefresh: Row = {
  name: 'unchanged',
  measure: async (bench) => {
    const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bench-unchanged-'));
    const importer = await startImporter(sqliteLocation(directory));
    try {
      const { applicationId } = await addApplication(importer.service);
      return [
        await compareHistories(bench, importer, applicationId),
        ...(await measureManyConnections(bench, importer, applicationId)),
      ];
    } finally {
      await importer.close();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

type Cost = { cpuMicros: number; seconds: number; rows: number };

/** The CPU time and duration of `run` in this process, and the rows that it writes. */
const costOf = async ({ service }: Importer, run: () => Promise<unknown>): Promise<Cost> => {
  const countWrites = async (): Promise<number> => {
    const [{ rows }] = await service.db.write.raw('select total_changes() as "rows"');
    return rows;
  };
  const before = { rows: await countWrites(), cpu: process.cpuUsage(), at: performance.now() };
  await run();
  const { user, system } = process.cpuUsage(before.cpu);
  const seconds = (performance.now() - before.at) / 1000;
  return { cpuMicros: user + system, seconds, rows: (await countWrites()) - before.rows };
};

const compareHistories = async (
  bench: Bench,
  importer: Importer,
  applicationId: string,
): Promise<Measurement> => {
  const { accountMedium, rounds } = bench.sizes;
  const linkMonths = async (months: number): Promise<string> => {
    const transactions = months * monthlyTransactions;
    const username = `${months} months`;
    importer.generated.setLogin(username, { transactions, span: transactions, days: months * 30, pending });
    return (await linkLogin(importer.url, { applicationId, username })).connectionId;
  };
  // Both accounts have the same number of transactions per month.
  const short = await linkMonths(shortHistoryMonths);
  const long = await linkMonths(accountMedium / monthlyTransactions);
  const cpuMicros: { short: number[]; long: number[] } = { short: [], long: [] };
  for (let round = 0; round <= rounds * 3; round++) {
    bench.reportProgress(`round ${round}`);
    const ofShort = await costOf(importer, () => importer.refresh(short));
    const ofLong = await costOf(importer, () => importer.refresh(long));
    if (round < 3) continue;
    cpuMicros.short.push(ofShort.cpuMicros);
    cpuMicros.long.push(ofLong.cpuMicros);
  }
  return {
    row: `refresh with nothing new, history of ${accountMedium.toLocaleString('en')}`,
    comparedWith: `history of ${shortHistoryMonths * monthlyTransactions}`,
    metric: 'CPU µs per refresh',
    service: statsOf(cpuMicros.long),
    other: statsOf(cpuMicros.short),
    ratio: ratioOf(cpuMicros.long, cpuMicros.short),
  };
};

const measureManyConnections = async (
  bench: Bench,
  importer: Importer,
  applicationId: string,
): Promise<Measurement[]> => {
  const count = bench.sizes.unchangedConnections;
  importer.generated.setLogin('many', { transactions: 90, span: 90, days: 90, pending });
  for (let linked = 0; linked < count; linked += concurrentLinks) {
    bench.reportProgress(`linking ${linked} of ${count}`);
    const length = Math.min(concurrentLinks, count - linked);
    const link = () => linkLogin(importer.url, { applicationId, username: 'many' });
    await Promise.all(Array.from({ length }, link));
  }
  bench.reportProgress(`refreshing ${count}`);
  const { cpuMicros, seconds, rows } = await costOf(importer, () => importer.refresh());
  const row = `refresh of ${count.toLocaleString('en')} connections with nothing new`;
  const measurement = (metric: string, value: number): Measurement => ({
    row,
    comparedWith: '',
    metric,
    service: statsOf([value]),
  });
  return [
    measurement('rows written per refresh', rows / count),
    measurement('CPU µs per refresh', cpuMicros / count),
    measurement('refreshes per second', count / seconds),
  ];
};
