// A service for tests of retention, and helpers that link, read, revoke and sweep.
import type { Client } from '../../client/index.ts';
import { type SweepResult, sweep } from '../../src/operations/retention/sweep.ts';
import type { DatabaseKind } from '../support/databases.ts';
import { type LinkOptions, link, startService, type TestService } from '../support/testService.ts';

export type { TestService };

/** Starts a service that deletes without a grace period, a few rows at a time. */
export const startRetentionService = (database: DatabaseKind): Promise<TestService> =>
  startService({ database, limits: { sweepGraceSeconds: 0, sweepChunkRows: 40 } });

/** The token of an end user, and all ids of one of their connections. */
export type LinkedUser = {
  connectionId: string;
  scopedToken: string;
  endUserId: string;
  linkSessionId: string;
  accountIds: string[];
  transactionIds: string[];
};

/** Links a connection and reads all its data once. A second connection of an end user needs the token of the first. */
export const linkAll = async (
  service: TestService,
  options: LinkOptions & { scopedToken?: string } = {},
): Promise<LinkedUser> => {
  const linked = await link(service, options);
  const { connectionId } = linked;
  const scopedToken = linked.scopedToken ?? options.scopedToken!;
  const accountIds = linked.accounts.map(({ id }) => id);
  const client = service.client(scopedToken);
  const transactionIds: string[] = [];
  for (const accountId of accountIds) {
    const { transactions } = (await listTransactions(client, accountId)) ?? { transactions: [] };
    transactionIds.push(...transactions.map(({ id }) => id));
  }
  const owner = await service.service.db.read('resource_owners').where({ id: connectionId }).first();
  const { endUserId } = owner!;
  return {
    connectionId,
    scopedToken,
    endUserId,
    linkSessionId: linked.session.id,
    accountIds,
    transactionIds,
  };
};

const listTransactions = async (client: Client, accountId: string) => {
  const { data } = await client.GET('/accounts/{accountId}/transactions', {
    params: { path: { accountId } },
  });
  return data;
};

/** The ids of a connection and of everything that belongs to it, except its end user. */
export const allIdsOf = ({
  connectionId,
  accountIds,
  transactionIds,
  linkSessionId,
}: LinkedUser): string[] => [connectionId, linkSessionId, ...accountIds, ...transactionIds];

/** The status of every operation that reads a connection, and the number of its transactions if they are readable. */
export const readStatuses = async (service: TestService, linked: LinkedUser) => {
  const client = service.client(linked.scopedToken);
  const path = { connectionId: linked.connectionId, accountId: linked.accountIds[0]! };
  const transactionId = linked.transactionIds[0]!;
  const list = await client.GET('/connections');
  const transactions = await client.GET('/accounts/{accountId}/transactions', { params: { path } });
  const statuses = [
    await client.GET('/connections/{connectionId}', { params: { path } }),
    await client.GET('/connections/{connectionId}/accounts', { params: { path } }),
    await client.GET('/accounts/{accountId}', { params: { path } }),
    transactions,
    await client.GET('/accounts/{accountId}/transactions/{transactionId}', {
      params: { path: { ...path, transactionId } },
    }),
  ].map(({ response }) => response.status);
  return {
    /** The status of listing connections, which depends on the end user and not on this connection. */
    list: list.response.status,
    connections: list.data?.connections.map(({ id }) => id),
    statuses,
    transactions: transactions.data?.transactions.length,
  };
};

export const revoke = async (service: TestService, { connectionId }: LinkedUser): Promise<Date> => {
  const client = service.client();
  const params = { path: { connectionId } };
  const { response } = await client.DELETE('/connections/{connectionId}', { params });
  if (response.status !== 204) throw new Error(`Revoking returned ${response.status}.`);
  const { data } = await client.GET('/connections/{connectionId}', { params });
  return new Date(data!.connection.revokedAt!);
};

/** Moves the clock of the service to a time. */
export const advanceTo = (service: TestService, time: number): void =>
  service.advance(time - service.service.clock.real().getTime());

/** Runs one complete sweep. */
export const sweepNow = ({ service }: TestService): Promise<SweepResult> =>
  sweep(
    { db: service.db, clock: service.clock, limits: service.config.limits },
    { signal: new AbortController().signal, rewriteBytesMax: Number.POSITIVE_INFINITY },
  );
