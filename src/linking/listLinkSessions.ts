// Lists the link sessions of an application for the dashboard, newest first. A cursor leads to the next page.
import type { Queries } from '../db/open.ts';
import { type ListRange, readListPage } from '../listPage.ts';
import { findListedLinkSessions, type LinkSessionPageRequest, type ListedLinkSession } from './listStore.ts';

export type LinkSessionPage = { linkSessions: ListedLinkSession[]; nextCursor?: string };

/** One page of the link sessions of an application. Throws ValidationError for an invalid cursor. */
export const listLinkSessions = async (
  db: Queries,
  { cursor, limit, ...request }: Omit<LinkSessionPageRequest, 'after'> & { cursor?: string },
): Promise<LinkSessionPage> => {
  const find = (range: ListRange) => findListedLinkSessions(db, { ...request, ...range });
  const { page, next } = await readListPage('lks', { cursor, limit }, find, ({ id }) => id);
  return { linkSessions: page, ...next };
};
