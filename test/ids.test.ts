// Ids: a prefix and 128 bits in base 62, with one encoding for each value.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase62, isId, makeId, makeSortableId, toBase62 } from '../src/platform/values/ids.ts';

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });

test('16 bytes are encoded as 22 digits and decoded again', () => {
  fc.assert(
    fc.property(bytes, (value) => {
      const text = toBase62(value);
      expect(text).toMatch(/^[0-9A-Za-z]{22}$/);
      expect(fromBase62(text)).toEqual(Buffer.from(value));
    }),
  );
});

test('encoding keeps the order of the bytes', () => {
  fc.assert(
    fc.property(bytes, bytes, (left, right) => {
      const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
      expect(order(toBase62(left), toBase62(right))).toBe(Buffer.compare(left, right));
    }),
  );
});

test('text that does not encode 16 bytes is rejected', () => {
  const greatest = toBase62(Buffer.alloc(16, 0xff));
  expect(greatest).toBe('7n42DGM5Tflk9n8mt7Fhc7');
  const invalid = [
    '',
    '0',
    greatest.slice(1),
    `${greatest}0`,
    '7n42DGM5Tflk9n8mt7Fhc8',
    'z'.repeat(22),
    `${'0'.repeat(21)}-`,
  ];
  for (const text of invalid) expect(fromBase62(text)).toBe(undefined);
  expect(fromBase62('0'.repeat(22))).toEqual(Buffer.alloc(16));
});

test('an id has its prefix and is not an id of another prefix', () => {
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

test('ids are unique', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => makeId('txn'))).size).toBe(10_000);
});

describe('a sortable id', () => {
  const start = Date.parse('2031-01-01T00:00:00Z');
  const makeIds = (...offsets: number[]): string[] =>
    offsets.map((offset) => makeSortableId(new Date(start + offset)));

  test('keeps the order within a millisecond, and when the clock is set back by seconds', () => {
    const ids = makeIds(0, 0, 0, 1, -5000, -4000, 2);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('follows a clock that is set back by hours', () => {
    const [early, corrected, later] = makeIds(0, -3 * 3_600_000, -3 * 3_600_000 + 1) as [
      string,
      string,
      string,
    ];
    expect([early, corrected, later].toSorted()).toEqual([corrected, later, early]);
  });
});
