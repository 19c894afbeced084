// Defines the program of each target.
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SignJWT } from 'jose';
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
 * Writes transactions, newest first, into a plaintext database of the same kind as the service's, and returns the program that
 * serves it.
 */
export const plainExpressOn = async (
  location: DatabaseLocation,
  newestFirst: readonly PublicTransaction[],
): Promise<Program> => {
  const url = await createPlainDatabase(location, newestFirst, 'plain_express');
  return { name: 'plain Express', file: 'bench/targets/plainExpress.ts', env: { PLAIN_EXPRESS_URL: url } };
};

/** A new plaintext database of the same kind as the service's with these transactions. Returns its URL. */
const createPlainDatabase = async (
  location: DatabaseLocation,
  newestFirst: readonly PublicTransaction[],
  name: string,
): Promise<string> => {
  const url = location.databaseUrl.startsWith('postgres')
    ? await createPostgresDatabase(location.databaseUrl, name)
    : `sqlite:${join(location.directory, `${name}-${newSuffix()}.db`)}`;
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
  return url;
};

/** The account and the connection that the peer with the same parts serves, in the form of the service's API. */
export type PlainRecords = {
  account: { connectionId: string; balance: object } & Record<string, unknown>;
  connection: { institution: { id: string; name: string } } & Record<string, unknown>;
};

/**
 * Writes an account's transactions, newest first, with the account and its connection, into a plaintext database of the same kind as
 * the service's, and returns the program that serves them to the credentials of `headers`.
 */
export const samePartsOn = async (
  location: DatabaseLocation,
  newestFirst: readonly PublicTransaction[],
  { account, connection }: PlainRecords,
): Promise<{ program: Program; headers: Record<string, string> }> => {
  const url = await createPlainDatabase(location, newestFirst, 'same_parts');
  const db = connect(url);
  const ids = { applicationId: 'application', endUserId: 'user' };
  const apiKey = randomBytes(24).toString('base64url');
  const tokenKey = randomBytes(32);
  await db.raw(
    'create table plain_api_keys ("hash" text primary key, "applicationId" text, "revokedAt" text)',
  );
  await db.raw(
    'create table plain_tokens ("id" text primary key, "applicationId" text, "endUserId" text, "revokedAt" text)',
  );
  await db.raw(
    `create table plain_accounts ("id" text primary key, "endUserId" text, ${textColumns(account)})`,
  );
  await db.raw(`create table plain_connections ("id" text primary key, "endUserId" text, "institutionId" text,
    "institutionName" text, "status" text, "createdAt" text, "refreshedAt" text)`);
  const hash = createHash('sha256').update(apiKey).digest('hex');
  await db('plain_api_keys').insert({ hash, applicationId: ids.applicationId });
  await db('plain_tokens').insert({ id: 'token', ...ids });
  const { endUserId } = ids;
  await db('plain_accounts').insert({ ...account, endUserId, balance: JSON.stringify(account.balance) });
  const { institution, ...rest } = connection;
  const named = { institutionId: institution.id, institutionName: institution.name };
  await db('plain_connections').insert({ ...rest, ...named, endUserId });
  await db.destroy();
  const token = new SignJWT({ jti: 'token', sub: endUserId }).setProtectedHeader({ alg: 'HS256' });
  return {
    program: {
      name: 'same parts',
      file: 'bench/targets/sameParts.ts',
      env: { SAME_PARTS_URL: url, SAME_PARTS_TOKEN_KEY: tokenKey.toString('base64') },
    },
    headers: { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': await token.sign(tokenKey) },
  };
};

const textColumns = ({ id: _, ...account }: object & { id?: unknown }): string =>
  Object.keys(account)
    .map((name) => `"${name}" text`)
    .join(', ');

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
