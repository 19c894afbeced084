// What may happen to one connection and its readers, as data that fast-check makes and shrinks.
import fc from 'fast-check';

export type HistoryEvent =
  | { kind: 'add'; account: number; daysAgo: number; text: number; cents: number; pending: boolean }
  | { kind: 'twin'; pick: number }
  | { kind: 'post'; pick: number; text: number; days: number }
  | { kind: 'reword'; pick: number; text: number }
  | { kind: 'withdraw'; pick: number }
  | { kind: 'restore' }
  | { kind: 'balance'; account: number; cents: number }
  | { kind: 'refresh'; full: boolean; mood: 'well' | 'down' | 'half' | 'withoutFirstAccount' }
  | { kind: 'crash'; full: boolean; call: number }
  | { kind: 'late'; change: boolean }
  | { kind: 'reconnect' }
  | { kind: 'clock'; minutes: number }
  | { kind: 'read'; reader: number }
  | { kind: 'walk'; reader: number }
  | { kind: 'abandon'; reader: number }
  | { kind: 'forget'; reader: number };

export type History = {
  ids: 'stable' | 'none' | 'rotating';
  accounts: number;
  /** Entries that are there before the connection is. */
  initialCount: number;
  pageSizes: [number, number];
  events: HistoryEvent[];
};

const account = fc.nat({ max: 1 });
const pick = fc.nat({ max: 50 });
// Few texts and amounts, so that entries are alike more often than at a real bank.
const text = fc.nat({ max: 3 });
const cents = fc.integer({ min: -3, max: 3 });
const reader = fc.nat({ max: 1 });

const historyEvent: fc.Arbitrary<HistoryEvent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      account,
      daysAgo: fc.oneof({ weight: 6, arbitrary: fc.nat({ max: 5 }) }, fc.nat({ max: 60 })),
      text,
      cents,
      pending: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('twin' as const), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      pick,
      text,
      days: fc.integer({ min: -2, max: 6 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reword' as const), pick, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), pick }) },
  fc.record({ kind: fc.constant('restore' as const) }),
  fc.record({ kind: fc.constant('balance' as const), account, cents }),
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('refresh' as const),
      full: fc.boolean(),
      mood: fc.oneof(
        { weight: 5, arbitrary: fc.constant('well' as const) },
        fc.constantFrom('down' as const, 'half' as const, 'withoutFirstAccount' as const),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      full: fc.boolean(),
      call: fc.integer({ min: 1, max: 40 }),
    }),
  },
  fc.record({ kind: fc.constant('late' as const), change: fc.boolean() }),
  fc.record({ kind: fc.constant('reconnect' as const) }),
  fc.record({ kind: fc.constant('clock' as const), minutes: fc.integer({ min: -3000, max: 3000 }) }),
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('read' as const), reader }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('walk' as const), reader }) },
  fc.record({ kind: fc.constant('abandon' as const), reader }),
  // A first walk is in order of dates, unlike all that follow: it is begun anew often enough to meet refreshes.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('forget' as const), reader }) },
);

export const historyArbitrary: fc.Arbitrary<History> = fc.record({
  ids: fc.constantFrom('stable', 'none', 'rotating'),
  accounts: fc.integer({ min: 1, max: 2 }),
  initialCount: fc.nat({ max: 8 }),
  pageSizes: fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 50 })),
  events: fc.array(historyEvent, { maxLength: 30 }),
});
