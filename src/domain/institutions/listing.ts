// Merges each response from a connector's directory with the institutions already known.
import type { Institution } from '../../../connectors/kit/contract.ts';

/** An institution in its stored form. */
export type ListedInstitution = Omit<Institution, 'logo'> & {
  /** Its previous names, and the names of institutions it replaced. */
  formerNames?: string[];
  logoHash?: string;
  /** The first day (YYYY-MM-DD) on which the directory no longer listed it. Only existing connections still use it. */
  missingSince?: string;
};

/** The number of former ids, and of former names, kept per institution. */
const formerMax = 100;
/** The number of institutions kept after their directory dropped them, latest first. */
const missingMax = 10_000;

/**
 * Returns the institutions in a new response, with earlier data about them and those they replace, and then the institutions
 * missing from the response, unless another one replaced them.
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

/** Removes `current` and duplicates. Returns undefined, which is not stored, if nothing remains. */
const without = (current: string, former: string[]): string[] | undefined => {
  const others = new Set(former);
  others.delete(current);
  return others.size > 0 ? [...others].slice(0, formerMax) : undefined;
};
