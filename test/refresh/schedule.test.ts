// The schedule of a connection's next refresh.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextRefreshAt, retryAt } from '../../src/flows/refresh/schedule.ts';
import { limits } from '../../src/platform/settings/limits.ts';

const now = new Date('2026-02-28T23:30:00Z');
const random = fc.double({ min: 0, max: 1, noNaN: true });
const hour = 3_600_000;
const wait = (then: Date): number => then.getTime() - now.getTime();

describe('after a successful refresh', () => {
  test('the next one follows after the interval, plus or minus 10 %', () => {
    const interval = limits.refreshEveryHours * hour;
    expect(wait(nextRefreshAt(now, limits, 0))).toBeCloseTo(0.9 * interval, -1);
    expect(wait(nextRefreshAt(now, limits, 0.5))).toBeCloseTo(interval, -1);
    expect(wait(nextRefreshAt(now, limits, 1))).toBeCloseTo(1.1 * interval, -1);
  });
});

describe('after failures in a row', () => {
  test('the pause doubles, and half of it is random', () => {
    const initial = limits.retryInitialSeconds * 1000;
    for (const attempts of [1, 2, 3, 4]) {
      expect(wait(retryAt(now, attempts, limits, 1))).toBe(initial * 2 ** (attempts - 1));
      expect(wait(retryAt(now, attempts, limits, 0))).toBe((initial * 2 ** (attempts - 1)) / 2);
    }
  });

  test('the pause never exceeds the maximum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), random, (attempts, value) => {
        const then = retryAt(now, attempts, limits, value);
        expect(Number.isNaN(then.getTime())).toBe(false);
        expect(wait(then)).toBeGreaterThanOrEqual((limits.retryInitialSeconds * 1000) / 2);
        expect(wait(then)).toBeLessThanOrEqual(limits.retryMaxHours * hour);
        expect(wait(retryAt(now, attempts + 1, limits, value))).toBeGreaterThanOrEqual(wait(then));
      }),
    );
  });
});
