// Matching a bank's transactions with stored ones.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toDayNumber } from '../../src/clock.ts';
import { transactionStatuses } from '../../src/codec/transaction.ts';
import { FingerprintIndex } from '../../src/merge/fingerprintIndex.ts';
import {
  classifyMatch,
  Matches,
  type MatchInput,
  matchByBankId as matchByBankIdInColumns,
  matchIdentical as matchIdenticalInColumns,
  matchPending as matchPendingInColumns,
} from '../../src/merge/matching.ts';
import { ExistingColumns, IncomingColumns } from '../../src/merge/transactionColumns.ts';

type Status = (typeof transactionStatuses)[number];

/** A transaction from the bank; its fingerprints are short texts. */
type IncomingTransaction = {
  ordinal: number;
  date: string;
  status: Status;
  transactionFingerprint: string;
  bankIdFingerprint: string | null;
  /** Every transaction from the bank has it, pending or not. */
  pendingFingerprint: string | null;
};

/** A stored transaction. */
type ExistingTransaction = {
  id: string;
  seq: number;
  date: string;
  status: Status;
  transactionFingerprint: string;
  bankIdFingerprint: string | null;
  pendingFingerprint: string | null;
};

type TransactionMatch = { incoming: IncomingTransaction; existing: ExistingTransaction };

const toBytes = (text: string): Buffer => Buffer.from(text.padEnd(12, '.'));

const toColumn = (transaction: IncomingTransaction | ExistingTransaction) => ({
  date: toDayNumber(transaction.date),
  status: transactionStatuses.indexOf(transaction.status),
  fingerprint: toBytes(transaction.transactionFingerprint),
  bankIdFingerprint: transaction.bankIdFingerprint === null ? null : toBytes(transaction.bankIdFingerprint),
  pendingFingerprint:
    transaction.pendingFingerprint === null ? null : toBytes(transaction.pendingFingerprint),
});

/** Runs one step of the matching on these transactions. */
const run = (
  step: (input: MatchInput) => Generator<void>,
  incoming: readonly IncomingTransaction[],
  existing: readonly ExistingTransaction[],
  windowDays = 0,
): TransactionMatch[] => {
  const sent = [...incoming].sort((left, right) => left.ordinal - right.ordinal);
  const stored = [...existing].sort((left, right) => left.seq - right.seq);
  const columns = { incoming: new IncomingColumns(), existing: new ExistingColumns() };
  for (const transaction of sent) columns.incoming.add(toColumn(transaction));
  for (const transaction of stored)
    columns.existing.add({ ...toColumn(transaction), seq: transaction.seq, block: 0 });
  const existingByFingerprint = new FingerprintIndex(columns.existing.fingerprints, stored.length);
  for (let position = stored.length - 1; position >= 0; position--) existingByFingerprint.add(position);
  const matches = new Matches(columns.incoming, columns.existing);
  const windowFrom = Number.MIN_SAFE_INTEGER;
  const all = step({ ...columns, existingByFingerprint, matches, windowFrom, windowDays });
  while (!all.next().done);
  return sent.flatMap((transaction, position) => {
    const other = matches.existingOf(position);
    return other === undefined ? [] : [{ incoming: transaction, existing: stored[other]! }];
  });
};

const matchIdentical = (incoming: IncomingTransaction[], existing: ExistingTransaction[]) =>
  run(matchIdenticalInColumns, incoming, existing);
const matchByBankId = (incoming: IncomingTransaction[], existing: ExistingTransaction[]) =>
  run(matchByBankIdInColumns, incoming, existing);
const matchPending = (incoming: IncomingTransaction[], existing: ExistingTransaction[], windowDays: number) =>
  run(matchPendingInColumns, incoming, existing, windowDays);

const incomingTransaction = (given: Partial<IncomingTransaction> = {}): IncomingTransaction => ({
  ordinal: 0,
  date: '2024-01-10',
  status: 'posted',
  transactionFingerprint: 'e',
  bankIdFingerprint: null,
  pendingFingerprint: 'a',
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

// Few different values, so that equal ones are common.
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
      pendingFingerprint: anyFingerprint,
    }),
    { maxLength: 20 },
  )
  .map((list) => list.map((transaction, ordinal): IncomingTransaction => ({ ...transaction, ordinal })));

const existings = fc
  .array(
    fc.record({
      date,
      status: fc.constantFrom('pending', 'posted', 'void'),
      transactionFingerprint: anyFingerprint,
      bankIdFingerprint: id,
      amount: anyFingerprint,
    }),
    { maxLength: 20 },
  )
  .map((list) =>
    list.map(
      ({ amount, ...given }, seq): ExistingTransaction => ({
        ...given,
        pendingFingerprint: given.status === 'pending' ? amount : null,
        ...{ seq, id: `t${seq}` },
      }),
    ),
  );

const expectOneToOne = (matches: TransactionMatch[]): void => {
  expect(new Set(matches.map(({ incoming }) => incoming.ordinal)).size).toBe(matches.length);
  expect(new Set(matches.map(({ existing }) => existing.id)).size).toBe(matches.length);
};

const countByFingerprint = (transactions: { transactionFingerprint: string }[], value: string): number =>
  transactions.filter(({ transactionFingerprint }) => transactionFingerprint === value).length;

const toIds = (matches: TransactionMatch[]) =>
  matches.map(({ incoming, existing }) => [incoming.ordinal, existing.id]).sort();

describe('identical transactions', () => {
  test('match as often as both sides have them, one to one', () => {
    fc.assert(
      fc.property(incomings, existings, (incoming, existing) => {
        const matches = matchIdentical(incoming, existing);
        expectOneToOne(matches);
        for (const match of matches)
          expect(match.incoming.transactionFingerprint).toBe(match.existing.transactionFingerprint);
        for (const value of ['p', 'q', 'r']) {
          const matched = matches.filter((match) => match.existing.transactionFingerprint === value).length;
          const counts = [incoming, existing].map((list) => countByFingerprint(list, value));
          expect(matched).toBe(Math.min(...counts));
        }
      }),
    );
  });

  test('two equal ones stay two, and a third is new', () => {
    const existing = [existingTransaction({ id: 't0', seq: 0 }), existingTransaction({ id: 't1', seq: 1 })];
    const incoming = [0, 1, 2].map((ordinal) => incomingTransaction({ ordinal }));
    expect(toIds(matchIdentical(incoming, existing))).toEqual([
      [0, 't0'],
      [1, 't1'],
    ]);
  });

  test('among equal ones the same bank id comes first, then the same status, then any that is not void', () => {
    const existing = [
      existingTransaction({ id: 'void', seq: 0, status: 'void' }),
      existingTransaction({ id: 'posted', seq: 1 }),
      existingTransaction({ id: 'known', seq: 2, status: 'pending', bankIdFingerprint: 'k' }),
    ];
    const known = incomingTransaction({ ordinal: 0, bankIdFingerprint: 'k' });
    const other = incomingTransaction({ ordinal: 1, bankIdFingerprint: 'x' });
    const third = incomingTransaction({ ordinal: 2, bankIdFingerprint: 'y' });
    expect(toIds(matchIdentical([third, other, known], existing))).toEqual([
      [0, 'known'],
      [1, 'posted'],
      [2, 'void'],
    ]);
    expect(
      toIds(matchIdentical([incomingTransaction({ ordinal: 0, status: 'pending' })], existing.slice(0, 2))),
    ).toEqual([[0, 'posted']]);
  });
});

describe('transactions with the same bank id', () => {
  test('match one to one', () => {
    fc.assert(
      fc.property(incomings, existings, (incoming, existing) => {
        const matches = matchByBankId(incoming, existing);
        expectOneToOne(matches);
        for (const match of matches) {
          expect(match.incoming.bankIdFingerprint).not.toBe(null);
          expect(match.incoming.bankIdFingerprint).toBe(match.existing.bankIdFingerprint);
        }
        for (const bankId of ['1', '2', '3', '4']) {
          const isSame = (one: { bankIdFingerprint: string | null }) => one.bankIdFingerprint === bankId;
          const matched = matches.filter((match) => isSame(match.incoming)).length;
          expect(matched).toBe(Math.min(incoming.filter(isSame).length, existing.filter(isSame).length));
        }
      }),
    );
  });
});

test('of two stored ones with the bank id of one, the later one matches, because banks reuse ids', () => {
  const existing = [0, 1].map((seq) => existingTransaction({ id: `t${seq}`, seq, bankIdFingerprint: '1' }));
  const incoming = [incomingTransaction({ bankIdFingerprint: '1', transactionFingerprint: 'changed' })];
  expect(toIds(matchByBankId(incoming, existing))).toEqual([[0, 't1']]);
});

describe('pending transactions', () => {
  const distance = ({ incoming, existing }: TransactionMatch): number =>
    Math.abs(Date.parse(incoming.date) - Date.parse(existing.date)) / 86_400_000;

  test('match one to one with the same amount, nearest date first, within the window', () => {
    fc.assert(
      fc.property(incomings, existings, fc.integer({ min: 0, max: 30 }), (incoming, existing, window) => {
        const matches = matchPending(incoming, existing, window);
        expectOneToOne(matches);
        for (const match of matches) {
          expect(match.incoming.pendingFingerprint).toBe(match.existing.pendingFingerprint);
          expect(distance(match)).toBeLessThanOrEqual(window);
        }
        // Two transactions that could match did not only because one of them has a match at least as near.
        for (const one of incoming) {
          for (const other of existing) {
            if (one.pendingFingerprint !== other.pendingFingerprint) continue;
            const possible = distance({ incoming: one, existing: other });
            const actual = matches.filter((match) => match.incoming === one || match.existing === other);
            if (possible <= window) expect(actual.some((match) => distance(match) <= possible)).toBe(true);
          }
        }
      }),
    );
  });

  test('match the same pairs as taking the best of all possible ones again and again', () => {
    fc.assert(
      fc.property(incomings, existings, fc.integer({ min: 0, max: 30 }), (incoming, existing, window) => {
        const possible = existing
          .flatMap((other) => incoming.map((one) => ({ incoming: one, existing: other })))
          .filter((pair) => pair.incoming.pendingFingerprint === pair.existing.pendingFingerprint)
          .filter((pair) => distance(pair) <= window)
          .sort(
            (left, right) =>
              distance(left) - distance(right) ||
              left.existing.seq - right.existing.seq ||
              left.incoming.ordinal - right.incoming.ordinal,
          );
        const best: TransactionMatch[] = [];
        for (const pair of possible) {
          if (best.some((taken) => taken.incoming === pair.incoming || taken.existing === pair.existing))
            continue;
          best.push(pair);
        }
        expect(toIds(matchPending(incoming, existing, window))).toEqual(toIds(best));
      }),
    );
  });

  test('all find their pair, however many of one amount there are', () => {
    const count = 5000;
    const dayOf = (index: number): string => `2024-01-${String(10 + (index % 5)).padStart(2, '0')}`;
    const existing = Array.from({ length: count }, (_, seq) =>
      existingTransaction({
        ...{ id: `t${seq}`, seq, date: dayOf(seq), status: 'pending', pendingFingerprint: 'a' },
      }),
    );
    const incoming = Array.from({ length: count }, (_, ordinal) =>
      incomingTransaction({ ordinal, date: dayOf(ordinal + 3) }),
    );
    const matches = matchPending(incoming, existing, 14);
    expectOneToOne(matches);
    expect(matches).toHaveLength(count);
  });

  test('at equal distance the lower seq matches the lower ordinal', () => {
    const existing = [1, 0].map((seq) =>
      existingTransaction({ id: `t${seq}`, seq, status: 'pending', pendingFingerprint: 'a' }),
    );
    const incoming = [5, 4].map((ordinal) => incomingTransaction({ ordinal, date: '2024-01-12' }));
    expect(toIds(matchPending(incoming, existing, 14))).toEqual([
      [4, 't0'],
      [5, 't1'],
    ]);
  });

  test('the window counts days across months and years', () => {
    const existing = [
      existingTransaction({ date: '2023-12-25', status: 'pending', pendingFingerprint: 'a' }),
    ];
    const at = (when: string) => matchPending([incomingTransaction({ date: when })], existing, 14).length;
    expect([at('2024-01-08'), at('2024-01-09'), at('2023-12-11'), at('2023-12-10')]).toEqual([1, 0, 1, 0]);
  });

  test('a transaction that is no longer pending does not match', () => {
    expect(
      matchPending([incomingTransaction()], [existingTransaction({ pendingFingerprint: null })], 14),
    ).toEqual([]);
  });
});

test.each([
  ['nothing differs', {}, {}, 'unchanged'],
  ['the bank id differs', { bankIdFingerprint: '2' }, { bankIdFingerprint: '1' }, 'renumbered'],
  ['the bank id is new', { bankIdFingerprint: '2' }, {}, 'renumbered'],
  ['a pending transaction has posted', { status: 'posted' }, { status: 'pending' }, 'changed'],
  ['a void transaction is listed again', { status: 'posted' }, { status: 'void' }, 'changed'],
  ['the text differs', { transactionFingerprint: 'f' }, {}, 'changed'],
] as const)('a match in which %s', (_name, incoming, existing, result) => {
  const columns = { incoming: new IncomingColumns(), existing: new ExistingColumns() };
  columns.incoming.add(toColumn(incomingTransaction(incoming)));
  columns.existing.add({ ...toColumn(existingTransaction(existing)), seq: 0, block: 0 });
  expect(classifyMatch(columns, 0, 0)).toBe(result);
});
