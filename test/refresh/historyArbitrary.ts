// Generates histories: the events of one connection and its consumers, as data that fast-check can shrink.
import fc from 'fast-check';
import type { ResponseMode } from './modelConnector.ts';

export type HistoryEvent =
  | { kind: 'add'; account: number; daysAgo: number; text: number; cents: number; pending: boolean }
  | { kind: 'twin'; pick: number }
  | { kind: 'post'; pick: number; text: number; days: number }
  | { kind: 'changeText'; pick: number; text: number }
  | { kind: 'remove'; pick: number }
  | { kind: 'restore' }
  | { kind: 'balance'; account: number; cents: number }
  | { kind: 'refresh'; full: boolean; responseMode: ResponseMode }
  | { kind: 'crash'; full: boolean; query: number }
  | { kind: 'lateRefresh'; change: boolean }
  | { kind: 'reconnect' }
  | { kind: 'clock'; minutes: number }
  | { kind: 'readPage'; consumer: number }
  | { kind: 'readAll'; consumer: number }
  | { kind: 'abandonRead'; consumer: number }
  | { kind: 'reset'; consumer: number };

export type History = {
  ids: 'stable' | 'none' | 'rotating';
  accounts: number;
  /** How many transactions the bank has before the connection is linked. */
  initialCount: number;
  pageSizes: [number, number];
  events: HistoryEvent[];
};

const account = fc.nat({ max: 1 });
const pick = fc.nat({ max: 50 });
// Few texts and amounts, so that transactions are equal more often than at a real bank.
const text = fc.nat({ max: 3 });
const cents = fc.integer({ min: -3, max: 3 });
const consumer = fc.nat({ max: 1 });

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
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('changeText' as const), pick, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick }) },
  fc.record({ kind: fc.constant('restore' as const) }),
  fc.record({ kind: fc.constant('balance' as const), account, cents }),
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('refresh' as const),
      full: fc.boolean(),
      responseMode: fc.oneof(
        { weight: 5, arbitrary: fc.constant('complete' as const) },
        {
          weight: 3,
          arbitrary: fc.constantFrom(
            'down' as const,
            'incomplete' as const,
            'withoutFirstAccount' as const,
            'firstAccountFails' as const,
            'endsYesterday' as const,
            'withoutRange' as const,
          ),
        },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      full: fc.boolean(),
      query: fc.integer({ min: 1, max: 40 }),
    }),
  },
  fc.record({ kind: fc.constant('lateRefresh' as const), change: fc.boolean() }),
  fc.record({ kind: fc.constant('reconnect' as const) }),
  fc.record({ kind: fc.constant('clock' as const), minutes: fc.integer({ min: -3000, max: 3000 }) }),
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('readPage' as const), consumer }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('readAll' as const), consumer }) },
  fc.record({ kind: fc.constant('abandonRead' as const), consumer }),
  // A first read is ordered by date, unlike all later ones. It is repeated often enough to meet refreshes.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reset' as const), consumer }) },
);

export const historyArbitrary: fc.Arbitrary<History> = fc.record({
  ids: fc.constantFrom('stable', 'none', 'rotating'),
  accounts: fc.integer({ min: 1, max: 2 }),
  initialCount: fc.nat({ max: 8 }),
  pageSizes: fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 50 })),
  events: fc.array(historyEvent, { maxLength: 30 }),
});
