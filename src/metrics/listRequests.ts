// Lists the logged requests of an application for the dashboard, newest first. A cursor leads to the next page.
import type { Queries } from '../db/open.ts';
import type { LoggedRequestRow } from '../db/tables.ts';
import { decodeListCursor, encodeListCursor, invalidListCursor, toListPage } from '../listPage.ts';
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
  const { page, next } = toListPage(rows, limit, ({ id }) => encodeListCursor(id));
  return { requests: page, ...next };
};

const decodeCursor = (text: string): string => {
  const id = decodeListCursor(text);
  if (/^[0-9a-z]{11}[0-9a-f]{32}$/.test(id)) return id;
  throw invalidListCursor();
};
