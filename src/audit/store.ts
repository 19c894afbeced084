// The questions asked about the log. There is none that changes or deletes a line; the database refuses them too.
import type { Queries } from '../db/open.ts';
import type { AuditEvent } from './auditEvent.ts';

export const insertAuditEvent = async (db: Queries, event: AuditEvent): Promise<void> => {
  await db('audit_events').insert({
    organization_id: event.organizationId,
    id: event.id,
    at: event.at,
    action: event.action,
    member_id: event.memberId,
    email: event.email,
    subject: event.subject,
    details: JSON.stringify(event.details),
    address: event.address,
  });
};

export type AuditFilter = { memberId?: string; action?: string; from?: string; until?: string };

/** Events of an organization that fit, the newest first, after (that is, older than) one that was seen. */
export const findAuditEvents = async (
  db: Queries,
  organizationId: string,
  wanted: AuditFilter,
  page: { after?: string; limit: number },
): Promise<AuditEvent[]> => {
  const query = db('audit_events').where({ organization_id: organizationId });
  if (wanted.memberId !== undefined) query.where({ member_id: wanted.memberId });
  if (wanted.action !== undefined) query.where({ action: wanted.action });
  if (wanted.from !== undefined) query.where('at', '>=', wanted.from);
  if (wanted.until !== undefined) query.where('at', '<', wanted.until);
  if (page.after !== undefined) query.where('id', '<', page.after);
  const rows = await query.orderBy('id', 'desc').limit(page.limit).select({
    organizationId: 'organization_id',
    id: 'id',
    at: 'at',
    action: 'action',
    memberId: 'member_id',
    email: 'email',
    subject: 'subject',
    details: 'details',
    address: 'address',
  });
  return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }));
};
