// Connections as the operator sees them: how each is and what happened to it, and nothing of what it holds.
import type { components } from '../../../generated/dashboard.ts';
import { countAccounts } from '../../accounts/store.ts';
import type { AuditAction } from '../../audit/store.ts';
import { recordAuditEvent } from '../../audit/store.ts';
import { connectionState } from '../../connections/connection.ts';
import { findConnectionEvents } from '../../connections/events.ts';
import { findListedConnection, listConnections as list } from '../../connections/listConnections.ts';
import type { ListedConnection } from '../../connections/listStore.ts';
import { revokeConnection as revoke } from '../../connections/revokeConnection.ts';
import { breakCredentials, findNextRefresh, requestRefresh } from '../../refresh/refreshRequests.ts';
import type { Service } from '../../service.ts';
import type { ApplicationPrincipal } from './authenticate.ts';
import type { Operation } from './operation.ts';

type ConnectionJson = components['schemas']['Connection'];

const connectionToJson = (connection: ListedConnection): ConnectionJson => ({
  id: connection.id,
  externalUserId: connection.externalUserId,
  institution: { id: connection.institutionId, name: connection.institutionName },
  state: connectionState(connection),
  reconnectReason: connection.reconnectReason as ConnectionJson['reconnectReason'],
  createdAt: connection.createdAt,
  refreshedAt: connection.refreshedAt,
  revokedAt: connection.revokedAt,
});

export const listConnections: Operation<'listConnections'> = async (
  { application, query, retention },
  { db },
) => {
  const { limit = 50, refreshedBefore: before, ...filter } = query;
  const refreshedBefore = before === undefined ? undefined : new Date(before).toISOString();
  const page = await list(db.read, application.id, { ...filter, refreshedBefore, limit }, retention);
  return { ...page, connections: page.connections.map(connectionToJson) };
};

const findListed = ({ db }: Service, { application, retention }: ApplicationPrincipal, id: string) =>
  findListedConnection(db.read, application.id, id, retention);

export const getConnection: Operation<'getConnection'> = async ({ path, ...caller }, service) => {
  const { db } = service;
  const connection = await findListed(service, caller, path.connectionId);
  const of = { endUserId: connection.endUserId, connectionId: connection.id };
  const events = await findConnectionEvents(db.read, of);
  return {
    connection: connectionToJson(connection),
    nextRefreshAt: (await findNextRefresh(db.read, connection.id)) ?? null,
    accountCount: await countAccounts(db.read, of),
    events: events.map(({ at, kind, reason, actor }) => ({
      at,
      kind,
      ...(reason && { reason }),
      ...(actor && { actor }),
    })),
  };
};

export const revokeConnection: Operation<'revokeConnection'> = async ({ path, ...caller }, service) => {
  const { application, retention } = caller;
  const { id } = await findListed(service, caller, path.connectionId);
  await revoke(service.db, application.id, id, retention, {
    actor: 'member',
    eventsMax: service.config.limits.connectionEventsMax,
    inTransaction: (trx) =>
      recordAuditEvent(trx, toAuditEvent(service, caller, { action: 'connection_revoked', id })),
  });
};

export const refreshConnection: Operation<'refreshConnection'> = async ({ path, ...caller }, service) => {
  const connection = { ...(await findListed(service, caller, path.connectionId)), ...environmentOf(caller) };
  await service.db.transaction(async (trx) => {
    await requestRefresh(trx, connection, toRefreshRequest(service, caller));
    const deed = { action: 'connection_refresh_requested', id: connection.id } as const;
    await recordAuditEvent(trx, toAuditEvent(service, caller, deed));
  });
  service.linking.wakeWorker();
};

export const breakSandboxCredentials: Operation<'breakSandboxCredentials'> = async (
  { path, ...caller },
  service,
) => {
  const connection = { ...(await findListed(service, caller, path.connectionId)), ...environmentOf(caller) };
  const { workerPublicKey } = service.secrets;
  await service.db.transaction(async (trx) => {
    await breakCredentials(trx, connection, { ...toRefreshRequest(service, caller), workerPublicKey });
    await recordAuditEvent(
      trx,
      toAuditEvent(service, caller, { action: 'sandbox_credentials_broken', id: connection.id }),
    );
  });
};

const environmentOf = ({ application }: ApplicationPrincipal) => ({ environment: application.environment });

const toRefreshRequest = ({ clock, config }: Service, { application }: ApplicationPrincipal) => ({
  at: clock.now(application.environment),
  real: clock.real(),
  eventsMax: config.limits.connectionEventsMax,
});

const toAuditEvent = (
  { clock }: Service,
  { application, organizationId, actor }: ApplicationPrincipal,
  { action, id }: { action: AuditAction; id: string },
) => ({
  organizationId,
  now: clock.real(),
  action,
  actor,
  subject: shortenId(id),
  details: { application: application.id },
});

// The log stays for ever and a connection does not: enough to tell it from its neighbours, and not its id.
const shortenId = (id: string): string => `${id.slice(0, 4)}…${id.slice(-6)}`;
