// Transaction texts are sealed together in a block, and copied into the JSON of responses.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Block, blockBinding, sealBlock } from '../../src/domain/codec/block.ts';
import {
  encodeFields,
  encodeText,
  openTransaction,
  type PublicTransactionRow,
  statusPosted,
  transactionsToJson,
} from '../../src/domain/codec/transaction.ts';
import { CorruptData } from '../../src/platform/values/errors.ts';
import { toBase62 } from '../../src/platform/values/ids.ts';
import { makeKey, sealBytes } from '../../src/platform/vault/seal.ts';

const key = makeKey();
const accountId = 'acc_1';
const idOf = (seq: number): Buffer => Buffer.alloc(16, seq + 1);

type Fields = Parameters<typeof encodeFields>[0];

const day = 19_724;
const sealAll = (transactions: readonly Fields[], date = day): Buffer => {
  const entries = transactions.map((transaction, seq) => ({
    seq,
    text: encodeText(idOf(seq), date, encodeFields(transaction)),
  }));
  return sealBlock(entries, key, blockBinding(accountId));
};
const open = (sealed: Buffer, account = accountId): Block => new Block(sealed, key, blockBinding(account));
const rowOf = (seq: number, given: Partial<PublicTransactionRow> = {}): PublicTransactionRow => ({
  ...{ date: day, seq, refreshTime: 1_469_918_176_385, status: statusPosted, block: 0, position: seq },
  ...given,
});
const toText = (sealed: Buffer, rows: PublicTransactionRow[]): string =>
  transactionsToJson(rows, accountId, () => open(sealed)).toString();
const one = (amount: string) => sealAll([{ amount, description: '', reference: '' }]);

test('any texts are returned unchanged, in the order of the rows', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  const transactions = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 64 });
  fc.assert(
    fc.property(transactions, (given) => {
      const sealed = sealAll(
        given.map(([description, reference]) => ({ amount: '-1.50', description, reference })),
      );
      const rows = given.map((_, seq) => rowOf(seq)).reverse();
      const expected = given.map(([description, reference], seq) => ({
        ...{ id: `txn_${toBase62(idOf(seq))}`, accountId, date: '2024-01-02', status: 'posted' },
        ...{ transactionRefresh: 'txr_01ARYZ6S410000000000000000', amount: -1.5, description, reference },
      }));
      expect(JSON.parse(`[${toText(sealed, rows)}]`)).toEqual(expected.reverse());
    }),
  );
});

test('an amount is returned digit for digit', () => {
  for (const amount of [
    '0',
    '-0.00',
    '1.50',
    '20.000',
    '12345678901234567890.123456789',
    '-0.000000000000001',
  ]) {
    expect(toText(one(amount), [rowOf(0)])).toContain(`"amount":${amount},"description"`);
  }
});

test('an amount that is not a decimal number is refused, because responses contain it unchanged', () => {
  for (const amount of [
    ...['', '1e5', '.5', '5.', '+1', '01', '1,5', 'NaN', '1}', '1,"status":"void"', ' 1', '--1', '0x1'],
  ]) {
    expect(() => encodeFields({ amount, description: '', reference: '' })).toThrow('decimal');
  }
});

describe('a block', () => {
  const three = sealAll(['1', '2', '3'].map((amount) => ({ amount, description: 'd', reference: 'r' })));

  test('can be opened only for its account, and only without a changed bit', () => {
    expect(() => open(three, 'acc_2')).toThrow(CorruptData);
    for (let at = 0; at < three.length; at++) {
      const changed = Buffer.from(three);
      changed[at] = changed[at]! ^ 1;
      expect(() => open(changed)).toThrow(CorruptData);
    }
  });

  test('gives a text to its own transaction only', () => {
    expect(() => toText(three, [rowOf(1, { position: 0 })])).toThrow(CorruptData);
    for (const position of [-1, 3, 0.5]) {
      expect(() => toText(three, [rowOf(0, { position })])).toThrow(CorruptData);
    }
  });

  test('gives a text with its own date only', () => {
    const moved = rowOf(1, { date: day + 1 });
    expect(() => toText(three, [rowOf(0), moved])).toThrow(CorruptData);
    expect(() => openTransaction(moved, open(three))).toThrow(CorruptData);
    expect(openTransaction(rowOf(1), open(three))).toMatchObject({ date: day, amount: '2' });
  });

  test('gives all its texts in their order', () => {
    const entries = open(three).entries();
    expect(entries.map(({ seq }) => seq)).toEqual([0, 1, 2]);
    const date = Buffer.from([0x0c, 0x4d, 0, 0]).toString();
    expect(entries[1]!.text.toString()).toBe(
      `${toBase62(idOf(1))}${date}"amount":2,"description":"d","reference":"r"`,
    );
  });

  test('hides the lengths of its texts in steps of 64 bytes, from four texts on 256', () => {
    const lengthOf = (count: number, description: string): number =>
      sealAll(Array(count).fill({ amount: '1', description, reference: '' })).length;
    expect(lengthOf(1, '')).toBe(lengthOf(1, 'x'.repeat(40)));
    expect(lengthOf(4, 'x')).toBe(lengthOf(4, 'x'.repeat(10)));
    const overhead = 41;
    expect((lengthOf(3, 'abc') - overhead) % 64).toBe(0);
    expect((lengthOf(5, 'abc') - overhead) % 256).toBe(0);
  });

  test('with a wrong format is corrupt, regardless of who sealed it', () => {
    const plain = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes));
    const position = fc.integer({ min: -1, max: 70 });
    fc.assert(
      fc.property(plain, position, fc.nat(), fc.integer(), (bytes, at, seq, date) => {
        const sealed = sealBytes(bytes, key, blockBinding(accountId));
        try {
          const block = open(sealed);
          const length = block.checkedTextLength({ position: at, seq, date });
          expect(length).toBeGreaterThan(0);
          expect(block.textEnd(at)).toBe(block.textStart(at) + length);
          expect(block.textEnd(at)).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(CorruptData);
        }
      }),
    );
  });
});

test.each([2_932_897, -719_529])('a row and a text with the date %j are corrupt', (date) => {
  const sealed = sealAll([{ amount: '1', description: '', reference: '' }], date);
  expect(() => toText(sealed, [rowOf(0, { date })])).toThrow(CorruptData);
  expect(() => openTransaction(rowOf(0, { date }), open(sealed))).toThrow(CorruptData);
});

test.each([
  { date: 1.5 },
  { date: '2024-01-01","amount":1,"x":"' as never },
  { status: 3 },
  { status: 'posted' as never },
  { refreshTime: 2 ** 48 },
  { refreshTime: '"' as never },
])('a row with %j is corrupt', (change) => {
  expect(() => toText(one('1'), [rowOf(0, change)])).toThrow(CorruptData);
});
