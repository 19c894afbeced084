// Lists the link sessions of an application for the dashboard, newest first. A cursor leads to the next page.
import type { Queries } from '../db/open.ts';
import { ValidationError } from '../errors.ts';
import {
  findListedLinkSessions,
  type LinkSessionPageRequest,
  type LinkSessionPosition,
  type ListedLinkSession,
} from './listStore.ts';

export type LinkSessionPage = { linkSessions: ListedLinkSession[]; nextCursor?: string };

/** One page of the link sessions of an application. Throws ValidationError for an invalid cursor. */
export const listLinkSessions = async (
  db: Queries,
  { cursor, limit, ...request }: Omit<LinkSessionPageRequest, 'after'> & { cursor?: string },
): Promise<LinkSessionPage> => {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const rows = await findListedLinkSessions(db, { ...request, after, limit: limit + 1 });
  const linkSessions = rows.slice(0, limit);
  const last = rows.length > limit ? linkSessions.at(-1) : undefined;
  return { linkSessions, ...(last && { nextCursor: encodeCursor(last) }) };
};

// Cursors are not authenticated: they only contain a position in a list that the member may read anyway.
const encodeCursor = ({ createdAt, id }: LinkSessionPosition): string =>
  Buffer.from(`${createdAt} ${id}`).toString('base64url');

const decodeCursor = (text: string): LinkSessionPosition => {
  const form = /^(?<createdAt>\d{4}-\d\d-\d\dT[\d:.]{12}Z) (?<id>lks_[0-9A-Za-z]{22})$/;
  const position = form.exec(Buffer.from(text, 'base64url').toString())?.groups;
  if (position) return position as LinkSessionPosition;
  const message = 'does not belong to this list';
  throw new ValidationError('invalid_cursor', [{ path: '/query/cursor', message }]);
};
