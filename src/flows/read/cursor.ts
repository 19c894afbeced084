// Encodes nextCursor: the last refresh of the list and the position of the last transaction on the page. Its MAC also covers
// the account and the filters, so a cursor that is altered, or sent with others, is rejected.
import sodium from 'sodium-native';
import { ValidationError } from '../../platform/values/errors.ts';
import { constantTimeEqual } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';

/** The position of a row: the time of its refresh in milliseconds, its date in days since 1970, and its `seq`. */
export type TransactionPosition = { refreshTime: number; date: number; seq: number };

/** `refreshedUpTo` is the refresh at which the list ends; `after` is the last transaction of the previous page. */
export type PageCursor = { refreshedUpTo: number; after: TransactionPosition };

/** A cursor is bound to the account and to all filters, in a canonical form. */
export type CursorScope = { accountId: string; filters: string };

export type TransactionListQuery = {
  cursor?: string;
  limit?: number;
  refreshedSince?: string;
  /** Dates as YYYY-MM-DD. */
  date?: DateFilter;
};

export type DateFilter = { gte?: string; gt?: string; lte?: string; lt?: string };

export const scopeOf = (
  accountId: string,
  { refreshedSince, date = {} }: TransactionListQuery,
): CursorScope => {
  const filters = [refreshedSince, date.gte, date.gt, date.lte, date.lt].map((part) => part ?? null);
  return { accountId, filters: JSON.stringify(filters) };
};

const version = 1;
const macBytes = 16;

const mac = (payload: Buffer, scope: CursorScope, key: Buffer): Buffer => {
  const tag = Buffer.alloc(macBytes);
  const boundTo = Buffer.from(JSON.stringify([scope.accountId, scope.filters]));
  sodium.crypto_generichash(
    tag,
    Buffer.concat([Buffer.from([version, payload.length >> 8, payload.length]), payload, boundTo]),
    key,
  );
  return tag;
};

/** Base64url of version (1 byte), MAC (16) and the cursor as JSON. */
export const encodePageCursor = (
  cursor: PageCursor,
  scope: CursorScope,
  keys: Pick<Keyset<Buffer>, 'current'>,
): string => {
  const { refreshedUpTo, after } = cursor;
  const payload = Buffer.from(JSON.stringify([refreshedUpTo, after.refreshTime, after.date, after.seq]));
  const tag = mac(payload, scope, keys.current());
  return Buffer.concat([Buffer.from([version]), tag, payload]).toString('base64url');
};

/** Decodes a cursor. Throws ValidationError if it was not created for this account and these filters. */
export const decodePageCursor = (
  text: string,
  scope: CursorScope,
  keys: Pick<Keyset<Buffer>, 'all'>,
): PageCursor => {
  const bytes = Buffer.from(text, 'base64url');
  const payload = bytes.subarray(1 + macBytes);
  const authentic =
    bytes.toString('base64url') === text &&
    bytes[0] === version &&
    payload.length > 0 &&
    keys.all().some((key) => constantTimeEqual(bytes.subarray(1, 1 + macBytes), mac(payload, scope, key)));
  if (!authentic)
    throw new ValidationError('invalid_cursor', [{ path: '/query/cursor', message: invalidCursorMessage }]);
  const numbers: [number, number, number, number] = JSON.parse(payload.toString());
  const [refreshedUpTo, refreshTime, date, seq] = numbers;
  return { refreshedUpTo, after: { refreshTime, date, seq } };
};

const invalidCursorMessage =
  'must be the nextCursor of the previous page, sent with the same account and the same filters; without a cursor the list starts at the beginning';
