// Full refreshes of an account with a very large number of transactions, without changes and with every text changed: the memory
// growth of the process, on SQLite and on PostgreSQL. Each refresh has its own process, so that the maximum is exact.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../test/support/postgres.ts';
import { type DatabaseLocation, sqliteLocation } from '../data/fixture.ts';
import { statsOf } from '../load/stats.ts';
import type { RefresherOptions, RefresherResult } from '../targets/refresher.ts';
import type { Bench, Measurement, Row } from './row.ts';

const mebibyte = 2 ** 20;
const program = fileURLToPath(new URL('../targets/refresher.ts', import.meta.url));

export const heldRefresh: Row = {
  name: 'held',
  long: true,
  measure: (bench) => inNewDirectory((directory) => measureOn(bench, sqliteLocation(directory), 'SQLite')),
};

export const heldRefreshOnPostgres: Row = {
  name: 'held-postgres',
  anyDatabase: true,
  long: true,
  measure: async (bench) => {
    const server = await startPostgres();
    try {
      return await inNewDirectory((directory) =>
        measureOn(bench, { directory, databaseUrl: server.url }, 'PostgreSQL'),
      );
    } finally {
      await server.stop();
    }
  },
};

const inNewDirectory = async <Result>(use: (directory: string) => Promise<Result>): Promise<Result> => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bench-held-'));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

const measureOn = async (
  { sizes, reportProgress }: Bench,
  location: DatabaseLocation,
  database: string,
): Promise<Measurement[]> => {
  const transactions = sizes.accountLarge;
  const login = { transactions, span: transactions, days: 3650 };
  reportProgress(`importing ${transactions} on ${database}`);
  const imported = await runRefresher({ location, login });
  const { held } = imported;
  reportProgress(`refreshing with nothing new on ${database}`);
  const unchanged = await runRefresher({ location, login, held });
  reportProgress(`refreshing with every text changed on ${database}`);
  const changed = await runRefresher({ location, login: { ...login, revision: ' changed' }, held });
  for (const one of [imported, unchanged, changed]) {
    if (one.transactions !== transactions || one.changed !== transactions)
      throw new Error(`${one.changed} of ${one.transactions} transactions were changed.`);
  }
  const size = transactions.toLocaleString('en');
  return [
    ...linesOf(`first import of ${size}, ${database}`, imported),
    ...linesOf(`full refresh of ${size} with nothing new, ${database}`, unchanged, 192),
    ...linesOf(`full refresh of ${size} with every text changed, ${database}`, changed, 192),
  ];
};

const runRefresher = async (options: RefresherOptions): Promise<RefresherResult> => {
  const child = fork(program, {
    execArgv: ['--expose-gc'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', REFRESHER_OPTIONS: JSON.stringify(options) },
  });
  const exited = once(child, 'exit');
  const failed = exited.then(([code]) => {
    throw new Error(`The refresher ended with ${code}.`);
  });
  const [result] = (await Promise.race([once(child, 'message'), failed])) as [RefresherResult];
  failed.catch(() => {});
  await exited;
  return result;
};

const linesOf = (
  row: string,
  { residentBefore, residentMax, cpuSeconds, transactions }: RefresherResult,
  goal?: number,
): Measurement[] => {
  const line = (metric: string, value: number) => ({
    row,
    comparedWith: '',
    metric,
    service: statsOf([value]),
  });
  const growth = (residentMax - residentBefore) / mebibyte;
  return [
    {
      ...line('growth of the process, MiB', growth),
      goal: goal === undefined ? undefined : { atMost: goal },
    },
    line('CPU µs per transaction', (cpuSeconds * 1e6) / transactions),
  ];
};
