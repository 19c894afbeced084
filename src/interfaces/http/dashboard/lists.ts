// Lists in the dashboard: the audit log, as JSON or CSV (RFC 4180); link sessions, without the user's input; requests, without
// their values; and SimpleFIN accesses.
import type { components } from '../../../../generated/management.ts';
import { findListedApiKeys, findOrganizationName } from '../../../domain/applications/store.ts';
import { auditEventsToCsv } from '../../../domain/audit/csv.ts';
import {
  type AuditEvent,
  type AuditFilter,
  findAuditEvents,
  recordAudit,
} from '../../../domain/audit/store.ts';
import { institutionOf } from '../../../domain/institutions/registry.ts';
import { listRequests as listLoggedRequests } from '../../../domain/requestLog/reports.ts';
import { linkSessionStatistics } from '../../../flows/link/linkSessionStatistics.ts';
import { findListedLinkSessions } from '../../../flows/link/listStore.ts';
import {
  listSimplefinAccesses as listPage,
  revokeSimplefinAccess as revoke,
  simplefinAccessState,
} from '../../../flows/simplefin/accesses.ts';
import type { ListedSimplefinAccess } from '../../../flows/simplefin/store.ts';
import { addMilliseconds, days } from '../../../platform/values/clock.ts';
import { readListPage, timeAndIdCursors } from '../../../platform/values/listPage.ts';
import { toSlug } from '../../../platform/values/text.ts';
import type { DashboardNeeds } from '../needs.ts';
import { CsvStream } from '../writeResponse.ts';
import type { ApplicationPrincipal, Operation } from './authenticate.ts';

const auditEventToJson = (event: AuditEvent): components['schemas']['AuditEvent'] => ({
  id: event.id,
  at: event.at,
  action: event.action,
  actor: { memberId: event.memberId, tokenId: event.tokenId, email: event.email },
  subject: event.subject,
  details: event.details,
  address: event.address,
});

// Times are compared as text, so they must have the stored format.
const toAuditFilter = ({ memberId, action, from, until }: AuditFilter): AuditFilter => ({
  memberId,
  action,
  from: from === undefined ? undefined : new Date(from).toISOString(),
  until: until === undefined ? undefined : new Date(until).toISOString(),
});

export const listAuditEvents: Operation<'listAuditEvents'> = async ({ query, organizationId }, { db }) => {
  const { rows, ...next } = await readListPage(query, auditCursors, (page) =>
    findAuditEvents(db.read, organizationId, toAuditFilter(query), page),
  );
  return { events: rows.map(auditEventToJson), ...next };
};

const auditCursors = {
  encode: ({ id }: AuditEvent) => id,
  decode: (cursor: string) => (/^[0-9a-z]{9}[0-9A-Za-z]{22}$/.test(cursor) ? cursor : undefined),
};

export const exportAuditEvents: Operation<'exportAuditEvents'> = async (
  { query, organizationId, by },
  { db, config },
) => {
  const name = (await findOrganizationName(db.read, organizationId)) ?? '';
  await recordAudit(db.write, by, { action: 'audit_exported' });
  const chunk = config.limits.streamChunkRows;
  return new CsvStream(
    auditEventsToCsv(streamAuditEvents(db, organizationId, toAuditFilter(query), chunk)),
    ['audit-log', toSlug(name), `${by.now.toISOString().slice(0, 10)}.csv`].filter(Boolean).join('-'),
  );
};

async function* streamAuditEvents(
  db: DashboardNeeds['db'],
  organizationId: string,
  wanted: AuditFilter,
  limit: number,
): AsyncGenerator<AuditEvent[]> {
  let after: string | undefined;
  for (let source = db; ; source = db.patient) {
    const events = await findAuditEvents(source.write, organizationId, wanted, { after, limit });
    yield events;
    after = events.at(-1)?.id;
    if (events.length < limit) return;
  }
}

// An institution that no connector offers any longer is shown by its id.
const findInstitution = (
  { registry }: DashboardNeeds,
  { environment }: ApplicationPrincipal['application'],
  institutionId: string,
) => institutionOf(registry, environment, { institutionId, institutionName: institutionId });

export const listLinkSessions: Operation<'listLinkSessions'> = async ({ application, query }, service) => {
  const { cursor, limit, ...filter } = query;
  const list = { applicationId: application.id, now: service.clock.real().toISOString(), filter };
  const { rows, ...next } = await readListPage({ cursor, limit }, timeAndIdCursors('lks'), (page) =>
    findListedLinkSessions(service.db.read, { ...list, ...page }),
  );
  return {
    linkSessions: rows.map(({ reconnectConnectionId, institutionId, connectionId, ...session }) => ({
      ...session,
      reconnect: reconnectConnectionId !== null,
      institution: institutionId === null ? null : findInstitution(service, application, institutionId),
      connectionId: session.outcome === 'connected' ? connectionId : null,
    })),
    ...next,
  };
};

export const getLinkSessionStatistics: Operation<'getLinkSessionStatistics'> = async (
  { application, query },
  service,
) => {
  const now = service.clock.real();
  const { institutions, ...statistics } = await linkSessionStatistics(service.db.read, {
    applicationId: application.id,
    from: addMilliseconds(now, -days(query.days ?? 7)).toISOString(),
    now: now.toISOString(),
  });
  return {
    ...statistics,
    institutions: institutions.map(({ institutionId, ...outcomes }) => ({
      institution: findInstitution(service, application, institutionId),
      ...outcomes,
    })),
  };
};

export const listRequests: Operation<'listRequests'> = async ({ application, query }, { db }) => {
  const { rows, ...next } = await listLoggedRequests(db.read, application.id, query);
  const keys = await findListedApiKeys(db.read, application.id);
  const keysById = new Map(keys.map(({ id, name }) => [id, { id, name }]));
  return {
    requests: rows.map((request) => {
      const { requestId, at, operation, status, outcome, code, parameters, keyId, milliseconds } = request;
      return {
        ...{ requestId, at, operation, status, outcome, code, milliseconds },
        parameters: parameters === null ? [] : JSON.parse(parameters),
        apiKey: keysById.get(keyId) ?? null,
      };
    }),
    ...next,
  };
};

const simplefinAccessToJson = (row: ListedSimplefinAccess): components['schemas']['SimplefinAccess'] => {
  const { id, label, externalUserId, postedOnly, createdAt, lastUsedAt } = row;
  return {
    ...{ id, label, externalUserId, postedOnly: postedOnly === 1 },
    ...{ state: simplefinAccessState(row), createdAt, lastUsedAt },
  };
};

export const listSimplefinAccesses: Operation<'listSimplefinAccesses'> = async (
  { application, query },
  service,
) => {
  const { externalUserId, ...page } = query;
  const filter = { applicationId: application.id, externalUserId };
  const { rows, ...next } = await listPage(service, filter, page);
  return { accesses: rows.map(simplefinAccessToJson), ...next };
};

export const revokeSimplefinAccess: Operation<'revokeSimplefinAccess'> = async (
  { application, path, by },
  service,
) => revoke(service, application.id, path.accessId, by);
