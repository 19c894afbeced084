// nextCursor: where a walk through an account stands. It carries the refresh at which the walk began and the
// last entry shown, authenticated together with the account and the filters, which it does not carry: a cursor
// that comes back with other filters, for another account or altered is refused.
import sodium from 'sodium-native';
import { ValidationError } from '../errors.ts';
import { constantTimeEqual } from '../vault/keys.ts';

export type TransactionPosition = { refreshCursor: string; date: string; seq: number };

/** `bound` is the greatest refresh that this walk shows; `after` the last entry that it has shown. */
export type PageCursor = { refreshedUpTo: string; after: TransactionPosition };

/** What a cursor is bound to: the account and all filters, in one spelling. */
export type CursorScope = { accountId: string; filters: string };

const version = 1;
const macBytes = 16;

const mac = (payload: Buffer, scope: CursorScope, key: Buffer): Buffer => {
  const tag = Buffer.alloc(macBytes);
  const bound = Buffer.from(JSON.stringify([scope.accountId, scope.filters]));
  sodium.crypto_generichash(
    tag,
    Buffer.concat([Buffer.from([version, payload.length >> 8, payload.length]), payload, bound]),
    key,
  );
  return tag;
};

/** The opaque text of a walk: base64url of version (1 byte), tag (16) and the walk as JSON. */
export const encodePageCursor = (walk: PageCursor, scope: CursorScope, key: Buffer): string => {
  const { refreshedUpTo, after } = walk;
  const payload = Buffer.from(JSON.stringify([refreshedUpTo, after.refreshCursor, after.date, after.seq]));
  return Buffer.concat([Buffer.from([version]), mac(payload, scope, key), payload]).toString('base64url');
};

/** Reads a cursor back; BadInput where it is not exactly one that was made for this account and these filters. */
export const decodePageCursor = (cursor: string, scope: CursorScope, key: Buffer): PageCursor => {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(1 + macBytes);
  const genuine =
    bytes.toString('base64url') === cursor &&
    bytes[0] === version &&
    payload.length > 0 &&
    constantTimeEqual(bytes.subarray(1, 1 + macBytes), mac(payload, scope, key));
  if (!genuine)
    throw new ValidationError('invalid_cursor', [{ path: '/query/cursor', message: invalidCursorMessage }]);
  const [refreshedUpTo, refreshCursor, date, seq] = JSON.parse(payload.toString()) as [
    string,
    string,
    string,
    number,
  ];
  return { refreshedUpTo, after: { refreshCursor, date, seq } };
};

const invalidCursorMessage =
  'must be the nextCursor of the page before, sent with the same account and the same filters; without a cursor the walk starts anew';
