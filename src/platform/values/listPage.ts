// The pages of the lists that members read. A cursor is the position of the last item of a page. It is not authenticated,
// because it only contains a position in a list that the member may read anyway.
import { ValidationError } from './errors.ts';
import { type IdPrefix, isId } from './ids.ts';

/** The encoding of positions in a list. Decoding a cursor from another list returns no position. */
export type ListCursors<Row, Position> = {
  encode(last: Row): string;
  decode(cursor: string): Position | undefined;
};

export type ListPage<Row> = { rows: Row[]; nextCursor?: string };

/** The page after `cursor`, with the cursor for the next one. Throws ValidationError for a cursor from another list. */
export const readListPage = async <Row, Position>(
  { cursor, limit = 50 }: { cursor?: string; limit?: number },
  { encode, decode }: ListCursors<NoInfer<Row>, Position>,
  find: (page: { after: Position | undefined; limit: number }) => Promise<Row[]>,
): Promise<ListPage<Row>> => {
  const after = cursor === undefined ? undefined : decode(cursor);
  if (cursor !== undefined && after === undefined) {
    const message = 'does not belong to this list';
    throw new ValidationError('invalid_cursor', [{ path: '/query/cursor', message }]);
  }
  // One more row shows that there is another page.
  const found = await find({ after, limit: limit + 1 });
  const rows = found.slice(0, limit);
  return found.length > limit ? { rows, nextCursor: encode(rows.at(-1)!) } : { rows };
};

export const encodeListCursor = (position: string): string => Buffer.from(position).toString('base64url');

/** The text that `encodeListCursor` encoded. */
export const decodeListCursor = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();

export type TimeAndId = { createdAt: string; id: string };

/** The position before a page of a list, by time and id, and the page's size. */
export type ListRange = { after?: TimeAndId; limit: number };

/** The cursors of a list that is sorted by time and id; `prefix` is that of the ids. */
export const timeAndIdCursors = (prefix: IdPrefix): ListCursors<TimeAndId, TimeAndId> => ({
  encode: ({ createdAt, id }) => encodeListCursor(`${createdAt} ${id}`),
  decode: (cursor) => {
    const form = /^(?<createdAt>\d{4}-\d\d-\d\dT[\d:.]{12}Z) (?<id>\w+)$/;
    const { createdAt, id } = form.exec(decodeListCursor(cursor))?.groups ?? {};
    const isPosition = createdAt !== undefined && id !== undefined && isId(prefix, id);
    return isPosition ? { createdAt, id } : undefined;
  },
});
