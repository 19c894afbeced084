// Decides what a bank's transactions change of the stored ones. Fingerprints match them in three steps: equal in every part
// (counted, so two equal transactions stay two), then by the bank's own id, then pending ones to the nearest date within a
// window. Takes nearly linear time and needs no database.
import { statusPending, statusVoid } from '../../domain/codec/transaction.ts';
import { type FindEqual, forEach, indexRows, type Rows } from './rows.ts';

/** The first and last day, as numbers since 1970, for which a bank sent all transactions. */
export type CompleteDays = {
  from: number;
  to: number;
  /** The last day for which it sent all pending transactions. A list that reaches today includes every announced one. */
  pendingTo: number;
};

export type MergeInput = {
  /** In the order in which the bank sent them. */
  incoming: Rows;
  stored: Rows;
  /** Finds stored rows by `fingerprint`; equal ones in the order of their `seq`. */
  findStored: FindEqual;
  /** By stored row: 1 where its match is not among the incoming ones. */
  unchanged: Uint8Array;
  /** Stored rows before this day are not matched by the bank's id or as pending ones. */
  windowFrom: number;
  /** How many days the date may move when a pending transaction is posted. */
  windowDays: number;
  complete: CompleteDays | undefined;
};

/** The rows that change, by number. For a row without a match, `storedOf` and `incomingOf` have a negative number. */
export type Plan = {
  /** Incoming rows; the other lists are of stored ones. */
  added: number[];
  changed: number[];
  /** Only the bank's id has changed. */
  renumbered: number[];
  /** They no longer exist. */
  voided: number[];
  storedOf: Int32Array;
  incomingOf: Int32Array;
};

const none = -1;
const notKept = -2;

type Merge = MergeInput & Pick<Plan, 'storedOf' | 'incomingOf'>;

export const planMerge = async (input: MergeInput): Promise<Plan> => {
  const { incoming, stored, unchanged } = input;
  const storedOf = new Int32Array(incoming.count).fill(none);
  const incomingOf = Int32Array.from(unchanged, (isUnchanged) => (isUnchanged ? notKept : none));
  const merge = { ...input, storedOf, incomingOf };
  if (stored.count > 0) {
    await matchIdentical(merge);
    await matchByBankId(merge);
    await matchPending(merge);
  }
  const plan: Plan = { added: [], changed: [], renumbered: [], voided: [], storedOf, incomingOf };
  await forEach(incoming.count, (row) => {
    if (storedOf[row] === none) plan.added.push(row);
  });
  await forEach(stored.count, (row) => {
    if (isMissing(merge, row)) plan.voided.push(row);
    if (incomingOf[row]! < 0) return;
    const result = compare(incoming, incomingOf[row]!, stored, row);
    if (result !== 'unchanged') plan[result].push(row);
  });
  return plan;
};

/** What a match means for the stored row. */
export const compare = (
  incoming: Rows,
  one: number,
  stored: Rows,
  other: number,
): 'unchanged' | 'renumbered' | 'changed' => {
  const isSame =
    incoming.equals(one, 'fingerprint', stored, other) && incoming.status(one) === stored.status(other);
  if (!isSame) return 'changed';
  return incoming.equals(one, 'bankIdFingerprint', stored, other) ? 'unchanged' : 'renumbered';
};

/** Whether a stored transaction no longer exists because the bank did not send it. Nothing else decides about absence. */
const isMissing = ({ stored, incomingOf, complete }: Merge, row: number): boolean => {
  if (!complete || incomingOf[row] !== none || stored.status(row) === statusVoid) return false;
  const date = stored.date(row);
  return (
    date >= complete.from && date <= (stored.status(row) === statusPending ? complete.pendingTo : complete.to)
  );
};

const match = ({ storedOf, incomingOf }: Merge, one: number, other: number): void => {
  storedOf[one] = other;
  incomingOf[other] = one;
};

/**
 * Matches rows that are equal in every part. Among equal ones the same bank id comes first, then the same status, then any
 * that is not void, so that as few stored rows as possible change.
 */
const matchIdentical = (merge: Merge): Promise<void> =>
  forEachGroup(merge, 'fingerprint', merge.findStored, (equals, candidates) => {
    if (equals.length === 1 && candidates.length === 1) {
      match(merge, equals[0]!, candidates[0]!);
      return;
    }
    for (const keyOf of preferences) {
      const queues = Map.groupBy(candidates.toReversed(), (other) => keyOf(merge.stored, other));
      for (const one of equals) {
        const key = keyOf(merge.incoming, one);
        const other = key === undefined ? undefined : queues.get(key)?.pop();
        if (other !== undefined) match(merge, one, other);
      }
      equals = equals.filter((one) => merge.storedOf[one] === none);
      candidates = candidates.filter((other) => merge.incomingOf[other] === none);
    }
  });

const bankIdOf = (rows: Rows, at: number): string | undefined =>
  rows.fingerprint(at, 'bankIdFingerprint')?.toString('latin1');

// Both sides of a match have the same value of one of these, the first that is possible; undefined matches nothing.
const preferences: ((rows: Rows, at: number) => string | undefined)[] = [
  (rows, at) => bankIdOf(rows, at)?.concat(String(rows.status(at))),
  bankIdOf,
  (rows, at) => String(rows.status(at)),
  (rows, at) => (rows.status(at) === statusVoid ? undefined : 'not void'),
  () => 'any',
];

/**
 * Matches by the bank's own id: text, date, amount or status may have changed. Where several have the same id, the latest
 * ones match first.
 */
const matchByBankId = async (merge: Merge): Promise<void> => {
  const { stored, incomingOf, windowFrom } = merge;
  const name = 'bankIdFingerprint';
  const isInWindow = (row: number): boolean => stored.date(row) >= windowFrom && incomingOf[row] === none;
  const findStored = await indexRows(stored, name, isInWindow);
  await forEachGroup(merge, name, findStored, (equals, candidates) => {
    while (equals.length > 0 && candidates.length > 0) match(merge, equals.pop()!, candidates.pop()!);
  });
};

/** Calls `use` with the unmatched rows of both sides that have an equal fingerprint, in ascending order. */
const forEachGroup = async (
  { incoming, storedOf, incomingOf }: Merge,
  name: 'fingerprint' | 'bankIdFingerprint',
  findStored: FindEqual,
  use: (equals: number[], candidates: number[]) => void,
): Promise<void> => {
  const findIncoming = await indexRows(incoming, name, (row) => storedOf[row] === none);
  await forEach(incoming.count, (row) => {
    // Each group once, at its first row.
    const [first] = findIncoming(incoming, row);
    if (first !== row) return;
    const candidates = [...findStored(incoming, row)].filter((other) => incomingOf[other] === none);
    if (candidates.length > 0) use([...findIncoming(incoming, row)], candidates);
  });
};

/**
 * Matches stored pending rows with rows of the same amount at most `windowDays` apart, nearest date first. Among equal
 * distances the lower `seq` wins, then the one that the bank sent first.
 */
const matchPending = async (merge: Merge): Promise<void> => {
  const { incoming, stored, storedOf, incomingOf, windowFrom, windowDays } = merge;
  let unmatched: number[] = [];
  const amounts = new Set<string>();
  await forEach(stored.count, (row) => {
    if (stored.status(row) !== statusPending || stored.date(row) < windowFrom) return;
    if (incomingOf[row] !== none) return;
    unmatched.push(row);
    amounts.add(amountOf(stored, row));
  });
  unmatched.sort((left, right) => stored.seq(left) - stored.seq(right));
  // By amount and day, each with the one that was sent first at its end.
  const queues = new Map<string, number[]>();
  await forEach(unmatched.length > 0 ? incoming.count : 0, (counted) => {
    const row = incoming.count - 1 - counted;
    const amount = storedOf[row] === none && amountOf(incoming, row);
    if (!amount || !amounts.has(amount)) return;
    const key = queueKey(amount, incoming.date(row));
    queues.set(key, queues.get(key) ?? []);
    queues.get(key)!.push(row);
  });
  for (let distance = 0; distance <= windowDays; distance++) {
    const left: number[] = [];
    await forEach(unmatched.length, (at) => {
      const other = unmatched[at]!;
      const [amount, day] = [amountOf(stored, other), stored.date(other)];
      const before = queues.get(queueKey(amount, day - distance));
      const after = queues.get(queueKey(amount, day + distance));
      const one = firstSent(before) < firstSent(after) ? before?.pop() : after?.pop();
      if (one === undefined) left.push(other);
      else match(merge, one, other);
    });
    unmatched = left;
  }
};

const amountOf = (rows: Rows, at: number): string =>
  rows.fingerprint(at, 'pendingFingerprint')?.toString('latin1') ?? '';

const queueKey = (amount: string, day: number): string => `${amount} ${day}`;

const firstSent = (queue: number[] | undefined): number => queue?.at(-1) ?? Infinity;
