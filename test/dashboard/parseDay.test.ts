// Parses days that people type into the dashboard.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDay } from '../../dashboard/pages/audit/parseDay.ts';

const days = fc
  .date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('2999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] as const);

test('a day is parsed in each form that the dashboard or a person writes', () => {
  fc.assert(
    fc.property(days, ([year, month, date]) => {
      const at = new Date(Date.UTC(year, month - 1, date));
      const write = (locale: string, month: 'short' | 'long') =>
        new Intl.DateTimeFormat(locale, { year: 'numeric', month, day: 'numeric', timeZone: 'UTC' }).format(
          at,
        );
      for (const text of [
        write('en-GB', 'short'),
        write('en-GB', 'long'),
        write('en-US', 'short'),
        at.toISOString().slice(0, 10),
        ` ${write('en-GB', 'short').toUpperCase()} `,
      ]) {
        expect(parseDay(text)).toEqual([year, month, date]);
      }
    }),
  );
});

test('a text that is not a day, or not an existing one, is rejected', () => {
  for (const text of [
    '',
    '31 Feb 2026',
    '29 Feb 2026',
    '0 Nov 2026',
    '21 Nov 26',
    '21 11 2026',
    '2026-13-01',
    '21 Xyz 2026',
    'today',
  ])
    expect([text, parseDay(text)]).toEqual([text, undefined]);
});
