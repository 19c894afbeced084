// The audit log, in pages and as a CSV file.
import type { components } from '../../../generated/dashboard.ts';
import { findOrganizationName } from '../../applications/store.ts';
import { auditEventsToCsv } from '../../audit/csv.ts';
import type { AuditEvent } from '../../audit/store.ts';
import { type AuditFilter, findAuditEvents, recordAuditEvent } from '../../audit/store.ts';
import { invalidListCursor, toListPage } from '../../listPage.ts';
import type { Service } from '../../service.ts';
import { toSlug } from '../../text.ts';
import { CsvStream } from '../csvStream.ts';
import type { Operation } from './operation.ts';

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
  { query, organizationId, actor },
  { db, clock, config },
) => {
  const now = clock.real();
  const name = (await findOrganizationName(db.read, organizationId)) ?? '';
  await recordAuditEvent(db.write, { organizationId, now, action: 'audit_exported', actor });
  const chunk = config.limits.streamChunkRows;
  return new CsvStream(
    auditEventsToCsv(streamAuditEvents(db, organizationId, toAuditFilter(query), chunk)),
    ['audit-log', toSlug(name), `${now.toISOString().slice(0, 10)}.csv`].filter(Boolean).join('-'),
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
