// Audit events as CSV (RFC 4180).
import { stringify } from 'csv-stringify/sync';
import type { AuditEvent } from './store.ts';

const columns = [
  'at',
  'action',
  'memberId',
  'tokenId',
  'email',
  'subject',
  'address',
  'details',
  'id',
] as const;

/** Yields a CSV file, with a header line, in chunks. Escapes text that a spreadsheet would run as a formula. */
export async function* auditEventsToCsv(chunks: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  yield toCsv([columns]);
  for await (const events of chunks) yield toCsv(events.map(toCells));
}

const toCells = (event: AuditEvent): (string | null)[] => {
  const cells = { ...event, details: JSON.stringify(event.details) };
  return columns.map((column) => cells[column]);
};

const toCsv = (rows: (readonly (string | null)[])[]): string =>
  stringify(rows, { escape_formulas: true, quoted: true, quoted_empty: true, record_delimiter: '\r\n' });
