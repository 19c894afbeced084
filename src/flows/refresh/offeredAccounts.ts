// The accounts that a bank lists and the end user does not share, by fingerprint, so that the application is told once of each.
import type { FetchedAccounts } from './fetchAccounts.ts';

/** So that a bank whose ids change each time fills no disk. */
const offeredBytesMax = 16_000;

/** The accounts of which the application knows, with those that the bank lists now. */
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
