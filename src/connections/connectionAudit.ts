// Audit events about a connection.
import { type NewAuditEvent, recordAuditEvent } from '../audit/store.ts';
import type { Queries } from '../db/open.ts';

/**
 * Adds an audit event about a connection. It contains only the beginning and the end of the connection's id: audit
 * events are kept forever, and connections are not.
 */
export const recordConnectionAudit = (
  trx: Queries,
  connection: { id: string; applicationId: string },
  event: Omit<NewAuditEvent, 'subject' | 'details'>,
): Promise<void> =>
  recordAuditEvent(trx, {
    ...event,
    subject: shortenId(connection.id),
    details: { application: connection.applicationId },
  });

const shortenId = (id: string): string => `${id.slice(0, 4)}…${id.slice(-6)}`;
