// Refreshes that bring nothing new: how many rows each writes, what it costs, and that it costs no more when the
// account has a long history.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkLogin } from '../data/linkLogin.ts';
import { addApplication, type Importer, sqliteLocation, startImporter } from '../data/fixture.ts';
import { ratioOf, statsOf } from '../load/stats.ts';
import type { Bench, Finding, Row } from './row.ts';

const atATime = 16;
const monthlyTransactions = 30;

export const unchangedRefresh: Row = {
  name: 'quiet',
  measure: async (bench) => {
    const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bench-quiet-'));
    const importer = await startImporter(sqliteLocation(directory));
    try {
      return [await lengthOfHistory(bench, importer), ...(await manyConnections(bench, importer))];
    } finally {
      await importer.close();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** What `work` costs this process, and how many rows it writes. */
const costOf = async (
  { service }: Importer,
  work: () => Promise<unknown>,
): Promise<{ cpuMicros: number; seconds: number; rows: number }> => {
  const written = async (): Promise<number> => {
    const [{ rows }] = await service.db.write.raw('select total_changes() as "rows"');
    return rows;
  };
  const before = { rows: await written(), cpu: process.cpuUsage(), at: performance.now() };
  await work();
  const { user, system } = process.cpuUsage(before.cpu);
  const seconds = (performance.now() - before.at) / 1000;
  return { cpuMicros: user + system, seconds, rows: (await written()) - before.rows };
};

const lengthOfHistory = async (bench: Bench, importer: Importer): Promise<Finding> => {
  const { applicationId } = await addApplication(importer.service);
  const linkWith = async (months: number): Promise<string> => {
    const transactions = months * monthlyTransactions;
    const username = `${months} months`;
    importer.connector.setLogin(username, { transactions, span: transactions, days: months * 30 });
    return (await linkLogin(importer.url, { applicationId, username })).connectionId;
  };
  // As many entries a month, and 1,000 times as many months: as if the account were 100 times 10 years old.
  const short = await linkWith(3);
  const long = await linkWith(bench.sizes.accountMedium / monthlyTransactions);
  const cost: { short: number[]; long: number[] } = { short: [], long: [] };
  for (let round = 0; round <= bench.sizes.rounds * 3; round++) {
    bench.reportProgress(`round ${round}`);
    const one = await costOf(importer, () => importer.refresh(short));
    const other = await costOf(importer, () => importer.refresh(long));
    if (round < 3) continue;
    cost.short.push(one.cpuMicros);
    cost.long.push(other.cpuMicros);
  }
  return {
    row: `refresh with nothing new, history of ${bench.sizes.accountMedium.toLocaleString('en')}`,
    against: `history of ${3 * monthlyTransactions}`,
    metric: 'CPU µs per refresh',
    ours: statsOf(cost.long),
    theirs: statsOf(cost.short),
    ratio: ratioOf(cost.long, cost.short),
  };
};

const manyConnections = async (bench: Bench, importer: Importer): Promise<Finding[]> => {
  const count = bench.sizes.unchangedConnections;
  const [application] = await importer.service.db.read('applications').select('id');
  importer.connector.setLogin('many', { transactions: 90, span: 90, days: 90 });
  const request = { applicationId: application.id, username: 'many' };
  for (let linked = 0; linked < count; linked += atATime) {
    bench.reportProgress(`linking ${linked} of ${count}`);
    const length = Math.min(atATime, count - linked);
    await Promise.all(Array.from({ length }, () => linkLogin(importer.url, request)));
  }
  bench.reportProgress(`refreshing ${count}`);
  const { cpuMicros, seconds, rows } = await costOf(importer, () => importer.refresh());
  const row = `refresh of ${count.toLocaleString('en')} connections with nothing new`;
  return [
    { row, against: '', metric: 'rows written per refresh', ours: statsOf([rows / count]) },
    { row, against: '', metric: 'CPU µs per refresh', ours: statsOf([cpuMicros / count]) },
    { row, against: '', metric: 'refreshes per second', ours: statsOf([count / seconds]) },
  ];
};
