// Adds the slow fingerprints of amounts that a merge needs. Each takes milliseconds on another thread, so they are computed
// for pending transactions, and for those that may be one of them, only, and once for each amount.
import { inChunks } from '../chunks.ts';
import { fingerprintBytes } from '../transactions/fingerprintIndex.ts';
import { classifyMatch, type Matches } from '../transactions/matching.ts';
import { statusPending } from '../transactions/transaction.ts';
import type { Fingerprints, IncomingColumns } from '../transactions/transactionColumns.ts';
import { slowFingerprint } from '../vault/slowFingerprint.ts';
import type { ExistingTransactions } from './existingTransactions.ts';

type SlowFingerprintDeps = {
  incoming: IncomingColumns;
  existing: ExistingTransactions;
  target: { slowFingerprintParameters: Buffer };
};

// So many amounts are computed at a time, so that their promises take little memory.
const amountsAtOnce = 50;

export const makeSlowFingerprints = ({ incoming, existing, target }: SlowFingerprintDeps) => {
  const slowByAmount = new Map<string, string>();
  const compute = async (amount: string): Promise<void> => {
    const slow = await slowFingerprint(Buffer.from(amount, 'latin1'), target.slowFingerprintParameters);
    slowByAmount.set(amount, slow.subarray(0, fingerprintBytes).toString('latin1'));
  };
  const add = async (
    { amounts: amountOf, pendingFingerprints }: Fingerprints,
    positions: readonly number[],
  ): Promise<void> => {
    const amounts = new Set(positions.map((position) => amountOf.get(position)!));
    for (const part of inChunks(amounts, amountsAtOnce)) {
      await Promise.all(part.filter((amount) => !slowByAmount.has(amount)).map(compute));
    }
    for (const position of positions) {
      pendingFingerprints.set(position, slowByAmount.get(amountOf.get(position)!)!);
    }
  };
  return {
    /** To unmatched transactions within some days of these stored pending ones. */
    addNear: (pending: readonly number[], windowDays: number, matches: Matches): Promise<void> => {
      const days = existing.daysAround(pending, windowDays);
      const isNear = (position: number): boolean =>
        matches.existingOf(position) === undefined && days.has(incoming.dates.get(position));
      return add(incoming, [...incoming.amounts.keys()].filter(isNear));
    },
    /** To pending transactions that will be stored. */
    addToPending: (matches: Matches): Promise<void> => {
      const isStored = (position: number): boolean => {
        const other = matches.existingOf(position);
        if (other === undefined || incoming.isKeyReplaced) return true;
        return classifyMatch({ incoming, existing: existing.columns }, position, other) === 'changed';
      };
      const pending = [...incoming.stored.amounts.keys()].filter(
        (position) => incoming.statuses.get(position) === statusPending && isStored(position),
      );
      return add(incoming.stored, pending);
    },
  };
};
