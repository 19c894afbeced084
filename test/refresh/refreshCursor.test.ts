// Refresh cursors always increase, whatever the clock does.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextRefreshCursor } from '../../src/ids.ts';

const form = /^txr_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const moments = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeOf = (cursor: string): number =>
  [...cursor.slice(4, 14)].reduce((time, digit) => time * 32 + alphabet.indexOf(digit), 0);

test('each is greater than the last one, as text, even when the clock stands still or is set back', () => {
  fc.assert(
    fc.property(fc.array(moments, { minLength: 1, maxLength: 50 }), (times) => {
      let last: string | undefined;
      for (const time of times) {
        const next = nextRefreshCursor(last, time);
        expect(next).toMatch(form);
        if (last !== undefined) expect(next > last).toBe(true);
        last = next;
      }
    }),
  );
});

test('their order as text is the order of their times', () => {
  fc.assert(
    fc.property(moments, moments, (one, other) => {
      const [first, second] = [nextRefreshCursor(undefined, one), nextRefreshCursor(undefined, other)];
      expect(timeOf(first)).toBe(one.getTime());
      if (one < other) expect(first < second).toBe(true);
    }),
  );
});

test('the greatest random part overflows into the time', () => {
  const last = `txr_01HQ3Z8F6V${'Z'.repeat(16)}`;
  expect(nextRefreshCursor(last, new Date(0))).toBe(`txr_01HQ3Z8F6W${'0'.repeat(16)}`);
});

test('cursors of the same moment differ', () => {
  const now = new Date();
  const cursors = Array.from({ length: 1000 }, () => nextRefreshCursor(undefined, now));
  expect(new Set(cursors).size).toBe(1000);
});
