// Lists the logged requests of an application for the dashboard, newest first. A cursor leads to the next page.
import type { Queries } from '../db/open.ts';
import type { LoggedRequestRow } from '../db/tables.ts';
import { ValidationError } from '../errors.ts';
import { findRequests, type RequestFilter } from './requestLogStore.ts';

export type RequestPage = { requests: LoggedRequestRow[]; nextCursor?: string };

/** One page of the logged requests of an application. Throws ValidationError for an invalid cursor. */
export const listRequests = async (
  db: Queries,
  applicationId: string,
  { cursor, limit, ...filter }: RequestFilter & { cursor?: string; limit: number },
): Promise<RequestPage> => {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const rows = await findRequests(db, applicationId, filter, { after, limit: limit + 1 });
  const requests = rows.slice(0, limit);
  const last = rows.length > limit ? requests.at(-1) : undefined;
  return { requests, ...(last && { nextCursor: Buffer.from(last.id).toString('base64url') }) };
};

// Cursors are not authenticated: they only contain a position in a list that the member may read anyway.
const decodeCursor = (text: string): string => {
  const id = Buffer.from(text, 'base64url').toString();
  if (/^[0-9a-z]{11}[0-9a-f]{32}$/.test(id)) return id;
  const message = 'does not belong to this list';
  throw new ValidationError('invalid_cursor', [{ path: '/query/cursor', message }]);
};
