// Writing the log of who did what.
import type { Queries } from '../db/open.ts';
import { makeSortableId } from '../ids.ts';
import type { AuditAction } from './auditEvent.ts';
import { insertAuditEvent } from './store.ts';

/** What was done, by whom and from where. */
export type NewAuditEvent = {
  organizationId: string;
  now: Date;
  action: AuditAction;
  actor: { memberId: string | null; email: string | null; address: string | null };
  subject?: string;
  details?: Record<string, string>;
};

/** Writes a line, within the transaction of what it tells, so that neither is there without the other. */
export const recordAuditEvent = async (db: Queries, deed: NewAuditEvent): Promise<void> => {
  const { organizationId, now, action, actor, subject = null, details = {} } = deed;
  await insertAuditEvent(db, {
    organizationId,
    id: makeSortableId(now),
    at: now.toISOString(),
    action,
    ...actor,
    subject,
    details,
  });
};
