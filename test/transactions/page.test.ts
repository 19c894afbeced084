// nextCursor: read back as it was made, for the same account and filters; anything else is no cursor.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ValidationError } from '../../src/errors.ts';
import { randomBytes } from '../../src/random.ts';
import {
  decodePageCursor,
  encodePageCursor,
  type PageCursor,
  type CursorScope,
} from '../../src/transactions/pageCursor.ts';

const key = randomBytes(32);
const scope: CursorScope = { accountId: 'acc_1', filters: '[null,null]' };
const walk: PageCursor = {
  refreshedUpTo: 'txr_01HQ3Z8F6V9K2M4N7P0R5S8T1W',
  after: { refreshCursor: 'txr_01HQ1K5C3T8J0K2M5N7P9R4S6V', date: '2024-02-24', seq: 17 },
};

const expectNoCursor = (text: string, other: Partial<CursorScope> = {}, otherKey: Buffer = key): void => {
  try {
    decodePageCursor(text, { ...scope, ...other }, otherKey);
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).code).toBe('invalid_cursor');
    expect((error as ValidationError).problems.map(({ path }) => path)).toEqual(['/query/cursor']);
    return;
  }
  throw new Error(`${text} was taken for a cursor.`);
};

test('a cursor is read back as the walk that it was made of', () => {
  const text = fc.string({ maxLength: 30 });
  const walks = fc.record({
    refreshedUpTo: text,
    after: fc.record({ refreshCursor: text, date: text, seq: fc.nat({ max: 2 ** 31 }) }),
  });
  const scopes = fc.record({ accountId: text, filters: text });
  fc.assert(
    fc.property(walks, scopes, (given, of) => {
      expect(decodePageCursor(encodePageCursor(given, of, key), of, key)).toEqual(given);
    }),
  );
});

test('a cursor of another account, other filters or another service is none', () => {
  const text = encodePageCursor(walk, scope, key);
  expectNoCursor(text, { accountId: 'acc_2' });
  expectNoCursor(text, { filters: '[null]' });
  expectNoCursor(text, {}, randomBytes(32));
  // The two parts of a scope cannot be shifted into each other.
  const shifted = encodePageCursor(walk, { accountId: 'acc_1","x', filters: 'y' }, key);
  expectNoCursor(shifted, { accountId: 'acc_1', filters: 'x","y' });
});

test('a cursor with any one bit changed is none', () => {
  const bytes = Buffer.from(encodePageCursor(walk, scope, key), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
    expectNoCursor(changed.toString('base64url'));
  }
});

test('a cursor has one spelling', () => {
  const text = encodePageCursor(walk, scope, key);
  expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
  for (const other of [
    `${text}=`,
    `${text} `,
    ` ${text}`,
    `${text}A`,
    text.slice(0, -1),
    text.toUpperCase(),
  ]) {
    expectNoCursor(other);
  }
});

test('any other text is no cursor, and no error of another kind', () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => expectNoCursor(text)));
  fc.assert(fc.property(fc.base64String({ maxLength: 200 }), (text) => expectNoCursor(text)));
});

test('it is short enough for the contract, whatever it carries', () => {
  const longest = {
    refreshedUpTo: walk.refreshedUpTo,
    after: { ...walk.after, seq: Number.MAX_SAFE_INTEGER },
  };
  expect(encodePageCursor(longest, scope, key).length).toBeLessThan(2000);
});
