// How each target is started.
import { join } from 'node:path';
import knexModule, { type Knex } from 'knex';
import { parseScopedToken } from '../../src/platform/vault/scopedToken.ts';
import type { DatabaseLocation } from '../data/fixture.ts';
import type { LinkedLogin } from '../data/linkLogin.ts';
import { type PublicTransaction, writeSealedRows } from '../data/sealedRows.ts';
import type { Program } from '../load/target.ts';
import type { BaselineOptions } from './baseline.ts';

const { knex } = knexModule;

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

/** Writes an account's transactions, newest first, as sealed rows, and returns the baseline that serves them. */
export const baselineOn = (
  location: DatabaseLocation,
  linked: LinkedLogin,
  newestFirst: readonly PublicTransaction[],
): Program => {
  const { connectionId, accountId, scopedToken } = linked;
  const sealedRowsFile = join(location.directory, `baseline-${accountId}-${newSuffix()}.db`);
  const { endUserId } = parseScopedToken(scopedToken)!;
  const wrappingKey = writeSealedRows(sealedRowsFile, endUserId, newestFirst).toString('base64');
  const options: BaselineOptions = {
    file: location.databaseUrl.slice('sqlite:'.length),
    ...{ sealedRowsFile, wrappingKey, scopedToken, connectionId, accountId },
    transactionId: newestFirst[0]!.id,
  };
  return {
    name: 'baseline',
    file: 'bench/targets/baseline.ts',
    env: { BASELINE_OPTIONS: JSON.stringify(options) },
  };
};

let suffixes = 0;
const newSuffix = (): number => suffixes++;

export const bareExpress: Program = {
  name: 'bare Express',
  file: 'bench/targets/bareExpress.ts',
  readyPath: '/health',
};

/**
 * Writes transactions, newest first, into a plaintext database of the same kind as the service's, and returns the program
 * that serves it.
 */
export const plainExpressOn = async (
  location: DatabaseLocation,
  newestFirst: readonly PublicTransaction[],
): Promise<Program> => {
  const url = location.databaseUrl.startsWith('postgres')
    ? await createPostgresDatabase(location.databaseUrl, 'plain_express')
    : `sqlite:${join(location.directory, `plainExpress-${newSuffix()}.db`)}`;
  const db = connect(url);
  if (url.startsWith('sqlite:')) await db.raw('pragma journal_mode = WAL');
  await db.raw(`
    create table plain_transactions (
      "id" text primary key, "accountId" text not null, "date" text not null, "seq" integer not null,
      "status" text not null, "transactionRefresh" text not null, "amount" double precision not null,
      "description" text not null, "reference" text not null)`);
  await db.raw('create index transactions_by_date on plain_transactions ("accountId", "date", "seq")');
  const rows = newestFirst
    .map((one, index) => ({ ...one, amount: Number(one.amount), seq: newestFirst.length - index }))
    .reverse();
  await db.batchInsert('plain_transactions', rows, 100);
  if (url.startsWith('postgres')) await db.raw('vacuum analyze plain_transactions');
  await db.destroy();
  return { name: 'plain Express', file: 'bench/targets/plainExpress.ts', env: { PLAIN_EXPRESS_URL: url } };
};

const connect = (url: string): Knex =>
  url.startsWith('postgres')
    ? knex({ client: 'pg', connection: url })
    : knex({
        client: 'better-sqlite3',
        connection: { filename: url.slice('sqlite:'.length) },
        useNullAsDefault: true,
      });

const createPostgresDatabase = async (serverUrl: string, name: string): Promise<string> => {
  const db = connect(serverUrl);
  await db.raw(`drop database if exists ${name}`);
  await db.raw(`create database ${name}`);
  await db.destroy();
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
};
