// Matching a bank's transactions with stored ones.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transactionStatuses } from '../../src/domain/codec/transaction.ts';
import { type MergeInput, planMerge } from '../../src/flows/merge/planMerge.ts';
import { indexRows, Rows } from '../../src/flows/merge/rows.ts';
import { fromDayNumber, toDayNumber } from '../../src/platform/values/clock.ts';

type Status = (typeof transactionStatuses)[number];

/** The values of a transaction, with short texts as fingerprints. */
type Values = {
  date: string;
  status: Status;
  transactionFingerprint: string;
  bankIdFingerprint: string | null;
  amountFingerprint: string;
};

/** A transaction from the bank and a stored one. */
type IncomingTransaction = Values & { ordinal: number };
type ExistingTransaction = Values & { id: string; seq: number; missingSince?: number };

type TransactionMatch = { incoming: IncomingTransaction; existing: ExistingTransaction };

const toBytes = (text: string): Buffer => Buffer.from(text.padEnd(12, '.'));

const toBytesOrNull = (text: string | null) => (text === null ? null : toBytes(text));

const toRow = (transaction: Values) => ({
  date: toDayNumber(transaction.date),
  status: transactionStatuses.indexOf(transaction.status),
  fingerprint: toBytes(transaction.transactionFingerprint),
  bankIdFingerprint: toBytesOrNull(transaction.bankIdFingerprint),
  amountFingerprint: toBytes(transaction.amountFingerprint),
});

type Given = Partial<Pick<MergeInput, 'windowFrom' | 'windowDays' | 'complete' | 'now'>> & {
  /** The fingerprints in which stored transactions differ from all transactions of the bank. */
  other?: ('transactionFingerprint' | 'bankIdFingerprint')[];
};

/** Plans the merge of these transactions. Without a window, pending ones are matched like all others. */
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
    rows.stored.add({ ...transaction, ...toRow({ ...transaction, ...others }), block: 0 });
  const { storedOf, ...planned } = await planMerge({
    ...rows,
    findStored: await indexRows(rows.stored, 'fingerprint'),
    unchanged: new Uint8Array(known.length),
    ...{ windowFrom: Number.MIN_SAFE_INTEGER, windowDays: -1, complete: undefined, now: 0 },
    ...given,
  });
  const matches = sent.flatMap((transaction, position): TransactionMatch[] => {
    const match = known[storedOf[position]!];
    return match ? [{ incoming: transaction, existing: match }] : [];
  });
  const idsOf = (positions: number[]) => positions.map((position) => known[position]!.id);
  const { added, changed, renumbered, voided, missing, found, isDoubted } = planned;
  return {
    ...{ matches, isDoubted, missing: idsOf(missing), found: idsOf(found) },
    missingFrom: planned.missingFrom && fromDayNumber(planned.missingFrom),
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
  amountFingerprint: 'a',
  ...given,
});

// Few different values, so that duplicates are common.
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
  .map((list) => list.map((transaction, ordinal): IncomingTransaction => ({ ...transaction, ordinal })));

const existings = fc
  .array(
    fc.record({
      date,
      status: fc.constantFrom('pending', 'posted', 'void'),
      transactionFingerprint: anyFingerprint,
      bankIdFingerprint: id,
      amountFingerprint: anyFingerprint,
    }),
    { maxLength: 20 },
  )
  .map((list) => list.map((given, seq): ExistingTransaction => ({ ...given, seq, id: `t${seq}` })));

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

  test('among equal ones the same bank id comes first, then the same status, then any except void', async () => {
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
  test('match if the bank has sent it once', async () => {
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
          const [sent, known] = [incoming, existing].map((list) => list.filter(isSame).length);
          expect(matched).toBe(sent === 1 && known! > 0 ? 1 : 0);
        }
      }),
    );
  });
});

test('an id that the bank has sent twice is ignored, even if one of the transactions is unchanged', async () => {
  const [same, other] = [existingTransaction({ bankIdFingerprint: '0' }), onDays(['12'])[0]!];
  const edited = {
    ...incomingTransaction(other),
    bankIdFingerprint: '0',
    transactionFingerprint: 'x',
    ordinal: 1,
  };
  expect(
    toIds(await match([incomingTransaction(same), edited], [same, { ...other, bankIdFingerprint: '0' }])),
  ).toEqual([[0, 't0']]);
});

test('when two stored ones have the bank id of one, the later one matches, because banks reuse ids', async () => {
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
            .filter(({ status }) => status === 'pending')
            .flatMap((other) => incoming.map((one) => ({ incoming: one, existing: other })))
            .filter((pair) => pair.incoming.amountFingerprint === pair.existing.amountFingerprint)
            .filter((pair) => distance(pair) <= window)
            .sort(
              (left, right) =>
                distance(left) - distance(right) ||
                left.existing.seq - right.existing.seq ||
                left.incoming.ordinal - right.incoming.ordinal,
            );
          // Takes the best of all possible pairs repeatedly.
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

  test('all find their pair, regardless of the number with the same amount', async () => {
    const count = 5000;
    const dayOf = (index: number): string => `2024-01-${String(10 + (index % 5)).padStart(2, '0')}`;
    const existing = Array.from({ length: count }, (_, seq) =>
      existingTransaction({
        ...{ id: `t${seq}`, seq, date: dayOf(seq), status: 'pending', amountFingerprint: 'a' },
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
    const existing = [existingTransaction({ date: '2023-12-25', status: 'pending', amountFingerprint: 'a' })];
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

/** All transactions in January; the bank reports the list as complete. */
const january = {
  ...{ from: toDayNumber('2024-01-01'), to: toDayNumber('2024-01-31') },
  pendingTo: toDayNumber('2024-01-31'),
};
const hours = (count: number): number => 60 * count;

/** Stored transactions on these days in January, with different ids and amounts. */
const onDays = (days: readonly string[], given: Partial<ExistingTransaction> = {}): ExistingTransaction[] =>
  days.map((id, seq) =>
    existingTransaction({
      ...{ id, seq, date: `2024-01-${id}`, transactionFingerprint: id, amountFingerprint: id },
      ...given,
    }),
  );

const listed = (existing: readonly ExistingTransaction[]): IncomingTransaction[] =>
  existing.map((one, ordinal) => incomingTransaction({ ...one, ordinal }));

describe('a stored transaction that the bank does not return', () => {
  test('counts on the days that it returns completely, both ends included', async () => {
    const existing = onDays(['09', '10', '12', '13']);
    const complete = {
      ...{ from: toDayNumber('2024-01-10'), to: toDayNumber('2024-01-12') },
      pendingTo: toDayNumber('2024-01-13'),
    };
    expect(await plan([], existing, { complete, now: hours(1) })).toMatchObject({
      ...{ missing: ['10', '12'], missingFrom: '2024-01-10', lists: { voided: [] } },
    });
    expect(await plan([], existing)).toMatchObject({ missing: [], missingFrom: undefined });
    const pending = onDays(['09', '10', '12', '13'], { status: 'pending' });
    expect((await plan([], pending, { complete })).lists.voided).toEqual(['10', '12', '13']);
    const gone = onDays(['10'], { status: 'void' });
    expect(await plan([], gone, { complete })).toMatchObject({ missing: [], lists: { voided: [] } });
  });

  test.each([
    ['for the first time', {}, { missing: ['01'], voided: [] }],
    ['for less than 20 hours', { missingSince: hours(101) + 1 }, { missing: [], voided: [] }],
    ['for 20 hours', { missingSince: hours(101) }, { missing: [], voided: ['01'] }],
    ['since a moment that is to come', { missingSince: hours(122) }, { missing: ['01'], voided: [] }],
    ['while it is pending', { status: 'pending' }, { missing: [], voided: ['01'] }],
  ] as const)('%s', async (_, given, { missing, voided }) => {
    const [first, ...others] = onDays(['01', '02', '03', '04']);
    const found = await plan(listed(others), [{ ...first!, ...given }, ...others], {
      ...{ complete: january, now: hours(121) },
    });
    expect(found).toMatchObject({ missing, isDoubted: false, lists: { voided } });
    expect(found.missingFrom).toBe(voided.length > 0 ? null : '2024-01-01');
  });

  test('and sends again is found', async () => {
    const existing = onDays(['01', '02', '03'], { missingSince: hours(1) });
    const [same, renumbered, edited] = listed(existing);
    const sent = [
      same!,
      { ...renumbered!, bankIdFingerprint: '2' },
      { ...edited!, transactionFingerprint: 'x' },
    ];
    expect(await plan(sent, existing, { complete: january, now: hours(100), windowDays: 14 })).toMatchObject({
      ...{ found: ['01', '02'], missing: [], missingFrom: null },
      lists: { changed: ['03'], renumbered: ['02'], voided: [] },
    });
  });

  test('is the posted one of the same amount that it sends for the first time, within the window', async () => {
    const existing = onDays(['10', '20']);
    const edited = (date: string, given = {}) =>
      incomingTransaction({ date, transactionFingerprint: 'x', amountFingerprint: '10', ...given });
    const changed = async (one: IncomingTransaction, given: Given = {}) =>
      (
        await plan([...listed(existing.slice(1)), { ...one, ordinal: 9 }], existing, {
          ...{ complete: january, now: hours(1), windowDays: 5, ...given },
        })
      ).lists.changed;
    expect(await changed(edited('2024-01-11'))).toEqual(['10']);
    expect(await changed(edited('2024-01-15', { bankIdFingerprint: '7' }))).toEqual(['10']);
    expect(await changed(edited('2024-01-16'))).toEqual([]);
    expect(await changed(edited('2024-01-11', { status: 'pending' }))).toEqual([]);
    expect(await changed(edited('2024-01-11', { amountFingerprint: '11' }))).toEqual([]);
    // Both are kept unless the other one is known to be missing.
    expect(await changed(edited('2024-01-11'), { complete: undefined })).toEqual([]);
  });

  test('now belongs to another account, and is void at once', async () => {
    const complete = { ...january, isMoved: true };
    expect(await plan([], onDays(['01', '02', '03', '04']), { complete })).toMatchObject({
      ...{ isDoubted: false, missing: [], missingFrom: null },
      lists: { voided: ['01', '02', '03', '04'] },
    });
  });
});

describe('a reading that leaves out more than half of the posted transactions', () => {
  const day = (_: unknown, index: number): string => String(index + 1).padStart(2, '0');
  const stored = (count: number, given = {}) => onDays(Array.from({ length: count }, day), given);

  test.each([
    [3, 3, false],
    [4, 2, false],
    [4, 3, true],
    [5, 3, true],
    [20, 10, false],
    [20, 11, true],
  ])('of %i posted ones %i', async (count, missing, isDoubted) => {
    const existing = stored(count);
    const pending = existingTransaction({
      ...{ id: 'p', seq: 99, status: 'pending', amountFingerprint: 'p' },
    });
    const planned = await plan(
      listed(existing.slice(missing)),
      [...existing, { ...pending, transactionFingerprint: 'p' }],
      { complete: january, now: hours(1) },
    );
    expect(planned).toMatchObject({ isDoubted, missingFrom: '2024-01-01' });
    expect(planned.missing).toHaveLength(missing);
    expect(planned.lists.voided).toEqual(isDoubted ? [] : ['p']);
  });

  test('is believed if one 20 hours later leaves out the same transactions', async () => {
    const [gone, kept] = [stored(15, { missingSince: hours(1) }), onDays(['20', '21', '22', '23', '24'])];
    const at = (now: number) => plan(listed(kept), [...gone, ...kept], { complete: january, now });
    expect(await at(hours(20))).toMatchObject({ isDoubted: true, lists: { voided: [] } });
    const confirmed = await at(hours(21));
    expect(confirmed).toMatchObject({ isDoubted: false, missingFrom: null });
    expect(confirmed.lists.voided).toEqual(gone.map(({ id }) => id));
  });
});

describe('any sequence of readings', () => {
  const pick = fc.nat({ max: 30 });
  const change = fc.oneof(
    fc.record({
      kind: fc.constant('add'),
      day: fc.integer({ min: 1, max: 28 }),
      amount: anyFingerprint,
      pending: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('twin'), pick }),
    fc.record({
      kind: fc.constant('edit'),
      pick,
      text: anyFingerprint,
      day: fc.integer({ min: 1, max: 28 }),
    }),
    fc.record({ kind: fc.constant('post'), pick }),
    fc.record({ kind: fc.constant('remove'), pick }),
  );
  const reading = fc.record({
    changes: fc.array(change, { maxLength: 3 }),
    hours: fc.nat({ max: 30 }),
    /** The bank leaves out transactions whose index is a multiple of this. */
    gap: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  });
  const bankIds = fc.constantFrom('stable', 'none', 'repeated');

  type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
  type Listed = Omit<IncomingTransaction, 'ordinal'>;
  const dateOf = (day: number): string => `2024-01-${String(day).padStart(2, '0')}`;
  const contentOf = ({ date: when, status, transactionFingerprint, amountFingerprint }: Values): string =>
    [when, status, transactionFingerprint, amountFingerprint].join();

  const changeBank = (bank: Listed[], one: ValueOf<typeof change>, newId: () => string | null): void => {
    const at = 'pick' in one ? one.pick % Math.max(1, bank.length) : 0;
    const found = bank[at];
    // The text of an added transaction is its amount, so that duplicates are common.
    if (one.kind === 'add')
      bank.push({
        ...{ date: dateOf(one.day), status: one.pending ? 'pending' : 'posted', bankIdFingerprint: newId() },
        ...{ transactionFingerprint: `${one.amount}${one.day}`, amountFingerprint: one.amount },
      });
    if (!found) return;
    if (one.kind === 'twin') bank.push({ ...found, bankIdFingerprint: newId() });
    if (one.kind === 'edit')
      bank[at] = { ...found, date: dateOf(one.day), transactionFingerprint: `${one.text}${one.day}` };
    if (one.kind === 'post') bank[at] = { ...found, status: 'posted' };
    if (one.kind === 'remove') bank.splice(at, 1);
  };

  test('voids no posted transaction that one reading lacks, and ends with the bank’s list, without duplicates', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(reading, { maxLength: 12 }), bankIds, async (readings, ids) => {
        const bank: Listed[] = [];
        let stored: ExistingTransaction[] = [];
        /** The time since which each transaction has been missing from the readings. */
        const lackedSince = new Map<string, number>();
        let [now, nextId] = [hours(1), 0];
        const newId = () => (ids === 'none' ? null : ids === 'repeated' ? '0' : String(nextId++));
        const read = async (list: readonly Listed[]): Promise<void> => {
          const sent = list.map((one, ordinal): IncomingTransaction => ({ ...one, ordinal }));
          const planned = await plan(sent, stored, { complete: january, now, windowDays: 14 });
          const sentOf = new Map(planned.matches.map(({ incoming, existing }) => [existing.id, incoming]));
          for (const { id, status } of stored) {
            const since = lackedSince.get(id) ?? now;
            if (sentOf.has(id)) lackedSince.delete(id);
            else lackedSince.set(id, since);
            const isVoided = planned.lists.voided.includes(id);
            if (isVoided && status === 'posted') expect(now - since).toBeGreaterThanOrEqual(hours(20));
          }
          const kept = stored.map((one): ExistingTransaction => {
            const sentOne = sentOf.get(one.id);
            if (sentOne) return { ...one, ...sentOne, missingSince: undefined };
            if (planned.lists.voided.includes(one.id))
              return { ...one, status: 'void', missingSince: undefined };
            return planned.missing.includes(one.id) ? { ...one, missingSince: now } : one;
          });
          const added = planned.lists.added.map((position, index) => {
            const seq = stored.length + index;
            return { ...sent[position]!, seq, id: `t${seq}` };
          });
          stored = [...kept, ...added];
        };
        for (const { changes, hours: passed, gap } of readings) {
          for (const one of changes) changeBank(bank, one, newId);
          now += hours(passed);
          await read(bank.filter((_, index) => gap === undefined || index % gap !== 0));
        }
        for (let last = 0; last < 2; last++) {
          now += hours(20);
          await read(bank);
        }
        const valid = stored.filter(({ status }) => status !== 'void');
        expect(valid.map(contentOf).sort()).toEqual(bank.map(contentOf).sort());
      }),
      { numRuns: 300 },
    );
  });
});
