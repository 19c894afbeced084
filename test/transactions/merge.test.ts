// The pure part of a refresh: which of the bank's entries are which of ours.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type IncomingTransaction,
  type ExistingTransaction,
  classifyMatch,
  type TransactionMatch,
  matchByBankId,
  matchPending,
  matchIdentical,
} from '../../src/transactions/matching.ts';

const incomingTransaction = (given: Partial<IncomingTransaction> = {}): IncomingTransaction => ({
  ordinal: 0,
  date: '2024-01-10',
  status: 'posted',
  transactionFingerprint: 'e',
  bankIdFingerprint: null,
  amountFingerprint: 'a',
  ...given,
});

const existingTransaction = (given: Partial<ExistingTransaction> = {}): ExistingTransaction => ({
  id: 't0',
  seq: 0,
  date: '2024-01-10',
  status: 'posted',
  transactionFingerprint: 'e',
  bankIdFingerprint: null,
  pendingFingerprint: null,
  ...given,
});

// Few different values, so that equals are common.
const anyFingerprint = fc.constantFrom('p', 'q', 'r');
const id = fc.option(fc.constantFrom('1', '2', '3', '4'), { nil: null });
const date = fc.integer({ min: 1, max: 28 }).map((day) => `2024-01-${String(day).padStart(2, '0')}`);

const incomings = fc
  .array(
    fc.record({
      date,
      status: fc.constantFrom('pending', 'posted'),
      transactionFingerprint: anyFingerprint,
      bankIdFingerprint: id,
      amountFingerprint: anyFingerprint,
    }),
    { maxLength: 20 },
  )
  .map((entries) => entries.map((entry, ordinal): IncomingTransaction => ({ ...entry, ordinal })));

const existings = fc
  .array(
    fc.record({
      date,
      status: fc.constantFrom('pending', 'posted', 'void'),
      transactionFingerprint: anyFingerprint,
      bankIdFingerprint: id,
      pendingFingerprint: fc.option(anyFingerprint, { nil: null }),
    }),
    { maxLength: 20 },
  )
  .map((entries) => entries.map((entry, seq): ExistingTransaction => ({ ...entry, seq, id: `t${seq}` })));

const expectOneToOne = (pairs: TransactionMatch[]): void => {
  expect(new Set(pairs.map(({ incoming }) => incoming.ordinal)).size).toBe(pairs.length);
  expect(new Set(pairs.map(({ existing }) => existing.id)).size).toBe(pairs.length);
};

const countOf = (entries: { transactionFingerprint: string }[], value: string): number =>
  entries.filter(({ transactionFingerprint }) => transactionFingerprint === value).length;

const named = (pairs: TransactionMatch[]) =>
  pairs.map(({ incoming, existing }) => [incoming.ordinal, existing.id]).sort();

describe('whole entries', () => {
  test('are paired as often as both sides have them, one to one', () => {
    fc.assert(
      fc.property(incomings, existings, (bank, held) => {
        const pairs = matchIdentical(bank, held);
        expectOneToOne(pairs);
        for (const { incoming: one, existing: other } of pairs)
          expect(one.transactionFingerprint).toBe(other.transactionFingerprint);
        for (const value of ['p', 'q', 'r']) {
          const paired = pairs.filter((pair) => pair.existing.transactionFingerprint === value).length;
          expect(paired).toBe(Math.min(countOf(bank, value), countOf(held, value)));
        }
      }),
    );
  });

  test('twins stay two, and a third is new', () => {
    const held = [existingTransaction({ id: 't0', seq: 0 }), existingTransaction({ id: 't1', seq: 1 })];
    const bank = [0, 1, 2].map((ordinal) => incomingTransaction({ ordinal }));
    expect(named(matchIdentical(bank, held))).toEqual([
      [0, 't0'],
      [1, 't1'],
    ]);
  });

  test('among equals the same id goes first, then the same status, then any that is not void', () => {
    const held = [
      existingTransaction({ id: 'void', seq: 0, status: 'void' }),
      existingTransaction({ id: 'posted', seq: 1 }),
      existingTransaction({ id: 'known', seq: 2, status: 'pending', bankIdFingerprint: 'k' }),
    ];
    const known = incomingTransaction({ ordinal: 0, bankIdFingerprint: 'k' });
    const other = incomingTransaction({ ordinal: 1, bankIdFingerprint: 'x' });
    const third = incomingTransaction({ ordinal: 2, bankIdFingerprint: 'y' });
    expect(named(matchIdentical([third, other, known], held))).toEqual([
      [0, 'known'],
      [1, 'void'],
      [2, 'posted'],
    ]);
    expect(
      named(matchIdentical([incomingTransaction({ ordinal: 0, status: 'pending' })], held.slice(0, 2))),
    ).toEqual([[0, 'posted']]);
  });
});

describe('the bank’s own ids', () => {
  test('pair one to one, and only what has the same', () => {
    fc.assert(
      fc.property(incomings, existings, (bank, held) => {
        const pairs = matchByBankId(bank, held);
        expectOneToOne(pairs);
        for (const { incoming: one, existing: other } of pairs) {
          expect(one.bankIdFingerprint).not.toBe(null);
          expect(one.bankIdFingerprint).toBe(other.bankIdFingerprint);
        }
        const known = (entries: { bankIdFingerprint: string | null }[]) =>
          new Set(entries.flatMap(({ bankIdFingerprint }) => bankIdFingerprint ?? []));
        const ofBoth = [...known(bank)].filter((one) => known(held).has(one));
        expect(pairs.length).toBe(ofBoth.length);
      }),
    );
  });
});

describe('pending entries', () => {
  const distance = ({ incoming, existing }: TransactionMatch): number =>
    Math.abs(Date.parse(incoming.date) - Date.parse(existing.date)) / 86_400_000;

  test('are paired one to one with the same amount, to the nearest date within the window', () => {
    fc.assert(
      fc.property(incomings, existings, fc.integer({ min: 0, max: 30 }), (bank, held, window) => {
        const pairs = matchPending(bank, held, window);
        expectOneToOne(pairs);
        for (const pair of pairs) {
          expect(pair.incoming.amountFingerprint).toBe(pair.existing.pendingFingerprint);
          expect(distance(pair)).toBeLessThanOrEqual(window);
        }
        // Whoever was left out could only have had a partner that is nearer to another.
        for (const one of bank) {
          for (const other of held) {
            if (one.amountFingerprint !== other.pendingFingerprint) continue;
            const option = distance({ incoming: one, existing: other });
            const taken = pairs.filter((pair) => pair.incoming === one || pair.existing === other);
            if (option <= window) expect(taken.some((pair) => distance(pair) <= option)).toBe(true);
          }
        }
      }),
    );
  });

  test('among equally near ones the older of ours goes with the earlier of the bank’s', () => {
    const held = [1, 0].map((seq) =>
      existingTransaction({ id: `t${seq}`, seq, status: 'pending', pendingFingerprint: 'a' }),
    );
    const bank = [5, 4].map((ordinal) => incomingTransaction({ ordinal, date: '2024-01-12' }));
    expect(named(matchPending(bank, held, 14))).toEqual([
      [4, 't0'],
      [5, 't1'],
    ]);
  });

  test('the window counts days over months and years', () => {
    const held = [existingTransaction({ date: '2023-12-25', pendingFingerprint: 'a' })];
    const at = (when: string) => matchPending([incomingTransaction({ date: when })], held, 14).length;
    expect([at('2024-01-08'), at('2024-01-09'), at('2023-12-11'), at('2023-12-10')]).toEqual([1, 0, 1, 0]);
  });

  test('an entry that is no longer pending is nobody’s candidate', () => {
    expect(
      matchPending([incomingTransaction()], [existingTransaction({ pendingFingerprint: null })], 14),
    ).toEqual([]);
  });
});

test.each([
  ['everything is the same', {}, {}, 'unchanged'],
  ['the bank gave it another id', { bankIdFingerprint: '2' }, { bankIdFingerprint: '1' }, 'renumbered'],
  ['the bank gave it an id', { bankIdFingerprint: '2' }, {}, 'renumbered'],
  ['it has posted', { status: 'posted' }, { status: 'pending' }, 'changed'],
  ['it was void and is there again', { status: 'posted' }, { status: 'void' }, 'changed'],
  ['its text is another', { transactionFingerprint: 'f' }, {}, 'changed'],
] as const)('a pair in which %s', (_what, bank, held, verdict) => {
  expect(classifyMatch({ incoming: incomingTransaction(bank), existing: existingTransaction(held) })).toBe(
    verdict,
  );
});
