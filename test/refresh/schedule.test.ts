// When a connection is refreshed next.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/config.ts';
import { nextRefreshAt, retryAt } from '../../src/refresh/schedule.ts';

const now = new Date('2026-02-28T23:30:00Z');
const chance = fc.double({ min: 0, max: 1, noNaN: true });
const hour = 3_600_000;
const wait = (then: Date): number => then.getTime() - now.getTime();

describe('after a refresh', () => {
  test('the next one comes after the interval, a tenth earlier or later', () => {
    const every = limits.refreshEveryHours * hour;
    expect(wait(nextRefreshAt(now, limits, 0))).toBeCloseTo(0.9 * every, -1);
    expect(wait(nextRefreshAt(now, limits, 0.5))).toBeCloseTo(every, -1);
    expect(wait(nextRefreshAt(now, limits, 1))).toBeCloseTo(1.1 * every, -1);
  });
});

describe('after failures in a row', () => {
  test('the pause doubles, with half of it left to chance', () => {
    const first = limits.retryInitialSeconds * 1000;
    for (const attempts of [1, 2, 3, 4]) {
      expect(wait(retryAt(now, attempts, limits, 1))).toBe(first * 2 ** (attempts - 1));
      expect(wait(retryAt(now, attempts, limits, 0))).toBe((first * 2 ** (attempts - 1)) / 2);
    }
  });

  test('it grows to the longest and never beyond, however often it fails', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), chance, (attempts, left) => {
        const then = retryAt(now, attempts, limits, left);
        expect(Number.isNaN(then.getTime())).toBe(false);
        expect(wait(then)).toBeGreaterThanOrEqual((limits.retryInitialSeconds * 1000) / 2);
        expect(wait(then)).toBeLessThanOrEqual(limits.retryMaxHours * hour);
        expect(wait(retryAt(now, attempts + 1, limits, left))).toBeGreaterThanOrEqual(wait(then));
      }),
    );
  });
});
