// Lists in the dashboard: the audit log, also as a CSV file (RFC 4180); link sessions, without what the user typed; requests, without
// their values; and SimpleFIN accesses.
import type { components } from '../../../generated/dashboard.ts';
import { findListedApiKeys, findOrganizationName } from '../../applications/store.ts';
import { auditEventsToCsv } from '../../audit/csv.ts';
import { type AuditEvent, type AuditFilter, findAuditEvents, recordAuditEvent } from '../../audit/store.ts';
import { addMilliseconds, days } from '../../clock.ts';
import { institutionOf } from '../../institutions/registry.ts';
import { linkSessionStatistics } from '../../linking/linkSessionStatistics.ts';
import { listLinkSessions as listSessions } from '../../linking/listLinkSessions.ts';
import { invalidListCursor, toListPage } from '../../listPage.ts';
import { listRequests as listLoggedRequests } from '../../metrics/reports.ts';
import type { Service } from '../../service.ts';
import { accessState, listAccesses, revokeAccess } from '../../simplefin/accesses.ts';
import type { ListedAccess } from '../../simplefin/store.ts';
import { toSlug } from '../../text.ts';
import { CsvStream } from '../writeResponse.ts';
import type { ApplicationPrincipal, Operation } from './authenticate.ts';

const auditEventToJson = (event: AuditEvent): components['schemas']['AuditEvent'] => ({
  id: event.id,
  at: event.at,
  action: event.action,
  actor: { memberId: event.memberId, email: event.email },
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
  const { cursor, limit = 50 } = query;
  if (cursor !== undefined && !/^[0-9a-z]{9}[0-9A-Za-z]{22}$/.test(cursor)) throw invalidListCursor();
  const range = { after: cursor, limit: limit + 1 };
  const found = await findAuditEvents(db.read, organizationId, toAuditFilter(query), range);
  const { page, next } = toListPage(found, limit, ({ id }) => id);
  return { events: page.map(auditEventToJson), ...next };
};

export const exportAuditEvents: Operation<'exportAuditEvents'> = async (
  { query, organizationId, by },
  { db, config },
) => {
  const name = (await findOrganizationName(db.read, organizationId)) ?? '';
  await recordAuditEvent(db.write, by, 'audit_exported');
  const chunk = config.limits.streamChunkRows;
  return new CsvStream(
    auditEventsToCsv(streamAuditEvents(db, organizationId, toAuditFilter(query), chunk)),
    ['audit-log', toSlug(name), `${by.now.toISOString().slice(0, 10)}.csv`].filter(Boolean).join('-'),
  );
};

async function* streamAuditEvents(
  db: Service['db'],
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

// An institution that no connector offers any longer is named by its id.
const findInstitution = (
  { registry }: Service,
  { environment }: ApplicationPrincipal['application'],
  institutionId: string,
) => institutionOf(registry, environment, { institutionId, institutionName: institutionId });

export const listLinkSessions: Operation<'listLinkSessions'> = async ({ application, query }, service) => {
  const { cursor, limit = 50, ...filter } = query;
  const now = service.clock.real().toISOString();
  const request = { applicationId: application.id, now, filter, cursor, limit };
  const { linkSessions, ...rest } = await listSessions(service.db.read, request);
  return {
    linkSessions: linkSessions.map(({ reconnectConnectionId, institutionId, connectionId, ...session }) => ({
      ...session,
      reconnect: reconnectConnectionId !== null,
      institution: institutionId === null ? null : findInstitution(service, application, institutionId),
      connectionId: session.outcome === 'connected' ? connectionId : null,
    })),
    ...rest,
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
  const { limit = 50, ...page } = query;
  const { requests, ...rest } = await listLoggedRequests(db.read, application.id, { ...page, limit });
  const keys = await findListedApiKeys(db.read, application.id);
  const keysById = new Map(keys.map(({ id, name }) => [id, { id, name }]));
  return {
    requests: requests.map((request) => {
      const { requestId, at, operation, status, outcome, code, parameters, keyId, milliseconds } = request;
      return {
        ...{ requestId, at, operation, status, outcome, code, milliseconds },
        parameters: parameters === null ? [] : JSON.parse(parameters),
        apiKey: keysById.get(keyId) ?? null,
      };
    }),
    ...rest,
  };
};

const accessToJson = (access: ListedAccess): components['schemas']['SimplefinAccess'] => {
  const { id, label, externalUserId, postedOnly, createdAt, lastUsedAt } = access;
  return {
    ...{ id, label, externalUserId, postedOnly: postedOnly === 1 },
    ...{ state: accessState(access), createdAt, lastUsedAt },
  };
};

export const listSimplefinAccesses: Operation<'listSimplefinAccesses'> = async (
  { application, query },
  service,
) => {
  const { externalUserId, cursor, limit = 50 } = query;
  const filter = { applicationId: application.id, externalUserId };
  const { accesses, ...next } = await listAccesses(service, filter, { cursor, limit });
  return { accesses: accesses.map(accessToJson), ...next };
};

export const revokeSimplefinAccess: Operation<'revokeSimplefinAccess'> = async (
  { application, path, by },
  service,
) => revokeAccess(service, application.id, path.accessId, by);
