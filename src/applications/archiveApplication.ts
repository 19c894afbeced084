// Archives and restores applications. An archived one keeps its data, but nothing is linked, read, refreshed or delivered.
import { type Actor, recordAuditEvent } from '../audit/store.ts';
import type { Database } from '../db/open.ts';
import type { Application } from './application.ts';
import { updateArchivedAt } from './store.ts';

type Change = { application: Application; now: Date; actor: Actor };

/** Archives an application, with its audit event. Archiving again changes nothing. */
export const archiveApplication = (db: Database, change: Change): Promise<Application> =>
  change.application.archivedAt
    ? Promise.resolve(change.application)
    : setArchivedAt(db, change, change.now.toISOString());

/** Restores an archived application, with its audit event. Restoring again changes nothing. */
export const restoreApplication = (db: Database, change: Change): Promise<Application> =>
  setArchivedAt(db, change, null);

const setArchivedAt = async (
  db: Database,
  { application, now, actor }: Change,
  archivedAt: string | null,
): Promise<Application> => {
  const { id, organizationId } = application;
  const action = archivedAt === null ? 'application_restored' : 'application_archived';
  await db.transaction(async (trx) => {
    if (!(await updateArchivedAt(trx, id, archivedAt))) return;
    await recordAuditEvent(trx, { organizationId, now, actor, action, subject: id });
  });
  return { ...application, archivedAt };
};
