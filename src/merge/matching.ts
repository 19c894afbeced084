// Matches a bank's transactions with stored ones by fingerprints, in three steps: equal in every part (counted, so two
// equal transactions stay two), then by the bank's own id, then pending ones to the nearest date within a window.
// Pure, and in nearly linear time. The steps are generators, so that the caller can let other tasks run in between.

import { statusPending, statusVoid } from '../codec/transaction.ts';
import { FingerprintIndex } from './fingerprintIndex.ts';
import type { ExistingColumns, IncomingColumns } from './transactionColumns.ts';

const none = -1;
const notKept = -2;

/** How many transactions a step looks at before it yields: a few milliseconds. */
const yieldEvery = 2000;

/** Which transactions match, each at most once. Transactions are named by their positions in the columns. */
export class Matches {
  readonly #existingOf: Int32Array;
  readonly #incomingOf: Int32Array;

  constructor(incoming: { count: number }, existing: { count: number }) {
    this.#existingOf = new Int32Array(incoming.count).fill(none);
    this.#incomingOf = new Int32Array(existing.count).fill(none);
  }

  add(incoming: number, existing: number): void {
    this.#existingOf[incoming] = existing;
    this.#incomingOf[existing] = incoming;
  }

  /** A stored transaction that matches one that is not among the incoming ones. */
  addExisting(existing: number): void {
    this.#incomingOf[existing] = notKept;
  }

  /** The stored transaction that matches this one. */
  existingOf(incoming: number): number | undefined {
    const existing = this.#existingOf[incoming]!;
    return existing === none ? undefined : existing;
  }

  /** The incoming transaction that matches this one; undefined if none does, or if it was not kept. */
  incomingOf(existing: number): number | undefined {
    const incoming = this.#incomingOf[existing]!;
    return incoming < 0 ? undefined : incoming;
  }

  isExistingMatched(existing: number): boolean {
    return this.#incomingOf[existing] !== none;
  }
}

export type MatchInput = {
  incoming: IncomingColumns;
  existing: ExistingColumns;
  /** The stored transactions by `fingerprints`; the lowest `seq` of equal ones is found first. */
  existingByFingerprint: FingerprintIndex;
  /** Where the matches are added. What it contains already stays. */
  matches: Matches;
  /** Stored transactions before this day are not matched by the bank's id or as pending ones. */
  windowFrom: number;
  /** How many days the date may move when a pending transaction is posted. */
  windowDays: number;
};

/**
 * Matches transactions that are equal in every part. Among equal ones the same bank id comes first, then the same status,
 * then any that is not void, so that as few stored transactions as possible change.
 */
export function* matchIdentical(input: MatchInput): Generator<void> {
  for (const group of equalGroups(input, 'fingerprints', input.existingByFingerprint)) {
    if (group) for (const [one, other] of matchEquals(input, group)) input.matches.add(one, other);
    else yield;
  }
}

/**
 * Matches by the bank's own id: text, date, amount or status may have changed. Where several have the same id, the latest
 * ones match first.
 */
export function* matchByBankId(input: MatchInput): Generator<void> {
  const { existing, matches, windowFrom } = input;
  const byBankId = new FingerprintIndex(existing.bankIds, existing.count);
  for (let position = 0; position < existing.count; position++) {
    if (position % yieldEvery === 0) yield;
    if (existing.dates.get(position) >= windowFrom && !matches.isExistingMatched(position)) {
      byBankId.add(position);
    }
  }
  for (const group of equalGroups(input, 'bankIds', byBankId)) {
    if (!group) {
      yield;
      continue;
    }
    const latestFirst = group.incoming.reverse();
    for (const [index, other] of group.existing.entries()) {
      if (index < latestFirst.length) matches.add(latestFirst[index]!, other);
    }
  }
}

type Group = { incoming: number[]; existing: number[] };

// The unmatched transactions of both sides that have an equal fingerprint; undefined is a time to yield.
function* equalGroups(
  { incoming, matches }: MatchInput,
  name: 'fingerprints' | 'bankIds',
  existingIndex: FingerprintIndex,
): Generator<Group | undefined> {
  const column = incoming[name];
  const incomingIndex = new FingerprintIndex(column, incoming.count);
  for (let position = incoming.count - 1; position >= 0; position--) {
    if (position % yieldEvery === 0) yield;
    if (matches.existingOf(position) === undefined) incomingIndex.add(position);
  }
  const isVisited = new Uint8Array(incoming.count);
  for (let position = 0; position < incoming.count; position++) {
    if (position % yieldEvery === 0) yield;
    if (isVisited[position] === 1 || matches.existingOf(position) !== undefined) continue;
    const equals = [...incomingIndex.find(column, position)];
    for (const equal of equals) isVisited[equal] = 1;
    const candidates: number[] = [];
    for (const candidate of existingIndex.find(column, position)) {
      if (!matches.isExistingMatched(candidate)) candidates.push(candidate);
    }
    if (candidates.length > 0) yield { incoming: equals, existing: candidates };
  }
}

type Properties = { bankId: string | undefined; status: number };

// Both sides of a match have the same value of one of these, the first that is possible; undefined matches nothing.
const preferences: ((transaction: Properties) => string | undefined)[] = [
  ({ bankId, status }) => bankId?.concat(String(status)),
  ({ bankId }) => bankId,
  ({ status }) => String(status),
  ({ status }) => (status === statusVoid ? undefined : 'not void'),
  () => 'any',
];

function* matchEquals(input: MatchInput, group: Group): Generator<[incoming: number, existing: number]> {
  if (group.incoming.length === 1 && group.existing.length === 1) {
    yield [group.incoming[0]!, group.existing[0]!];
    return;
  }
  const propertiesOf = (columns: IncomingColumns | ExistingColumns, position: number): Properties => ({
    bankId: columns.bankIds.isNull(position) ? undefined : columns.bankIds.key(position),
    status: columns.statuses.get(position),
  });
  let unmatched = group.incoming;
  const candidates = new Set(group.existing);
  for (const keyOf of preferences) {
    if (unmatched.length === 0 || candidates.size === 0) return;
    const queues = makeQueues(candidates, (position) => keyOf(propertiesOf(input.existing, position)));
    const remaining: number[] = [];
    for (const position of unmatched) {
      const match = queues.get(keyOf(propertiesOf(input.incoming, position)))?.take();
      if (match === undefined) {
        remaining.push(position);
        continue;
      }
      candidates.delete(match);
      yield [position, match];
    }
    unmatched = remaining;
  }
}

type Queue = { first(): number | undefined; take(): number | undefined };

const makeQueues = <Key>(
  positions: Iterable<number>,
  keyOf: (position: number) => Key | undefined,
): Map<Key | undefined, Queue> => {
  const lists = Map.groupBy(positions, keyOf);
  lists.delete(undefined);
  return new Map([...lists].map(([key, list]) => [key, makeQueue(list)]));
};

const makeQueue = (positions: readonly number[]): Queue => {
  let next = 0;
  return { first: () => positions[next], take: () => positions[next++] };
};

/**
 * Matches stored pending transactions with transactions of the same amount at most `windowDays` apart, nearest date
 * first. Among equal distances the lower `seq` wins, then the one that the bank sent first. Takes time in proportion to
 * the number of transactions and to `windowDays`.
 */
export function* matchPending(input: MatchInput): Generator<void> {
  const { incoming, existing, matches, windowFrom, windowDays } = input;
  let unmatched: number[] = [];
  const days = new Set<number>();
  for (let position = 0; position < existing.count; position++) {
    if (position % yieldEvery === 0) yield;
    const day = existing.dates.get(position);
    if (existing.statuses.get(position) !== statusPending || day < windowFrom) continue;
    if (matches.isExistingMatched(position)) continue;
    unmatched.push(position);
    for (let distance = -windowDays; distance <= windowDays; distance++) days.add(day + distance);
  }
  if (unmatched.length === 0) return;
  unmatched.sort((left, right) => existing.seqs.get(left) - existing.seqs.get(right));
  const candidates: number[] = [];
  for (let position = 0; position < incoming.count; position++) {
    if (position % yieldEvery === 0) yield;
    const isNear = days.has(incoming.dates.get(position));
    if (isNear && matches.existingOf(position) === undefined) candidates.push(position);
  }
  const queues = makeQueues(candidates, (position) =>
    queueKey(incoming.amounts.key(position), incoming.dates.get(position)),
  );
  for (let distance = 0; distance <= windowDays; distance++) {
    yield;
    unmatched = unmatched.filter((position) => {
      const amount = existing.amounts.key(position);
      const day = existing.dates.get(position);
      const before = queues.get(queueKey(amount, day - distance));
      const after = queues.get(queueKey(amount, day + distance));
      const match = firstSent(before, after)?.take();
      if (match !== undefined) matches.add(match, position);
      return match === undefined;
    });
  }
}

const queueKey = (amount: string, day: number): string => `${amount} ${day}`;

const firstSent = (left: Queue | undefined, right: Queue | undefined): Queue | undefined => {
  const [first, second] = [left?.first(), right?.first()];
  if (first === undefined) return right;
  return second === undefined || first <= second ? left : right;
};

/** `renumbered`: only the bank's own id has changed. */
export type MatchResult = 'unchanged' | 'renumbered' | 'changed';

/** What a match means for the stored transaction. */
export const classifyMatch = (
  { incoming, existing }: Pick<MatchInput, 'incoming' | 'existing'>,
  one: number,
  other: number,
): MatchResult => {
  const isSame =
    incoming.fingerprints.equals(one, existing.fingerprints, other) &&
    incoming.statuses.get(one) === existing.statuses.get(other);
  if (!isSame) return 'changed';
  return incoming.bankIds.equals(one, existing.bankIds, other) ? 'unchanged' : 'renumbered';
};
