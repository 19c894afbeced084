// How long a search for institutions blocks the event loop: the slowest of many texts, some of them hostile, compared with a
// scan of the names for the same texts.
import { type InstitutionSearch, makeInstitutionSearch } from '../../src/domain/institutions/search.ts';
import { generateInstitutions } from '../data/generatedInstitutions.ts';
import { median, ratioOf, statsOf } from '../load/stats.ts';
import { makeSeededRandom } from '../soak/seededRandom.ts';
import type { Row } from './row.ts';

const institutionCount = 10_000;
const repetitions = 5;
const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];
const { pick } = makeSeededRandom(2);

/** At most 100 characters each, as the contract allows. */
const texts = [
  ...['', 'e', 'bank', 'sparkasse', 'volksbank raiffeisenbank', '10004242', 'germany', 'nothing at all'],
  // Typos, including errors in words and pairs of letters that are in most names.
  ...['savigns bnak', 'sparkase nuebrug', 'kreisparkase volksbnak raifeisenbank hauptstele landkries'],
  ...['hauptstellenlandkreisgemeinden '.repeat(3), 'x an der und die', 'kassenbanken '.repeat(5)],
  ...[
    'a'.repeat(100),
    'ab'.repeat(50),
    alphabet.join(' '),
    Array.from({ length: 100 }, () => pick(alphabet)).join(''),
  ],
  // Characters with two code units, and characters that decompose into three letters or none.
  ...[
    '🏦'.repeat(100),
    '각'.repeat(100),
    '\u0301'.repeat(100),
    'ệ'.repeat(100),
    '- '.repeat(50),
    '1'.repeat(100),
  ],
];

export const institutionSearch: Row = {
  name: 'institutions',
  anyDatabase: true,
  measure: async ({ sizes, reportProgress }) => {
    const institutions = generateInstitutions(institutionCount);
    const names = institutions.map(({ name }) => name.toLowerCase());
    const scan: InstitutionSearch = ({ search }) =>
      institutions.filter((_, at) => names[at]!.includes(search!));
    const samples = { index: [] as number[], search: [] as number[], scan: [] as number[] };
    for (let round = 0; round <= sizes.rounds; round++) {
      reportProgress(`round ${round}`);
      const indexMs: number[] = [];
      const makeSearch = async (): Promise<InstitutionSearch> => {
        const started = performance.now();
        const search = await makeInstitutionSearch(institutions);
        indexMs.push(performance.now() - started);
        return search;
      };
      const ofSearch = await slowestMs(makeSearch);
      const ofScan = await slowestMs(async () => scan);
      if (round === 0) continue;
      samples.index.push(median(indexMs));
      samples.search.push(ofSearch);
      samples.scan.push(ofScan);
    }
    const search = { row: 'slowest search of 10,000 institutions', metric: 'ms of the event loop' };
    return [
      {
        ...{ ...search, comparedWith: 'a scan of the names' },
        service: statsOf(samples.search),
        other: statsOf(samples.scan),
        ratio: ratioOf(samples.search, samples.scan),
      },
      { ...{ ...search, comparedWith: '', goal: { atMost: 10 } }, service: statsOf(samples.search) },
      {
        ...{ row: 'index of 10,000 institutions', comparedWith: '', metric: 'ms in the background' },
        service: statsOf(samples.index),
      },
    ];
  },
};

/**
 * The time of the slowest text. Only a text's fastest repetition counts, because other processes interrupted it least. Each
 * repetition has its own search, because a search caches results.
 */
const slowestMs = async (makeSearch: () => Promise<InstitutionSearch>): Promise<number> => {
  const searches: InstitutionSearch[] = [];
  for (let count = 0; count < repetitions; count++) searches.push(await makeSearch());
  return Math.max(...texts.map((text) => Math.min(...searches.map((search) => msOf(search, text)))));
};

const msOf = (search: InstitutionSearch, text: string): number => {
  const started = performance.now();
  search({ search: text });
  return performance.now() - started;
};
