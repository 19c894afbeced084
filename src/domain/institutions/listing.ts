// What is known of a connector's institutions after each answer of its directory.
import type { Institution } from '../../../connectors/kit/contract.ts';

/** An institution as it is stored. */
export type ListedInstitution = Omit<Institution, 'logo'> & {
  /** What it was called before, or what it has followed. */
  formerNames?: string[];
  logoHash?: string;
  /** The day on which the directory no longer had it (YYYY-MM-DD). Only its connections go on. */
  missingSince?: string;
};

/** The former ids, and the former names, of one institution that are kept. */
const formerMax = 100;
/** The institutions that are kept after their directory has left them out, the latest first. */
const missingMax = 10_000;

/**
 * The institutions of a new answer, with what was known of them and of those that they follow; and those that are missing from it,
 * unless another has followed.
 */
export const mergeListing = (
  known: readonly ListedInstitution[],
  listed: readonly Institution[],
  today: string,
): ListedInstitution[] => {
  const knownById = new Map(known.map((institution) => [institution.id, institution]));
  const withLogo = known.filter(({ logoHash }) => logoHash);
  const hashes = new Map(withLogo.map(({ logoUrl, logoHash }) => [logoUrl, logoHash]));
  const current = listed.map(({ logo: _, ...institution }): ListedInstitution => {
    const { id, name, formerIds = [], logoUrl } = institution;
    const before = [id, ...formerIds].flatMap((former) => knownById.get(former) ?? []);
    const ids = before.flatMap((one) => one.formerIds ?? []);
    const names = before.flatMap((one) => [one.name, ...(one.formerNames ?? [])]);
    return {
      ...institution,
      formerIds: without(id, [...formerIds, ...ids]),
      formerNames: without(name, names),
      logoHash: logoUrl && hashes.get(logoUrl),
    };
  });
  const followed = new Set(current.flatMap(({ id, formerIds = [] }) => [id, ...formerIds]));
  const missing = known
    .filter(({ id }) => !followed.has(id))
    .map((institution) => ({ ...institution, missingSince: institution.missingSince ?? today }))
    .sort((one, other) => other.missingSince.localeCompare(one.missingSince));
  return [...current, ...missing.slice(0, missingMax)];
};

/** Each once. Undefined, which is not stored, where there is none. */
const without = (current: string, former: string[]): string[] | undefined => {
  const others = new Set(former);
  others.delete(current);
  return others.size > 0 ? [...others].slice(0, formerMax) : undefined;
};
