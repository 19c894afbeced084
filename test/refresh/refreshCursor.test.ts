// Refresh times always increase, even when the clock is set back, and refresh cursors sort in the same order.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatRefreshCursor, nextRefreshTime, parseRefreshCursor } from '../../src/platform/values/ids.ts';

const form = /^txr_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const moments = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });

test('each is greater than the last one, as text, even if the clock stops or is set back', () => {
  fc.assert(
    fc.property(fc.array(moments, { minLength: 1, maxLength: 50 }), (moved) => {
      let last: number | undefined;
      for (const now of moved) {
        const next = nextRefreshTime(last, now);
        expect(next).toBeGreaterThanOrEqual(now.getTime());
        expect(formatRefreshCursor(next)).toMatch(form);
        if (last !== undefined) expect(formatRefreshCursor(next) > formatRefreshCursor(last)).toBe(true);
        last = next;
      }
    }),
  );
});

test('a cursor is the time of its refresh, in the form of a ULID', () => {
  // The example of the ULID specification.
  expect(formatRefreshCursor(1_469_918_176_385)).toBe(`txr_01ARYZ6S41${'0'.repeat(16)}`);
  const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
  fc.assert(
    fc.property(time, time, (one, other) => {
      const [first, second] = [formatRefreshCursor(one), formatRefreshCursor(other)];
      expect(parseRefreshCursor(first)).toBe(one);
      expect(first < second).toBe(one < other);
    }),
  );
});

test('a cursor with a random part means the time before it', () => {
  const cursor = formatRefreshCursor(1_700_000_000_000);
  expect(parseRefreshCursor(cursor.replace(/0{16}$/, 'Z'.repeat(16)))).toBe(1_700_000_000_000);
});
