// The audit log: who changed what. Events are only added; triggers of the database refuse changes and deletions.
import type { components } from '../../generated/dashboard.ts';
import type { Queries } from '../db/open.ts';
import { makeSortableId } from '../ids.ts';

export type AuditAction = components['schemas']['AuditAction'];

/** Who acts, and from which IP address: a member, or the operator at the command line. */
export type Actor = { memberId: string | null; email: string | null; address: string | null };

export const operatorActor: Actor = { memberId: null, email: null, address: null };

/** Details are short texts without secrets: names, roles, origins. */
export type AuditEvent = Actor & {
  organizationId: string;
  id: string;
  at: string;
  action: AuditAction;
  subject: string | null;
  details: Record<string, string>;
};

export type NewAuditEvent = {
  organizationId: string;
  now: Date;
  action: AuditAction;
  actor: Actor;
  subject?: string;
  details?: Record<string, string>;
};

/** Adds an event. Call it within the transaction of the change, so that neither is stored without the other. */
export const recordAuditEvent = async (db: Queries, event: NewAuditEvent): Promise<void> => {
  const { organizationId, now, action, actor, subject = null, details = {} } = event;
  await db('audit_events').insert({
    organization_id: organizationId,
    id: makeSortableId(now),
    at: now.toISOString(),
    action,
    member_id: actor.memberId,
    email: actor.email,
    subject,
    details: JSON.stringify(details),
    address: actor.address,
  });
};

/** `from` and `until` are ISO 8601 times in UTC; `until` is exclusive. */
export type AuditFilter = { memberId?: string; action?: string; from?: string; until?: string };

/** The events of an organization that match, newest first, older than the event `page.after`. */
export const findAuditEvents = async (
  db: Queries,
  organizationId: string,
  filter: AuditFilter,
  page: { after?: string; limit: number },
): Promise<AuditEvent[]> => {
  const query = db('audit_events').where({ organization_id: organizationId });
  if (filter.memberId !== undefined) query.where({ member_id: filter.memberId });
  if (filter.action !== undefined) query.where({ action: filter.action });
  if (filter.from !== undefined) query.where('at', '>=', filter.from);
  if (filter.until !== undefined) query.where('at', '<', filter.until);
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
