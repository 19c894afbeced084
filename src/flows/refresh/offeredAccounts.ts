// Fingerprints of accounts that a bank lists but the end user does not share, so that each is reported to the application once.
import type { FetchedAccounts } from './fetchAccounts.ts';

/** Bounds the list for a bank whose ids change each time. */
const offeredBytesMax = 16_000;

/** Adds the accounts that the bank now lists to those that the application knows about. */
export const addOffered = (
  known: Buffer | null,
  { unsharedFingerprints }: Pick<FetchedAccounts, 'unsharedFingerprints'>,
): Buffer | null => {
  const added = unsharedFingerprints.filter((one) => !isOffered(known, one));
  return added.length > 0
    ? Buffer.concat([...(known ? [known] : []), ...added]).subarray(-offeredBytesMax)
    : known;
};

const isOffered = (known: Buffer | null, one: Buffer): boolean => {
  for (let at = 0; known && at < known.length; at += one.length)
    if (known.subarray(at, at + one.length).equals(one)) return true;
  return false;
};
