// Connections in the dashboard: state and history, without any data from the bank.
import { countAccounts, findReadTimes } from '../../../domain/connections/bankDataStore.ts';
import { decodeLaggingAccountIds } from '../../../domain/connections/connection.ts';
import { listConsents as findConsents } from '../../../domain/connections/consents.ts';
import {
  findListedConnection,
  listConnections as list,
} from '../../../domain/connections/listConnections.ts';
import {
  breakCredentials,
  findNextRefresh,
  requestRefresh,
  requireRested,
} from '../../../domain/connections/refreshRequests.ts';
import { revokeConnection as revoke } from '../../../domain/connections/revokeConnection.ts';
import { findConnectionEvents } from '../../../domain/connections/store.ts';
import type { DashboardNeeds } from '../needs.ts';
import type { ApplicationPrincipal, Operation } from './authenticate.ts';
import { connectionToJson } from './toJson.ts';

export const listConnections: Operation<'listConnections'> = async (
  { application, query, retention },
  service,
) => {
  const { refreshedBefore, consentExpiresBefore, ...rest } = query;
  const toUtc = (time: string | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
  const times = {
    refreshedBefore: toUtc(refreshedBefore),
    consentExpiresBefore: toUtc(consentExpiresBefore),
  };
  const { rows, ...next } = await list(service.db.read, retention, { ...rest, ...times });
  return { connections: rows.map((one) => connectionToJson(service, application, one)), ...next };
};

const findListed = ({ db }: DashboardNeeds, { retention }: ApplicationPrincipal, id: string) =>
  findListedConnection(db.read, retention, id);

export const getConnection: Operation<'getConnection'> = async ({ path, ...principal }, service) => {
  const { db } = service;
  const connection = await findListed(service, principal, path.connectionId);
  const key = { endUserId: connection.endUserId, connectionId: connection.id };
  const events = await findConnectionEvents(db.read, key);
  const next = await findNextRefresh(db.read, connection.id);
  return {
    connection: connectionToJson(service, principal.application, connection),
    nextRefreshAt: next?.at ?? null,
    pausedUntil: next?.pausedUntil ?? null,
    accountCount: await countAccounts(db.read, key),
    laggingAccounts: await findReadTimes(db.read, key.endUserId, decodeLaggingAccountIds(connection)),
    withdrawnTransactions: connection.withdrawnTransactions,
    doubtedReadings: connection.doubtedReadings,
    events: events.map(({ at, kind, reason, actor }) => ({
      at,
      kind,
      ...(reason && { reason }),
      ...(actor && { actor }),
    })),
  };
};

export const listConsents: Operation<'listConsents'> = async ({ path, ...principal }, service) => {
  const { db, secrets } = service;
  const { endUserId, id: connectionId } = await findListed(service, principal, path.connectionId);
  const deps = { db: db.read, signingKeys: secrets.signingPublicKeys };
  return { consents: await findConsents(deps, { endUserId, connectionId }) };
};

export const revokeConnection: Operation<'revokeConnection'> = async ({ path, ...principal }, service) => {
  const { retention, by } = principal;
  const { connectionEventsMax: eventsMax } = service.config.limits;
  const { id } = await findListed(service, principal, path.connectionId);
  await revoke(service.db, retention, id, { by, eventsMax, canRevoke: service.registry.canRevoke });
};

export const refreshConnection: Operation<'refreshConnection'> = async ({ path, ...principal }, service) => {
  const connection = await findRefreshable(service, principal, path.connectionId);
  const request = toRefreshRequest(service, principal);
  await requireRested(service.db.read, connection.id, request.at);
  await service.db.transaction((trx) => requestRefresh(trx, connection, request));
  service.linking.wakeWorker();
};

export const breakSandboxCredentials: Operation<'breakSandboxCredentials'> = async (
  { path, ...principal },
  service,
) => {
  const connection = await findRefreshable(service, principal, path.connectionId);
  const request = toRefreshRequest(service, principal);
  await service.secrets.workerPublicKeys.withCurrent(({ key: workerKey }) =>
    service.db.transaction((trx) => breakCredentials(trx, connection, { ...request, workerKey })),
  );
};

const findRefreshable = async (service: DashboardNeeds, principal: ApplicationPrincipal, id: string) => ({
  ...(await findListed(service, principal, id)),
  organizationId: principal.organizationId,
  environment: principal.application.environment,
});

const toRefreshRequest = ({ clock, config }: DashboardNeeds, { application, by }: ApplicationPrincipal) => ({
  by,
  at: clock.now(application),
  eventsMax: config.limits.connectionEventsMax,
});
