// The pure part of a refresh: which of the bank's entries are which of ours.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BankSide,
  type HeldSide,
  judge,
  type Pair,
  pairByBankId,
  pairPending,
  pairWhole,
} from '../../src/transactions/merge.ts';

const bankEntry = (given: Partial<BankSide> = {}): BankSide => ({
  n: 0,
  date: '2024-01-10',
  status: 'posted',
  entryPrint: 'e',
  bankIdPrint: null,
  amountPrint: 'a',
  ...given,
});

const heldEntry = (given: Partial<HeldSide> = {}): HeldSide => ({
  id: 't0',
  seq: 0,
  date: '2024-01-10',
  status: 'posted',
  entryPrint: 'e',
  bankIdPrint: null,
  pendingPrint: null,
  ...given,
});

// Few different values, so that equals are common.
const print = fc.constantFrom('p', 'q', 'r');
const id = fc.option(fc.constantFrom('1', '2', '3', '4'), { nil: null });
const date = fc.integer({ min: 1, max: 28 }).map((day) => `2024-01-${String(day).padStart(2, '0')}`);

const bankSides = fc
  .array(
    fc.record({
      date,
      status: fc.constantFrom('pending', 'posted'),
      entryPrint: print,
      bankIdPrint: id,
      amountPrint: print,
    }),
    { maxLength: 20 },
  )
  .map((entries) => entries.map((entry, n): BankSide => ({ ...entry, n })));

const heldSides = fc
  .array(
    fc.record({
      date,
      status: fc.constantFrom('pending', 'posted', 'void'),
      entryPrint: print,
      bankIdPrint: id,
      pendingPrint: fc.option(print, { nil: null }),
    }),
    { maxLength: 20 },
  )
  .map((entries) => entries.map((entry, seq): HeldSide => ({ ...entry, seq, id: `t${seq}` })));

const expectOneToOne = (pairs: Pair[]): void => {
  expect(new Set(pairs.map(({ bank }) => bank.n)).size).toBe(pairs.length);
  expect(new Set(pairs.map(({ held }) => held.id)).size).toBe(pairs.length);
};

const countOf = (entries: { entryPrint: string }[], value: string): number =>
  entries.filter(({ entryPrint }) => entryPrint === value).length;

const named = (pairs: Pair[]) => pairs.map(({ bank, held }) => [bank.n, held.id]).sort();

describe('whole entries', () => {
  test('are paired as often as both sides have them, one to one', () => {
    fc.assert(
      fc.property(bankSides, heldSides, (bank, held) => {
        const pairs = pairWhole(bank, held);
        expectOneToOne(pairs);
        for (const { bank: one, held: other } of pairs) expect(one.entryPrint).toBe(other.entryPrint);
        for (const value of ['p', 'q', 'r']) {
          const paired = pairs.filter((pair) => pair.held.entryPrint === value).length;
          expect(paired).toBe(Math.min(countOf(bank, value), countOf(held, value)));
        }
      }),
    );
  });

  test('twins stay two, and a third is new', () => {
    const held = [heldEntry({ id: 't0', seq: 0 }), heldEntry({ id: 't1', seq: 1 })];
    const bank = [0, 1, 2].map((n) => bankEntry({ n }));
    expect(named(pairWhole(bank, held))).toEqual([
      [0, 't0'],
      [1, 't1'],
    ]);
  });

  test('among equals the same id goes first, then the same status, then any that is not void', () => {
    const held = [
      heldEntry({ id: 'void', seq: 0, status: 'void' }),
      heldEntry({ id: 'posted', seq: 1 }),
      heldEntry({ id: 'known', seq: 2, status: 'pending', bankIdPrint: 'k' }),
    ];
    const known = bankEntry({ n: 0, bankIdPrint: 'k' });
    const other = bankEntry({ n: 1, bankIdPrint: 'x' });
    const third = bankEntry({ n: 2, bankIdPrint: 'y' });
    expect(named(pairWhole([third, other, known], held))).toEqual([
      [0, 'known'],
      [1, 'void'],
      [2, 'posted'],
    ]);
    expect(named(pairWhole([bankEntry({ n: 0, status: 'pending' })], held.slice(0, 2)))).toEqual([
      [0, 'posted'],
    ]);
  });
});

describe('the bank’s own ids', () => {
  test('pair one to one, and only what has the same', () => {
    fc.assert(
      fc.property(bankSides, heldSides, (bank, held) => {
        const pairs = pairByBankId(bank, held);
        expectOneToOne(pairs);
        for (const { bank: one, held: other } of pairs) {
          expect(one.bankIdPrint).not.toBe(null);
          expect(one.bankIdPrint).toBe(other.bankIdPrint);
        }
        const known = (entries: { bankIdPrint: string | null }[]) =>
          new Set(entries.flatMap(({ bankIdPrint }) => bankIdPrint ?? []));
        const ofBoth = [...known(bank)].filter((one) => known(held).has(one));
        expect(pairs.length).toBe(ofBoth.length);
      }),
    );
  });
});

describe('pending entries', () => {
  const distance = ({ bank, held }: Pair): number =>
    Math.abs(Date.parse(bank.date) - Date.parse(held.date)) / 86_400_000;

  test('are paired one to one with the same amount, to the nearest date within the window', () => {
    fc.assert(
      fc.property(bankSides, heldSides, fc.integer({ min: 0, max: 30 }), (bank, held, window) => {
        const pairs = pairPending(bank, held, window);
        expectOneToOne(pairs);
        for (const pair of pairs) {
          expect(pair.bank.amountPrint).toBe(pair.held.pendingPrint);
          expect(distance(pair)).toBeLessThanOrEqual(window);
        }
        // Whoever was left out could only have had a partner that is nearer to another.
        for (const one of bank) {
          for (const other of held) {
            if (one.amountPrint !== other.pendingPrint) continue;
            const option = distance({ bank: one, held: other });
            const taken = pairs.filter((pair) => pair.bank === one || pair.held === other);
            if (option <= window) expect(taken.some((pair) => distance(pair) <= option)).toBe(true);
          }
        }
      }),
    );
  });

  test('among equally near ones the older of ours goes with the earlier of the bank’s', () => {
    const held = [1, 0].map((seq) => heldEntry({ id: `t${seq}`, seq, status: 'pending', pendingPrint: 'a' }));
    const bank = [5, 4].map((n) => bankEntry({ n, date: '2024-01-12' }));
    expect(named(pairPending(bank, held, 14))).toEqual([
      [4, 't0'],
      [5, 't1'],
    ]);
  });

  test('the window counts days over months and years', () => {
    const held = [heldEntry({ date: '2023-12-25', pendingPrint: 'a' })];
    const at = (when: string) => pairPending([bankEntry({ date: when })], held, 14).length;
    expect([at('2024-01-08'), at('2024-01-09'), at('2023-12-11'), at('2023-12-10')]).toEqual([1, 0, 1, 0]);
  });

  test('an entry that is no longer pending is nobody’s candidate', () => {
    expect(pairPending([bankEntry()], [heldEntry({ pendingPrint: null })], 14)).toEqual([]);
  });
});

test.each([
  ['everything is the same', {}, {}, 'unchanged'],
  ['the bank gave it another id', { bankIdPrint: '2' }, { bankIdPrint: '1' }, 'renumbered'],
  ['the bank gave it an id', { bankIdPrint: '2' }, {}, 'renumbered'],
  ['it has posted', { status: 'posted' }, { status: 'pending' }, 'changed'],
  ['it was void and is there again', { status: 'posted' }, { status: 'void' }, 'changed'],
  ['its text is another', { entryPrint: 'f' }, {}, 'changed'],
] as const)('a pair in which %s', (_what, bank, held, verdict) => {
  expect(judge({ bank: bankEntry(bank), held: heldEntry(held) })).toBe(verdict);
});
