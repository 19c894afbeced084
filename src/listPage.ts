// The pages of the lists that members read. A cursor is the position of the last item of a page. It is not authenticated,
// because it only contains a position in a list that the member may read anyway.
import { ValidationError } from './errors.ts';
import { type IdPrefix, isId } from './ids.ts';

type Page<Row> = { page: Row[]; next: { nextCursor?: string } };

/** The first `limit` of the rows that were read, of which one more tells that there is another page; and its cursor. */
export const toListPage = <Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): Page<Row> => {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, next: last === undefined ? {} : { nextCursor: cursorOf(last) } };
};

export const encodeListCursor = (position: string): string => Buffer.from(position).toString('base64url');

/** The text that `encodeListCursor` got. */
export const decodeListCursor = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();

export const invalidListCursor = (): ValidationError =>
  new ValidationError('invalid_cursor', [{ path: '/query/cursor', message: 'does not belong to this list' }]);

/** Which rows a page of a list begins after, by time and id, and how many it has. */
export type ListRange = { after?: { createdAt: string; id: string }; limit: number };

/**
 * One page of a list that is sorted by time and id, from the rows that `find` reads; `prefix` is that of the ids. Throws
 * ValidationError for a cursor of another list.
 */
export const readListPage = async <Row extends { createdAt: string }>(
  prefix: IdPrefix,
  { cursor, limit }: { cursor?: string; limit: number },
  find: (range: ListRange) => Promise<Row[]>,
  idOf: (row: Row) => string,
): Promise<Page<Row>> => {
  const after = cursor === undefined ? undefined : decodePosition(cursor, prefix);
  const rows = await find({ after, limit: limit + 1 });
  return toListPage(rows, limit, (last) => encodeListCursor(`${last.createdAt} ${idOf(last)}`));
};

const decodePosition = (cursor: string, prefix: IdPrefix): ListRange['after'] => {
  const form = /^(?<createdAt>\d{4}-\d\d-\d\dT[\d:.]{12}Z) (?<id>\w+)$/;
  const { createdAt, id } = form.exec(decodeListCursor(cursor))?.groups ?? {};
  if (createdAt !== undefined && id !== undefined && isId(prefix, id)) return { createdAt, id };
  throw invalidListCursor();
};
