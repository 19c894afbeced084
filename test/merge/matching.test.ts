// Matching a bank's transactions with stored ones.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transactionStatuses } from '../../src/domain/codec/transaction.ts';
import { type MergeInput, planMerge } from '../../src/flows/merge/planMerge.ts';
import { indexRows, Rows } from '../../src/flows/merge/rows.ts';
import { toDayNumber } from '../../src/platform/values/clock.ts';

type Status = (typeof transactionStatuses)[number];

/** The values of a transaction; its fingerprints are short texts. */
type Values = {
  date: string;
  status: Status;
  transactionFingerprint: string;
  bankIdFingerprint: string | null;
  /** Every transaction from the bank has it, pending or not. */
  pendingFingerprint: string | null;
};

/** A transaction from the bank, and a stored one. */
type IncomingTransaction = Values & { ordinal: number };
type ExistingTransaction = Values & { id: string; seq: number };

type TransactionMatch = { incoming: IncomingTransaction; existing: ExistingTransaction };

const toBytes = (text: string): Buffer => Buffer.from(text.padEnd(12, '.'));

const toBytesOrNull = (text: string | null) => (text === null ? null : toBytes(text));

const toRow = (transaction: Values) => ({
  date: toDayNumber(transaction.date),
  status: transactionStatuses.indexOf(transaction.status),
  fingerprint: toBytes(transaction.transactionFingerprint),
  bankIdFingerprint: toBytesOrNull(transaction.bankIdFingerprint),
  pendingFingerprint: toBytesOrNull(transaction.pendingFingerprint),
});

type Given = Partial<Pick<MergeInput, 'windowFrom' | 'windowDays' | 'complete'>> & {
  /** Of these, stored transactions have other fingerprints than all from the bank. */
  other?: ('transactionFingerprint' | 'bankIdFingerprint')[];
};

/** Plans the merge of these transactions. Without a window, pending ones are matched like all. */
const plan = async (
  incoming: readonly IncomingTransaction[],
  existing: readonly ExistingTransaction[],
  { other = [], ...given }: Given = {},
) => {
  const sent = [...incoming].sort((left, right) => left.ordinal - right.ordinal);
  const known = [...existing].sort((left, right) => left.seq - right.seq);
  const rows = { incoming: new Rows('incoming'), stored: new Rows('stored') };
  const others = Object.fromEntries(other.map((name) => [name, 'other']));
  for (const transaction of sent) rows.incoming.add(toRow(transaction));
  for (const transaction of known)
    rows.stored.add({ ...toRow({ ...transaction, ...others }), seq: transaction.seq, block: 0 });
  const { storedOf, ...planned } = await planMerge({
    ...rows,
    findStored: await indexRows(rows.stored, 'fingerprint'),
    unchanged: new Uint8Array(known.length),
    ...{ windowFrom: Number.MIN_SAFE_INTEGER, windowDays: -1, complete: undefined },
    ...given,
  });
  const matches = sent.flatMap((transaction, position): TransactionMatch[] => {
    const match = known[storedOf[position]!];
    return match ? [{ incoming: transaction, existing: match }] : [];
  });
  const idsOf = (positions: number[]) => positions.map((position) => known[position]!.id);
  const { added, changed, renumbered, voided } = planned;
  return {
    matches,
    lists: { added, changed: idsOf(changed), renumbered: idsOf(renumbered), voided: idsOf(voided) },
  };
};

const match = async (...args: Parameters<typeof plan>) => (await plan(...args)).matches;

const matchByBankId = (incoming: IncomingTransaction[], existing: ExistingTransaction[]) =>
  match(incoming, existing, { other: ['transactionFingerprint'] });
const matchPending = (incoming: IncomingTransaction[], existing: ExistingTransaction[], windowDays: number) =>
  match(incoming, existing, { other: ['transactionFingerprint', 'bankIdFingerprint'], windowDays });

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
  test('match as often as both sides have them, one to one', async () => {
    await fc.assert(
      fc.asyncProperty(incomings, existings, async (incoming, existing) => {
        const matches = await match(incoming, existing);
        expectOneToOne(matches);
        const identical = matches.filter(
          (pair) => pair.incoming.transactionFingerprint === pair.existing.transactionFingerprint,
        );
        for (const value of ['p', 'q', 'r']) {
          const matched = countByFingerprint(
            identical.map((pair) => pair.existing),
            value,
          );
          const counts = [incoming, existing].map((list) => countByFingerprint(list, value));
          expect(matched).toBe(Math.min(...counts));
        }
      }),
    );
  });

  test('among equal ones the same bank id comes first, then the same status, then any that is not void', async () => {
    const existing = [
      existingTransaction({ id: 'void', seq: 0, status: 'void' }),
      existingTransaction({ id: 'posted', seq: 1 }),
      existingTransaction({ id: 'known', seq: 2, status: 'pending', bankIdFingerprint: 'k' }),
    ];
    const known = incomingTransaction({ ordinal: 0, bankIdFingerprint: 'k' });
    const other = incomingTransaction({ ordinal: 1, bankIdFingerprint: 'x' });
    const third = incomingTransaction({ ordinal: 2, bankIdFingerprint: 'y' });
    expect(toIds(await match([third, other, known], existing))).toEqual([
      [0, 'known'],
      [1, 'posted'],
      [2, 'void'],
    ]);
    expect(
      toIds(await match([incomingTransaction({ ordinal: 0, status: 'pending' })], existing.slice(0, 2))),
    ).toEqual([[0, 'posted']]);
  });
});

describe('transactions with the same bank id', () => {
  test('match one to one', async () => {
    await fc.assert(
      fc.asyncProperty(incomings, existings, async (incoming, existing) => {
        const matches = await matchByBankId(incoming, existing);
        expectOneToOne(matches);
        for (const pair of matches) {
          expect(pair.incoming.bankIdFingerprint).not.toBe(null);
          expect(pair.incoming.bankIdFingerprint).toBe(pair.existing.bankIdFingerprint);
        }
        for (const bankId of ['1', '2', '3', '4']) {
          const isSame = (one: { bankIdFingerprint: string | null }) => one.bankIdFingerprint === bankId;
          const matched = matches.filter((pair) => isSame(pair.incoming)).length;
          expect(matched).toBe(Math.min(incoming.filter(isSame).length, existing.filter(isSame).length));
        }
      }),
    );
  });
});

test('of two stored ones with the bank id of one, the later one matches, because banks reuse ids', async () => {
  const existing = [0, 1].map((seq) => existingTransaction({ id: `t${seq}`, seq, bankIdFingerprint: '1' }));
  const incoming = [incomingTransaction({ bankIdFingerprint: '1', transactionFingerprint: 'changed' })];
  expect(toIds(await matchByBankId(incoming, existing))).toEqual([[0, 't1']]);
});

describe('pending transactions', () => {
  const distance = ({ incoming, existing }: TransactionMatch): number =>
    Math.abs(Date.parse(incoming.date) - Date.parse(existing.date)) / 86_400_000;

  test('match one to one with the same amount, nearest date first, within the window', async () => {
    await fc.assert(
      fc.asyncProperty(
        incomings,
        existings,
        fc.integer({ min: 0, max: 30 }),
        async (incoming, existing, window) => {
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
          // The best of all possible pairs is taken, again and again.
          const best: TransactionMatch[] = [];
          for (const pair of possible) {
            if (best.some((taken) => taken.incoming === pair.incoming || taken.existing === pair.existing))
              continue;
            best.push(pair);
          }
          expect(toIds(await matchPending(incoming, existing, window))).toEqual(toIds(best));
        },
      ),
    );
  });

  test('all find their pair, however many of one amount there are', async () => {
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
    const matches = await matchPending(incoming, existing, 14);
    expectOneToOne(matches);
    expect(matches).toHaveLength(count);
  });

  test('the window counts days across months and years', async () => {
    const existing = [
      existingTransaction({ date: '2023-12-25', status: 'pending', pendingFingerprint: 'a' }),
    ];
    const counts = [];
    for (const when of ['2024-01-08', '2024-01-09', '2023-12-11', '2023-12-10']) {
      counts.push((await matchPending([incomingTransaction({ date: when })], existing, 14)).length);
    }
    expect(counts).toEqual([1, 0, 1, 0]);
  });
});

test.each([
  ['nothing differs', {}, {}, undefined],
  ['the bank id differs', { bankIdFingerprint: '2' }, { bankIdFingerprint: '1' }, 'renumbered'],
  ['the bank id is new', { bankIdFingerprint: '2' }, {}, 'renumbered'],
  ['a pending transaction has posted', { status: 'posted' }, { status: 'pending' }, 'changed'],
  ['a void transaction is listed again', { status: 'posted' }, { status: 'void' }, 'changed'],
  [
    'the text differs',
    { transactionFingerprint: 'f', bankIdFingerprint: '1' },
    { bankIdFingerprint: '1' },
    'changed',
  ],
] as const)('a match in which %s', async (_name, incoming, existing, list) => {
  const { lists } = await plan([incomingTransaction(incoming)], [existingTransaction(existing)]);
  const none = { added: [], changed: [], renumbered: [], voided: [] };
  expect(lists).toEqual(list ? { ...none, [list]: ['t0'] } : none);
});

test('a stored transaction that the bank did not send is void on the days of which it sent all, both included', async () => {
  const existing = ['09', '10', '11', '12', '13'].map((day, seq) =>
    existingTransaction({ id: day, seq, date: `2024-01-${day}`, status: seq === 2 ? 'void' : 'posted' }),
  );
  const complete = {
    from: toDayNumber('2024-01-10'),
    to: toDayNumber('2024-01-12'),
    pendingTo: toDayNumber('2024-01-13'),
  };
  expect((await plan([], existing, { complete })).lists.voided).toEqual(['10', '12']);
  expect((await plan([], existing)).lists.voided).toEqual([]);
  const pending = existing.map((one) => ({ ...one, status: 'pending' as const }));
  expect((await plan([], pending, { complete })).lists.voided).toEqual(['10', '11', '12', '13']);
});
