// Finding a bank by what somebody typed: forgiving case, accents, missing and transposed letters.
import Fuse from 'fuse.js';
import type { Institution } from '../connectors/connector.ts';

const normalizeText = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** The institutions that fit a search, best first; without one, all of them by name. */
export const searchInstitutions = (
  institutions: readonly Institution[],
  { search = '', limit = 50 }: { search?: string; limit?: number },
): { id: string; name: string }[] => {
  const byName = institutions
    .map(({ id, name }) => ({ id, name }))
    .sort((left, right) => left.name.localeCompare(right.name, 'en'));
  const wanted = normalizeText(search);
  if (wanted === '') return byName.slice(0, limit);
  const fuse = new Fuse(
    byName.map((institution) => ({ institution, folded: normalizeText(institution.name) })),
    { keys: ['folded'], threshold: 0.4, ignoreLocation: true },
  );
  return fuse.search(wanted, { limit }).map(({ item }) => item.institution);
};
