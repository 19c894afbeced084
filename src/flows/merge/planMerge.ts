// Decides how a bank's transactions change the stored ones. Fingerprints match them in four steps: equal in every part
// (counted, so two equal transactions stay two), by the bank's own id, pending ones by amount to the nearest date within a
// window, and likewise posted ones that would otherwise be missing. Runs in nearly linear time and needs no database.
import { statusPending, statusPosted, statusVoid } from '../../domain/codec/transaction.ts';
import { type FindEqual, forEach, indexRows, type Rows } from './rows.ts';

/** The first and last day, in days since 1970, for which a bank sent all transactions. */
export type CompleteDays = {
  from: number;
  to: number;
  /** The last day for which it sent all pending transactions. A list up to today includes every announced transaction. */
  pendingTo: number;
  /** Another account continues this one and has all its transactions, so missing ones are void immediately. */
  isMoved?: boolean;
};

// Banks may omit posted transactions overnight, then list them again.
const minutesMissing = 20 * 60;
// With fewer transactions, losing more than half is too likely.
const doubtedFrom = 4;

export type MergeInput = {
  /** In the order the bank sent them. */
  incoming: Rows;
  stored: Rows;
  /** Finds stored rows by `fingerprint`; equal rows in `seq` order. */
  findStored: FindEqual;
  /** Indexed by stored row: 1 if the bank sent it unchanged, so that it is not among the incoming rows. */
  unchanged: Uint8Array;
  /** Rows before this day are not matched by the bank's id or as pending. */
  windowFrom: number;
  /** The number of days that the date may move when a pending transaction is posted. */
  windowDays: number;
  complete: CompleteDays | undefined;
  /** When the transactions were fetched, in minutes since 1970. */
  now: number;
};

/** The rows that change, by number. For a row without a match, `storedOf` and `incomingOf` contain a negative number. */
export type Plan = {
  /** Incoming rows; the other lists contain stored rows. */
  added: number[];
  changed: number[];
  /** Only the bank's id changed. */
  renumbered: number[];
  /** Rows that no longer exist. */
  voided: number[];
  /** Posted rows that the bank omits for the first time. */
  missing: number[];
  /** Rows that were missing and that the bank lists again, except changed ones. */
  found: number[];
  /** The first day with a missing posted row; null if there is none, undefined if the response cannot show it. */
  missingFrom: number | null | undefined;
  /** More than half of the posted rows are missing. Nothing becomes void, as if the response were incomplete. */
  isDoubted: boolean;
  storedOf: Int32Array;
  incomingOf: Int32Array;
};

const none = -1;
const notKept = -2;

type Merge = MergeInput & Pick<Plan, 'storedOf' | 'incomingOf'>;
type Absence = Pick<Plan, 'voided' | 'missing' | 'missingFrom' | 'isDoubted'>;

export const planMerge = async (input: MergeInput): Promise<Plan> => {
  const { incoming, stored, unchanged } = input;
  const storedOf = new Int32Array(incoming.count).fill(none);
  const incomingOf = Int32Array.from(unchanged, (isUnchanged) => (isUnchanged ? notKept : none));
  const merge = { ...input, storedOf, incomingOf };
  // In most refreshes, everything that the bank sends is already stored.
  if (stored.count > 0 && incoming.count > 0) {
    await matchIdentical(merge);
    await matchByBankId(merge);
    await matchPending(merge);
    await matchMissing(merge);
  }
  const lists: Pick<Plan, 'added' | 'changed' | 'renumbered' | 'found'> = {
    ...{ added: [], changed: [], renumbered: [], found: [] },
  };
  await forEach(incoming.count, (row) => {
    if (storedOf[row] === none) lists.added.push(row);
  });
  await forEach(stored.count, (row) => {
    if (incomingOf[row] === none) return;
    const result =
      incomingOf[row] === notKept ? 'unchanged' : compare(incoming, incomingOf[row]!, stored, row);
    if (result !== 'unchanged') lists[result].push(row);
    if (result !== 'changed' && stored.missingSince(row) !== 0) lists.found.push(row);
  });
  return { ...lists, ...(await judgeAbsence(merge)), storedOf, incomingOf };
};

/** The effect of a match on the stored row. */
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

/** True if the bank should have sent a stored transaction. */
const isExpected = ({ stored, complete }: Merge, row: number): boolean => {
  const status = stored.status(row);
  if (!complete || status === statusVoid) return false;
  const date = stored.date(row);
  return date >= complete.from && date <= (status === statusPending ? complete.pendingTo : complete.to);
};

/**
 * Judges the stored transactions that the bank did not send; absence is decided only here. Pending transactions become void at
 * once, posted ones after they have been missing for 20 hours. If more than half of the posted ones have been missing for less
 * time, nothing becomes void, because the response may be incomplete. If it is complete, one 20 hours later confirms it.
 */
const judgeAbsence = async (merge: Merge): Promise<Absence> => {
  const { stored, incomingOf, complete, now } = merge;
  if (!complete) return { voided: [], missing: [], missingFrom: undefined, isDoubted: false };
  const absent: Record<'void' | 'lately' | 'long', number[]> = { void: [], lately: [], long: [] };
  const missing: number[] = [];
  let posted = 0;
  await forEach(stored.count, (row) => {
    if (!isExpected(merge, row)) return;
    const isPosted = stored.status(row) === statusPosted;
    if (isPosted) posted += 1;
    if (incomingOf[row] !== none) return;
    if (!isPosted || complete.isMoved) {
      absent.void.push(row);
      return;
    }
    const since = stored.missingSince(row);
    // If the clock was set back, the wait starts over.
    const isFirst = since === 0 || since > now;
    if (isFirst) missing.push(row);
    absent[!isFirst && now - since >= minutesMissing ? 'long' : 'lately'].push(row);
  });
  const { lately, long } = absent;
  const isDoubted = posted >= doubtedFrom && lately.length > posted / 2;
  const kept = isDoubted ? [...lately, ...long] : lately;
  const missingFrom =
    kept.length === 0 ? null : kept.reduce((day, row) => Math.min(day, stored.date(row)), Infinity);
  return { voided: isDoubted ? [] : [...absent.void, ...long], missing, missingFrom, isDoubted };
};

const match = ({ storedOf, incomingOf }: Merge, one: number, other: number): void => {
  storedOf[one] = other;
  incomingOf[other] = one;
};

/**
 * Matches rows that are equal in every part. Among equal rows, the same bank id comes first, then the same status, then any row
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

// Both sides of a match have the same value for one of these, tried in order; undefined matches nothing.
const preferences: ((rows: Rows, at: number) => string | undefined)[] = [
  (rows, at) => bankIdOf(rows, at)?.concat(String(rows.status(at))),
  bankIdOf,
  (rows, at) => String(rows.status(at)),
  (rows, at) => (rows.status(at) === statusVoid ? undefined : 'not void'),
  () => 'any',
];

/**
 * Matches by the bank's own id: text, date, amount or status may have changed. If several stored rows have the id, the latest
 * matches. An id that the bank sends twice is ignored, because some banks send zeros or positions.
 */
const matchByBankId = async (merge: Merge): Promise<void> => {
  const { incoming, stored, incomingOf, windowFrom } = merge;
  const name = 'bankIdFingerprint';
  const findSent = await indexRows(incoming, name);
  const findNotKept = await indexRows(stored, name, (row) => incomingOf[row] === notKept);
  const isInWindow = (row: number): boolean => stored.date(row) >= windowFrom && incomingOf[row] === none;
  const findStored = await indexRows(stored, name, isInWindow);
  await forEachGroup(merge, name, findStored, ([one], candidates) => {
    const sent = [...findSent(incoming, one!), ...findNotKept(incoming, one!)];
    if (sent.length === 1) match(merge, one!, candidates.at(-1)!);
  });
};

/** Calls `use` with the unmatched rows of both sides that have equal fingerprints, in ascending order. */
const forEachGroup = async (
  { incoming, storedOf, incomingOf }: Merge,
  name: 'fingerprint' | 'bankIdFingerprint',
  findStored: FindEqual,
  use: (equals: number[], candidates: number[]) => void,
): Promise<void> => {
  const findIncoming = await indexRows(incoming, name, (row) => storedOf[row] === none);
  await forEach(incoming.count, (row) => {
    // Handles each group once, at its first row.
    const [first] = findIncoming(incoming, row);
    if (first !== row) return;
    const candidates = [...findStored(incoming, row)].filter((other) => incomingOf[other] === none);
    if (candidates.length > 0) use([...findIncoming(incoming, row)], candidates);
  });
};

const matchPending = (merge: Merge): Promise<void> => {
  const { stored, windowFrom } = merge;
  const isPending = (row: number): boolean =>
    stored.status(row) === statusPending && stored.date(row) >= windowFrom;
  return matchByAmount(merge, isPending, () => true);
};

/** If a bank without ids edits a posted transaction, it lists another with the same amount: both are the same transaction. */
const matchMissing = (merge: Merge): Promise<void> => {
  const { incoming, stored } = merge;
  const isPosted = (rows: Rows, row: number): boolean => rows.status(row) === statusPosted;
  const isWanted = (row: number): boolean => isPosted(stored, row) && isExpected(merge, row);
  return matchByAmount(merge, isWanted, (row) => isPosted(incoming, row));
};

/**
 * Matches stored rows with rows of the same amount at most `windowDays` apart, nearest date first. At equal distances, the
 * lower `seq` wins, then the row that the bank sent first.
 */
const matchByAmount = async (
  merge: Merge,
  isWanted: (row: number) => boolean,
  mayMatch: (row: number) => boolean,
): Promise<void> => {
  const { incoming, stored, storedOf, incomingOf, windowDays } = merge;
  let unmatched: number[] = [];
  const amounts = new Set<string>();
  await forEach(stored.count, (row) => {
    if (incomingOf[row] !== none || !isWanted(row)) return;
    unmatched.push(row);
    amounts.add(amountOf(stored, row));
  });
  unmatched.sort((left, right) => stored.seq(left) - stored.seq(right));
  // Keyed by amount and day; each queue ends with the row that was sent first.
  const queues = new Map<string, number[]>();
  await forEach(unmatched.length > 0 ? incoming.count : 0, (counted) => {
    const row = incoming.count - 1 - counted;
    const amount = storedOf[row] === none && mayMatch(row) && amountOf(incoming, row);
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
  rows.fingerprint(at, 'amountFingerprint')?.toString('latin1') ?? '';

const queueKey = (amount: string, day: number): string => `${amount} ${day}`;

const firstSent = (queue: number[] | undefined): number => queue?.at(-1) ?? Infinity;
