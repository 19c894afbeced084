// Generates histories: the events of one connection and its consumers, as data that fast-check can shrink.
import fc from 'fast-check';
import type { ResponseMode } from './modelConnector.ts';

const account = fc.nat({ max: 1 });
const pick = fc.nat({ max: 50 });
// Few texts and amounts, so that duplicates are more common than at a real bank.
const text = fc.nat({ max: 3 });
const cents = fc.integer({ min: -3, max: 3 });
const consumer = fc.nat({ max: 1 });

const incomplete = fc.constantFrom<ResponseMode>(
  ...(['down', 'incomplete', 'withoutFirstAccount'] as const),
  ...(['firstAccountFails', 'endsYesterday', 'withoutRange', 'leavesOut'] as const),
);
const complete = fc.constant<ResponseMode>('complete');

/** The fields of each kind of event. */
const events = {
  add: {
    ...{ account, text, cents, pending: fc.boolean() },
    daysAgo: fc.oneof({ weight: 6, arbitrary: fc.nat({ max: 5 }) }, fc.nat({ max: 60 })),
  },
  twin: { pick },
  post: { pick, text, days: fc.integer({ min: -2, max: 6 }) },
  changeText: { pick, text },
  remove: { pick },
  restore: {},
  balance: { account, cents },
  refresh: {
    full: fc.boolean(),
    responseMode: fc.oneof({ weight: 5, arbitrary: complete }, { weight: 3, arbitrary: incomplete }),
  },
  crash: { full: fc.boolean(), query: fc.integer({ min: 1, max: 40 }) },
  lateRefresh: { change: fc.boolean() },
  reconnect: {},
  clock: { minutes: fc.integer({ min: -3000, max: 3000 }) },
  readPage: { consumer },
  readAll: { consumer },
  abandonRead: { consumer },
  reset: { consumer },
};

type Kind = keyof typeof events;
type ValueOf<Values> = Values extends fc.Arbitrary<infer Value> ? Value : never;
type EventOf<One extends Kind> = { kind: One } & {
  [Name in keyof (typeof events)[One]]: ValueOf<(typeof events)[One][Name]>;
};

export type HistoryEvent = { [One in Kind]: EventOf<One> }[Kind];

export type History = {
  ids: 'stable' | 'none' | 'rotating';
  accounts: number;
  /** The number of the bank's transactions before the connection is linked. */
  initialCount: number;
  pageSizes: [number, number];
  events: HistoryEvent[];
};

/** The relative frequency of each kind; the others have 1. */
const weights: Partial<Record<Kind, number>> = {
  ...{ add: 6, refresh: 6, readPage: 6, post: 3 },
  ...{ twin: 2, changeText: 2, remove: 2, crash: 2, readAll: 2 },
  // A first read is ordered by date, unlike all later reads. It is frequent enough to coincide with refreshes.
  reset: 2,
};

const historyEvent = fc.oneof(
  ...(Object.keys(events) as Kind[]).map((kind) => ({
    weight: weights[kind] ?? 1,
    arbitrary: fc.record({ kind: fc.constant(kind), ...events[kind] }),
  })),
) as fc.Arbitrary<HistoryEvent>;

export const historyArbitrary: fc.Arbitrary<History> = fc.record({
  ids: fc.constantFrom('stable', 'none', 'rotating'),
  accounts: fc.integer({ min: 1, max: 2 }),
  initialCount: fc.nat({ max: 8 }),
  pageSizes: fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 50 })),
  events: fc.array(historyEvent, { maxLength: 30 }),
});
