// Searches institutions by name, alias, group, code and country. The index is built once per list. A search is bounded to about
// 3 ms with 10,000 institutions, because it blocks the event loop and anyone can send any text.
import { LRUCache } from 'lru-cache';
import type { components } from '../../../generated/widget.ts';
import { makeYielder } from '../../platform/loops/fairScheduler.ts';
import type { ListedInstitution } from './listing.ts';
import { makeSimilarNames } from './similarNames.ts';

export type InstitutionQuery = { search?: string; limit?: number };

/** Finds institutions, best first; without search text, the popular ones and then all others by name. */
export type InstitutionSearch = (query: InstitutionQuery) => ListedInstitution[];

/** The default, and the maximum that the API allows. */
const limitMax = 50;
/** The rest of a longer text is ignored. */
const textLengthMax = 100;
/** The most recent texts, with their results. */
const cachedTextsMax = 1000;
/** A shorter text is a country code or the start of a name. */
const countryPrefixMin = 3;
/** The widget's languages; the compiler reports a missing one. */
const languages: Record<components['schemas']['Language'], true> = {
  ...{ en: true, ar: true, de: true, es: true, fr: true, it: true, nl: true, pl: true, pt: true },
};

type Entry = { institution: ListedInstitution; names: string[]; codes: string[]; countries: string[] };
type Query = { text: string; code: string; word: string };

/** Institutions are sorted by the first of these that matches. */
const matches: ((entry: Entry, query: Query) => boolean)[] = [
  ({ codes }, { code }) => codes.includes(code),
  ({ names }, { text }) => names.some((name) => name.startsWith(text)),
  ({ names }, { word }) => names.some((name) => name.includes(word)),
  ({ countries }, { text }) =>
    countries.some(
      (country) => country === text || (text.length >= countryPrefixMin && country.startsWith(text)),
    ),
  ({ names }, { text }) => names.some((name) => name.includes(text)),
];

/** Yields to other tasks while building the index, which takes 0.1 s with 10,000 institutions. */
export const makeInstitutionSearch = async (
  institutions: readonly ListedInstitution[],
): Promise<InstitutionSearch> => {
  const countryNames = makeCountryNames();
  const yieldTurn = makeYielder();
  const entries: Entry[] = [];
  for (const institution of institutions.toSorted(popularFirst)) {
    entries.push(toEntry(institution, countryNames(institution.country)));
    await yieldTurn();
  }
  const findSimilar = await makeSimilarNames(entries.map(({ names }) => names));
  const find = (text: string): Entry[] => {
    if (text === '') return entries.slice(0, limitMax);
    const query = { text, code: compact(text), word: ` ${text}` };
    const byMatch = Map.groupBy(entries, (entry) => matches.findIndex((isMatch) => isMatch(entry, query)));
    const found = new Set(matches.flatMap((_, match) => byMatch.get(match) ?? []));
    if (found.size < limitMax) for (const at of findSimilar(text, limitMax)) found.add(entries[at]!);
    return [...found].slice(0, limitMax);
  };
  const cache = new LRUCache<string, Entry[]>({ max: cachedTextsMax, memoMethod: find });
  return ({ search = '', limit = limitMax }) => {
    const found = cache.memo(normalize(search).slice(0, textLengthMax));
    return found.slice(0, limit).map(({ institution }) => institution);
  };
};

const nameOrder = new Intl.Collator('en');
const popularFirst = (one: ListedInstitution, other: ListedInstitution): number =>
  Number(other.popular ?? false) - Number(one.popular ?? false) || nameOrder.compare(one.name, other.name);

const toEntry = (institution: ListedInstitution, countries: string[]): Entry => ({
  institution,
  names: namesOf(institution).map(normalize),
  codes: (institution.codes ?? []).map((code) => compact(normalize(code))),
  countries,
});

const namesOf = ({ name, aliases = [], group = '', formerNames = [] }: ListedInstitution): string[] =>
  [name, ...aliases, group, ...formerNames].filter((text) => text !== '');

/** A country's code and its names in the widget's languages. */
const makeCountryNames = () => {
  const namesIn = Object.keys(languages).map((tag) => new Intl.DisplayNames(tag, { type: 'region' }));
  const known = new Map<string, string[]>();
  return (country: string | undefined): string[] => {
    if (country === undefined) return [];
    const names = known.get(country) ?? [
      ...new Set([country, ...namesIn.map((names) => names.of(country)!)].map(normalize)),
    ];
    known.set(country, names);
    return names;
  };
};

const normalize = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** Users type codes with or without spaces and hyphens. */
const compact = (text: string): string => text.replace(/[ -]/g, '');
