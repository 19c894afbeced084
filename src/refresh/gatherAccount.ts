// The entries of one account on their way into staging: of an account that is new to us all of them are new; of
// one that we hold few are merged in memory, and many in the staging table.
import type { BankEntry, History } from '../banks/bank.ts';
import type { Limits } from '../config.ts';
import type { Database } from '../db/open.ts';
import { makeId } from '../ids.ts';
import type { IncomingTransaction } from '../transactions/matching.ts';
import { mergeAccount, missingRow, windowStart } from './mergeAccount.ts';
import { type FewVerdicts, mergeFew } from './mergeFew.ts';
import { collectNew, type NewEntries } from './newEntries.ts';
import { type EntryPrints, printsOf, type StagingPlace, sealStaged, stageNew } from './staging.ts';
import { type Counts, findHeldFrom, insertStaged } from './store.ts';

/** What the bank gave; `added` where the new entries wait elsewhere than in the staging table's rows. */
export type AccountEntries = { entries: number; counts: Counts; added?: NewEntries };

type Tools = { db: Database; limits: Limits };

/** An account that we do not hold yet. */
export const gatherNew = async (
  { db, limits }: Tools,
  chunks: History['chunks'],
  place: StagingPlace,
): Promise<AccountEntries> => {
  const added = collectNew(db.write, place, limits);
  let entries = 0;
  for await (const chunk of chunks) {
    const first = entries;
    await added.add(chunk.map((entry, at) => stageNew(entry, first + at, place)));
    entries += chunk.length;
  }
  return { entries, counts: { added: entries, changed: 0, renumbered: 0, voided: 0 }, added };
};

type Seen = { entry: BankEntry; n: number; prints: EntryPrints };

/** An account that we hold. Throws what the chunks throw. */
export const gatherKnown = async (
  tools: Tools,
  { completeFrom, chunks }: Pick<History, 'completeFrom' | 'chunks'>,
  place: StagingPlace,
): Promise<AccountEntries> => {
  const { db, limits } = tools;
  const inMemoryMax = limits.mergeInMemoryRows;
  let few: Seen[] | undefined = [];
  let entries = 0;
  const stage = async (seen: readonly Seen[]): Promise<void> => {
    const rows = seen.map(({ entry, n, prints }) =>
      sealStaged(entry, prints, place, { n, id: makeId('txn'), verdict: null }),
    );
    for (let at = 0; at < rows.length; at += limits.stagingChunkRows) {
      await insertStaged(db.write, rows.slice(at, at + limits.stagingChunkRows));
    }
  };
  for await (const chunk of chunks) {
    const first = entries;
    const seen = chunk.map((entry, at) => ({ entry, n: first + at, prints: printsOf(entry, place) }));
    entries += chunk.length;
    if (few && entries <= inMemoryMax) {
      few.push(...seen);
      continue;
    }
    await stage(few ?? []);
    few = undefined;
    await stage(seen);
  }
  const merged = few && (await mergeInMemory(tools, few, completeFrom, place));
  if (merged) return { entries, ...merged };
  await stage(few ?? []);
  const counts = await mergeAccount(db, place, {
    completeFrom,
    windowDays: limits.pendingWindowDays,
    dataKey: place.dataKey,
    createdAt: place.createdAt,
    rangeRows: limits.mergeRangeRows,
  });
  return { entries, counts };
};

// Undefined where we hold too many entries of these days.
const mergeInMemory = async (
  { db, limits }: Tools,
  few: readonly Seen[],
  completeFrom: string,
  place: StagingPlace,
): Promise<Omit<AccountEntries, 'entries'> | undefined> => {
  const { pendingWindowDays: windowDays, mergeInMemoryRows: inMemoryMax } = limits;
  const start = windowStart({ completeFrom, windowDays });
  const from = few.reduce((earliest, { entry }) => (entry.date < earliest ? entry.date : earliest), start);
  const held = await findHeldFrom(db.read, place, from, inMemoryMax + 1);
  if (held.length > inMemoryMax) return undefined;
  const bank = few.map(toBankSide);
  const verdicts = mergeFew({ bank, held, completeFrom, windowStart: start, windowDays });
  const seenAs = new Map(few.map((seen) => [seen.n, seen]));
  const added = collectNew(db.write, place, limits);
  await added.add(
    verdicts.added.map(({ ordinal }) => {
      const { entry, prints } = seenAs.get(ordinal)!;
      return sealStaged(entry, prints, place, { n: ordinal, id: makeId('txn'), verdict: null });
    }),
  );
  await stageVerdicts(db, verdicts, seenAs, place);
  const { changed, renumbered, missing } = verdicts;
  const counts = {
    added: verdicts.added.length,
    changed: changed.length,
    renumbered: renumbered.length,
    voided: missing.length,
  };
  return { counts, added };
};

const toBankSide = ({ entry, n: ordinal, prints }: Seen): IncomingTransaction => ({
  ordinal,
  date: entry.date,
  status: entry.status,
  transactionFingerprint: prints.transactionFingerprint.toString('hex'),
  bankIdFingerprint: prints.bankIdFingerprint?.toString('hex') ?? null,
  amountFingerprint: prints.amountFingerprint.toString('hex'),
});

const stageVerdicts = async (
  db: Database,
  { changed, renumbered, missing }: FewVerdicts,
  seenAs: ReadonlyMap<number, Seen>,
  place: StagingPlace,
): Promise<void> => {
  const of = { endUserId: place.endUserId, refreshId: place.refreshId, accountId: place.accountId };
  const paired = (pairs: FewVerdicts['changed'], verdict: 'changed' | 'renumbered') =>
    pairs.map(({ incoming, existing }) => {
      const { entry, prints } = seenAs.get(incoming.ordinal)!;
      return sealStaged(entry, prints, place, { n: incoming.ordinal, id: existing.id, verdict });
    });
  const gone = missing.map((entry, at) => missingRow(entry, of, -1 - at, place.createdAt));
  await insertStaged(db.write, [...paired(changed, 'changed'), ...paired(renumbered, 'renumbered'), ...gone]);
};
