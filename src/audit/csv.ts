// The log as CSV (RFC 4180), piece by piece.
import type { AuditEvent } from './event.ts';

const headings = ['at', 'action', 'memberId', 'email', 'subject', 'address', 'details', 'id'];

/** The lines of a file, with a line of headings before them. */
export async function* csvOf(parts: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  yield line(headings);
  for await (const events of parts) yield events.map(lineOf).join('');
}

const lineOf = (event: AuditEvent): string =>
  line([
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
const cell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};

const line = (cells: string[]): string => `${cells.map(cell).join(',')}\r\n`;
