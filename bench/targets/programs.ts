// How each contender is started.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { DatabaseLocation } from '../data/fixture.ts';
import type { Program } from '../load/target.ts';
import type { BaselineOptions } from './baseline.ts';

export const serviceEnvironment = (place: DatabaseLocation): Record<string, string> => ({
  DATA_DIR: place.directory,
  DATABASE_URL: place.databaseUrl,
});

/** The service on a database that is there. */
export const serviceOn = (place: DatabaseLocation, env: Record<string, string> = {}): Program => ({
  name: 'service',
  file: 'bench/targets/service.ts',
  env: { ...serviceEnvironment(place), ...env },
  readyPath: '/health',
});

export const baselineOn = (order: BaselineOptions): Program => ({
  name: 'floor',
  file: 'bench/targets/baseline.ts',
  env: { FLOOR: JSON.stringify(order) },
});

/** Prism's mock of the public contract, as `npm run mock` starts it, in one process. */
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

/** Writes transactions, newest first, into a file as one would by hand, and says how to serve it. */
export const plainExpressOn = async (
  place: DatabaseLocation,
  newestFirst: readonly PlainTransaction[],
): Promise<Program> => {
  await mkdir(place.directory, { recursive: true });
  const file = join(place.directory, 'byHand.db');
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
    newestFirst.forEach((entry, at) => {
      insert.run({ ...entry, seq: newestFirst.length - at });
    });
  })();
  db.close();
  return { name: 'by hand', file: 'bench/targets/plainExpress.ts', env: { BY_HAND_FILE: file } };
};
