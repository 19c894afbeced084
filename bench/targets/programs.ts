// How each target is started.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { DatabaseLocation } from '../data/fixture.ts';
import type { Program } from '../load/target.ts';
import type { BaselineOptions } from './baseline.ts';

export const serviceEnvironment = (location: DatabaseLocation): Record<string, string> => ({
  DATA_DIR: location.directory,
  DATABASE_URL: location.databaseUrl,
});

/** The service on an existing database. */
export const serviceOn = (location: DatabaseLocation, env: Record<string, string> = {}): Program => ({
  name: 'service',
  file: 'bench/targets/service.ts',
  env: { ...serviceEnvironment(location), ...env },
  readyPath: '/health',
});

export const baselineOn = (options: BaselineOptions): Program => ({
  name: 'baseline',
  file: 'bench/targets/baseline.ts',
  env: { BASELINE_OPTIONS: JSON.stringify(options) },
});

/** Prism's mock of openapi.yaml, as `npm run mock` starts it, in one process. */
export const prismMock: Program = {
  name: 'Prism mock',
  file: 'node_modules/@stoplight/prism-cli/dist/index.js',
  args: (port) => [
    ...['mock', 'openapi.yaml', '--host', '127.0.0.1', '--port', String(port)],
    ...['--multiprocess=false', '--cors=false'],
  ],
};

export const bareExpress: Program = {
  name: 'bare Express',
  file: 'bench/targets/bareExpress.ts',
  readyPath: '/health',
};

export type PlainTransaction = {
  id: string;
  accountId: string;
  date: string;
  status: string;
  transactionRefresh: string;
  amount: number;
  description: string;
  reference: string;
};

/** Writes transactions, newest first, into a plaintext database, and returns the program that serves it. */
export const plainExpressOn = async (
  location: DatabaseLocation,
  newestFirst: readonly PlainTransaction[],
): Promise<Program> => {
  await mkdir(location.directory, { recursive: true });
  const file = join(location.directory, 'plainExpress.db');
  const db = new BetterSqlite3(file);
  db.pragma('journal_mode = WAL');
  db.exec(`
    create table transactions (
      id text primary key, accountId text not null, date text not null, seq integer not null,
      status text not null, transactionRefresh text not null, amount real not null,
      description text not null, reference text not null);
    create index transactions_by_date on transactions (accountId, date, seq)`);
  const insert = db.prepare(`insert into transactions values
    (@id, @accountId, @date, @seq, @status, @transactionRefresh, @amount, @description, @reference)`);
  db.transaction(() => {
    newestFirst.forEach((transaction, index) => {
      insert.run({ ...transaction, seq: newestFirst.length - index });
    });
  })();
  db.close();
  return { name: 'plain Express', file: 'bench/targets/plainExpress.ts', env: { PLAIN_EXPRESS_FILE: file } };
};
