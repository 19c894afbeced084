// Ids: a prefix and 128 bits in base 62, in exactly one spelling.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase62, isId, makeId, makeSortableId, toBase62 } from '../src/ids.ts';

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });

test('16 bytes are 22 digits, and the digits are the bytes again', () => {
  fc.assert(
    fc.property(bytes, (given) => {
      const text = toBase62(given);
      expect(text).toMatch(/^[0-9A-Za-z]{22}$/);
      expect(fromBase62(text)).toEqual(Buffer.from(given));
    }),
  );
});

test('the order of the digits is the order of the bytes', () => {
  fc.assert(
    fc.property(bytes, bytes, (left, right) => {
      const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
      expect(order(toBase62(left), toBase62(right))).toBe(Buffer.compare(left, right));
    }),
  );
});

test('what is no spelling of 16 bytes is none', () => {
  const greatest = toBase62(Buffer.alloc(16, 0xff));
  expect(greatest).toBe('7n42DGM5Tflk9n8mt7Fhc7');
  const wrong = [
    '',
    '0',
    greatest.slice(1),
    `${greatest}0`,
    '7n42DGM5Tflk9n8mt7Fhc8',
    'z'.repeat(22),
    `${'0'.repeat(21)}-`,
  ];
  for (const text of wrong) expect(fromBase62(text)).toBe(undefined);
  expect(fromBase62('0'.repeat(22))).toEqual(Buffer.alloc(16));
});

test('an id has its prefix, and is no other kind of id', () => {
  const id = makeId('con');
  expect(id).toMatch(/^con_[0-9A-Za-z]{22}$/);
  expect(isId('con', id)).toBe(true);
  expect(isId('acc', id)).toBe(false);
  for (const other of [
    id.slice(0, -1),
    `${id}0`,
    ` ${id}`,
    `${id.slice(0, -1)}-`,
    `${id.slice(0, -1)}\0`,
    `${id}\n`,
    '',
  ]) {
    expect(isId('con', other)).toBe(false);
  }
});

test('no two are the same', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => makeId('txn'))).size).toBe(10_000);
});

describe('an id that sorts as time does', () => {
  const start = Date.parse('2031-01-01T00:00:00Z');
  const made = (...moments: number[]): string[] =>
    moments.map((after) => makeSortableId(new Date(start + after)));

  test('keeps the order of a burst, and of a clock that was corrected by a little', () => {
    const ids = made(0, 0, 0, 1, -5000, -4000, 2);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('follows a clock that was set back by hours', () => {
    const [mistaken, corrected, later] = made(0, -3 * 3_600_000, -3 * 3_600_000 + 1) as [
      string,
      string,
      string,
    ];
    expect([mistaken, corrected, later].toSorted()).toEqual([corrected, later, mistaken]);
  });
});
