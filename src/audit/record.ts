// Writing the log of who did what.
import type { Queries } from '../db/open.ts';
import { makeTimedId } from '../ids.ts';
import type { Action } from './event.ts';
import { insertEvent } from './store.ts';

/** What was done, by whom and from where. */
export type Deed = {
  organizationId: string;
  now: Date;
  action: Action;
  by: { memberId: string | null; email: string | null; address: string | null };
  subject?: string;
  details?: Record<string, string>;
};

/** Writes a line, within the transaction of what it tells, so that neither is there without the other. */
export const record = async (db: Queries, deed: Deed): Promise<void> => {
  const { organizationId, now, action, by, subject = null, details = {} } = deed;
  await insertEvent(db, {
    organizationId,
    id: makeTimedId(now),
    at: now.toISOString(),
    action,
    ...by,
    subject,
    details,
  });
};
