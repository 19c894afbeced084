// Audit events as CSV (RFC 4180).
import { stringify } from 'csv-stringify/sync';
import type { AuditEvent } from './store.ts';

const columns = ['at', 'action', 'memberId', 'email', 'subject', 'address', 'details', 'id'];

/** The chunks of a CSV file with a header line. A text that a spreadsheet would run as a formula is escaped. */
export async function* auditEventsToCsv(chunks: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  yield toCsv([columns]);
  for await (const events of chunks) yield toCsv(events.map(toCells));
}

const toCells = (event: AuditEvent): (string | null)[] => [
  event.at,
  event.action,
  event.memberId,
  event.email,
  event.subject,
  event.address,
  JSON.stringify(event.details),
  event.id,
];

const toCsv = (rows: (string | null)[][]): string =>
  stringify(rows, { escape_formulas: true, quoted: true, quoted_empty: true, record_delimiter: '\r\n' });
