// The audit log of changes is append-only: database triggers reject updates and deletions.
import type { Database, DbTransaction, Queries } from '../../platform/db/open.ts';
import type { AuditEventRow } from '../../platform/db/tables.ts';
import { makeSortableId } from '../../platform/values/ids.ts';
import type { AuditContext } from './by.ts';

export type AuditAction = AuditEventRow['action'];

/** The changed object, and the change. Details are short strings without secrets: names, roles, origins. */
export type AuditEntry = { action: AuditAction; subject?: string; details?: Record<string, string> };

export type AuditEvent = Omit<AuditEventRow, 'details'> & { details: Record<string, string> };

/** Adds an event. Call it in the transaction that makes the change, so that neither is stored without the other. */
export const recordAudit = async (
  db: Queries,
  { organizationId, actor, now }: AuditContext,
  { action, subject, details = {} }: AuditEntry,
): Promise<void> => {
  await db('audit_events').insert({
    ...actor,
    organizationId,
    id: makeSortableId(now),
    at: now.toISOString(),
    action,
    subject,
    details: JSON.stringify(details),
  });
};

/**
 * Runs a change and adds the event it returns, in one transaction. `change` returns undefined if it changed nothing. Without
 * `by`, the application itself acts, which is not audited.
 */
export const audited = (
  db: Pick<Database, 'transaction'>,
  by: AuditContext | undefined,
  change: (trx: DbTransaction) => Promise<AuditEntry | undefined>,
): Promise<void> =>
  db.transaction(async (trx) => {
    const entry = await change(trx);
    if (entry && by) await recordAudit(trx, by, entry);
  });

/** `from` and `until` are ISO 8601 times in UTC; `until` is exclusive. */
export type AuditFilter = { memberId?: string; action?: AuditAction; from?: string; until?: string };

/** An organization's matching events that are older than the event `page.after`, newest first. */
export const findAuditEvents = async (
  db: Queries,
  organizationId: string,
  filter: AuditFilter,
  page: { after?: string; limit: number },
): Promise<AuditEvent[]> => {
  const query = db('audit_events').where({ organizationId });
  if (filter.memberId !== undefined) query.where({ memberId: filter.memberId });
  if (filter.action !== undefined) query.where({ action: filter.action });
  if (filter.from !== undefined) query.where('at', '>=', filter.from);
  if (filter.until !== undefined) query.where('at', '<', filter.until);
  if (page.after !== undefined) query.where('id', '<', page.after);
  const rows = await query.orderBy('id', 'desc').limit(page.limit).select('*');
  return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }));
};
