// Searches institutions by name. Case and accents are ignored; missing and transposed letters are tolerated.
import Fuse from 'fuse.js';
import type { Institution } from '../connectors/connector.ts';

const normalize = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** The institutions that match, best first; without a search text, all by name. */
export const searchInstitutions = (
  institutions: readonly Institution[],
  { search = '', limit = 50 }: { search?: string; limit?: number },
): { id: string; name: string }[] => {
  const byName = institutions
    .map(({ id, name }) => ({ id, name }))
    .sort((left, right) => left.name.localeCompare(right.name, 'en'));
  const query = normalize(search);
  if (query === '') return byName.slice(0, limit);
  const fuse = new Fuse(
    byName.map((institution) => ({ institution, normalizedName: normalize(institution.name) })),
    { keys: ['normalizedName'], threshold: 0.4, ignoreLocation: true },
  );
  return fuse.search(query, { limit }).map(({ item }) => item.institution);
};
