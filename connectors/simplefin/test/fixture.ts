// The SimpleFIN connector in tests: with servers on loopback, at a fixed time, and with the fake server's data.
import type { LookupFunction } from 'node:net';
import {
  type BankTransaction,
  type CallContext,
  type ConnectorModule,
  type History,
  type Host,
  makeGuardedSender,
  makeIpFilter,
} from '@bank-connection/connector-kit';
import { readHistory } from '@bank-connection/connector-kit/conformance';
import { onTestFinished } from 'vitest';
import { makeSimplefinModule } from '../index.ts';
import { type FakeAccount, type FakeServer, type FakeTransaction, startFakeServer } from './fakeServer.ts';

export const institutionId = 'simplefin';

export const now = new Date('2026-03-01T12:00:00Z');

export const callAt = (time: Date, signal = new AbortController().signal): CallContext => ({
  ...{ signal, now: time, organizationId: 'org_0000000000000000000000' },
});
export const call = callAt(now);

/**
 * The connector, which may connect to these networks in addition to public addresses. `lookup` works like `dns.lookup`.
 */
export const makeModule = (
  networks: readonly string[] = ['127.0.0.1'],
  overrides: Partial<Host> = {},
  lookup?: LookupFunction,
): ConnectorModule => {
  const isAllowed = makeIpFilter(networks);
  const send = makeGuardedSender(isAllowed, lookup);
  return makeSimplefinModule({
    ...{ isAllowed, send, answerBytesMax: 32 * 1024 ** 2, timeoutMs: 60_000, ...overrides },
  });
};

/** Noon of a day (YYYY-MM-DD) in seconds since 1970, which servers use for days. */
export const noonOf = (date: string): number => Date.parse(`${date}T12:00:00Z`) / 1000;

/** The day (YYYY-MM-DD) `count` days before `now`. */
export const daysBefore = (count: number): string =>
  new Date(now.getTime() - count * 86_400_000).toISOString().slice(0, 10);

/** A transaction with defaults. */
export const fakeTransaction = (
  id: string,
  date: string,
  more: Record<string, unknown> = {},
): FakeTransaction => ({
  ...{ id, posted: noonOf(date), amount: '-1.00', description: id, payee: id, memo: '' },
  ...more,
});

/** An account with defaults. */
export const fakeAccount = (
  id: string,
  transactions: FakeTransaction[] = [],
  more: Record<string, unknown> = {},
): FakeAccount => ({
  ...{ id, name: `Savings (${id})`, currency: 'USD', balance: '100.23', transactions },
  ...more,
});

/** A server that is closed when the test ends, with one connection that has these accounts. */
export const startServer = async (...accounts: FakeAccount[]): Promise<FakeServer> => {
  const server = await startFakeServer();
  onTestFinished(server.close);
  server.connections = [{ id: 'CON-1', bank: 'First Bank', accounts }];
  return server;
};

/** Makes a server return these transactions in its first account, regardless of the requested days. */
export const sendAlways = (server: FakeServer, ...transactions: FakeTransaction[]): void => {
  const [first, ...others] = server.connections[0]!.accounts;
  const body = { errors: [], accounts: [{ ...first, transactions }, ...others] };
  server.intercept = () => ({ body });
};

/** Starts reading a server with a valid access URL. */
export const read = async (
  server: FakeServer,
  request: { accountIds?: readonly string[]; since?: string } = {},
) => makeModule().connector.read(server.makeAccessUrl(), request, call);

export type ReadHistory = Omit<History, 'chunks'> & { transactions: BankTransaction[] };

/** The history of one account. */
export const readAccount = async (
  server: FakeServer,
  accountId: string,
  request: { since?: string } = {},
): Promise<ReadHistory> => {
  const { chunks, ...history } = await (await read(server, request)).history(accountId);
  return { ...history, transactions: await readHistory({ chunks }) };
};
