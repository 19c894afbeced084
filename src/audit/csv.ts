// The log as CSV (RFC 4180), piece by piece.
import type { AuditEvent } from './auditEvent.ts';

const headings = ['at', 'action', 'memberId', 'email', 'subject', 'address', 'details', 'id'];

/** The lines of a file, with a line of headings before them. */
export async function* auditEventsToCsv(parts: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  yield toCsvLine(headings);
  for await (const events of parts) yield events.map(eventToLine).join('');
}

const eventToLine = (event: AuditEvent): string =>
  toCsvLine([
    event.at,
    event.action,
    event.memberId ?? '',
    event.email ?? '',
    event.subject ?? '',
    event.address ?? '',
    JSON.stringify(event.details),
    event.id,
  ]);

// A spreadsheet would run a cell that begins like a formula; an apostrophe makes it text.
const toCsvCell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};

const toCsvLine = (cells: string[]): string => `${cells.map(toCsvCell).join(',')}\r\n`;
