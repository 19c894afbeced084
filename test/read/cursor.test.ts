// Encoding and decoding of nextCursor: a cursor decodes only for the same account and filters.

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CursorScope,
  decodePageCursor,
  encodePageCursor,
  type PageCursor,
} from '../../src/flows/read/cursor.ts';
import { ValidationError } from '../../src/platform/values/errors.ts';
import { keysetOf } from '../support/keysetOf.ts';

const key = keysetOf(randomBytes(32));
const scope: CursorScope = { accountId: 'acc_1', filters: '[null,null]' };
const cursor: PageCursor = {
  refreshedUpTo: 1_709_000_000_000,
  after: { refreshTime: 1_708_000_000_000, date: 19_777, seq: 17 },
};

const expectInvalid = (text: string, other: Partial<CursorScope> = {}, otherKey = key): void => {
  try {
    decodePageCursor(text, { ...scope, ...other }, otherKey);
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).code).toBe('invalid_cursor');
    expect((error as ValidationError).problems.map(({ path }) => path)).toEqual(['/query/cursor']);
    return;
  }
  throw new Error(`${text} was accepted as a cursor.`);
};

test('an encoded cursor decodes to the same cursor', () => {
  const text = fc.string({ maxLength: 30 });
  const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
  const cursors = fc.record({
    refreshedUpTo: time,
    after: fc.record({ refreshTime: time, date: fc.integer(), seq: fc.nat({ max: 2 ** 31 }) }),
  });
  const scopes = fc.record({ accountId: text, filters: text });
  fc.assert(
    fc.property(cursors, scopes, (given, givenScope) => {
      expect(decodePageCursor(encodePageCursor(given, givenScope, key), givenScope, key)).toEqual(given);
    }),
  );
});

test('a cursor of another account, other filters or another service is invalid', () => {
  const text = encodePageCursor(cursor, scope, key);
  expectInvalid(text, { accountId: 'acc_2' });
  expectInvalid(text, { filters: '[null]' });
  expectInvalid(text, {}, keysetOf(randomBytes(32)));
  // The boundary between the two parts of a scope cannot shift.
  const shifted = encodePageCursor(cursor, { accountId: 'acc_1","x', filters: 'y' }, key);
  expectInvalid(shifted, { accountId: 'acc_1', filters: 'x","y' });
});

test('a cursor with one bit changed is invalid', () => {
  const bytes = Buffer.from(encodePageCursor(cursor, scope, key), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
    expectInvalid(changed.toString('base64url'));
  }
});

test('a cursor has one encoding', () => {
  const text = encodePageCursor(cursor, scope, key);
  expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
  for (const other of [
    `${text}=`,
    `${text} `,
    ` ${text}`,
    `${text}A`,
    text.slice(0, -1),
    text.toUpperCase(),
  ]) {
    expectInvalid(other);
  }
});

test('any other text is an invalid cursor', () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => expectInvalid(text)));
  fc.assert(fc.property(fc.base64String({ maxLength: 200 }), (text) => expectInvalid(text)));
});

test('the longest cursor is within the limit of the contract', () => {
  const longest = {
    refreshedUpTo: cursor.refreshedUpTo,
    after: { ...cursor.after, seq: Number.MAX_SAFE_INTEGER },
  };
  expect(encodePageCursor(longest, scope, key).length).toBeLessThan(2000);
});
