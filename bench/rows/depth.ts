// The same page of 100 wherever it lies: in an account of 1,000, 100,000 or 1,000,000; first, in the middle, last;
// with each date operator; with refreshedSince. Against the first page of the smallest account.
import { serviceOn } from '../targets/programs.ts';
import { type TargetRequest, type Samples, interleave } from '../load/interleave.ts';
import { ratioOf, statsOf } from '../load/stats.ts';
import { getJson, authHeaders, type Finding, type Row, interleaveOptionsOf } from './row.ts';

type Page = { transactions: { date: string }[]; pagination: { hasMore: boolean; nextCursor?: string } };
type PageCase = { what: string; contestant: TargetRequest };

const stepSize = 1000;
const pageSize = 100;
const beforeAll = `txr_${'0'.repeat(26)}`;

export const depth: Row = {
  name: 'depth',
  anyDatabase: true,
  measure: async (bench) => {
    const { sizes } = bench;
    const service = await bench.start(serviceOn(bench.fixture));
    const places: PageCase[] = [];
    for (const transactions of [sizes.accountSmall, sizes.accountMedium, sizes.accountLarge]) {
      bench.reportProgress(`an account of ${transactions}`);
      const name = transactions === sizes.accountSmall ? 'small' : `of ${transactions}`;
      const days = transactions === sizes.accountSmall ? 365 : 3650;
      const linked = await bench.fixture.linked(name, { transactions, span: transactions, days });
      const headers = authHeaders(bench.fixture, linked.scopedToken);
      const at = (query: string): TargetRequest => ({
        target: service,
        path: `/accounts/${linked.accountId}/transactions?${query}`,
        headers,
      });
      places.push(...(await pageCasesIn(transactions, at)));
    }
    const figures = await interleave(
      places.map((place) => place.contestant),
      { ...interleaveOptionsOf(bench), warmUpMs: bench.sizes.warmUpMs / 3 },
    );
    return places.slice(1).map((place, at) => compareTime(place, figures[at + 1]!, figures[0]!));
  },
};

const pageCasesIn = async (entries: number, at: (query: string) => TargetRequest): Promise<PageCase[]> => {
  const limit = `limit=${pageSize}`;
  const walk = await walkThrough(entries, at, '');
  const feed = await walkThrough(entries, at, `refreshedSince=${beforeAll}&`);
  const queries: Record<string, string> = {
    'first page': limit,
    'page in the middle': `${limit}&cursor=${walk.middle}`,
    'last page': `${limit}&cursor=${walk.last}`,
    'date[lte]': `${limit}&date[lte]=${walk.middleDate}`,
    'date[lt]': `${limit}&date[lt]=${walk.middleDate}`,
    'date[gte]': `${limit}&date[gte]=${walk.earlyDate}`,
    'date[gt]': `${limit}&date[gt]=${walk.earlyDate}`,
    'date[gte] and date[lte]': `${limit}&date[gte]=${walk.earlyDate}&date[lte]=${walk.middleDate}`,
    'refreshedSince, first page': `${limit}&refreshedSince=${beforeAll}`,
    'refreshedSince, middle': `${limit}&refreshedSince=${beforeAll}&cursor=${feed.middle}`,
    'refreshedSince, last page': `${limit}&refreshedSince=${beforeAll}&cursor=${feed.last}`,
  };
  const places: PageCase[] = [];
  for (const [name, query] of Object.entries(queries)) {
    const contestant = at(query);
    const page = await getJson<Page>(contestant);
    const found = page.transactions.length;
    if (found !== pageSize) throw new Error(`${name} of ${entries} has ${found} entries.`);
    places.push({ what: `${name} of ${entries.toLocaleString('en')}`, contestant });
  }
  return places;
};

type Walk = { middle: string; last: string; middleDate: string; earlyDate: string };

// In long pages up to the last 100, noting the cursors on the way: a cursor does not depend on the size of pages.
const walkThrough = async (
  entries: number,
  at: (query: string) => TargetRequest,
  filters: string,
): Promise<Walk> => {
  const lastAt = entries - pageSize;
  const step = Math.min(stepSize, entries / 10);
  let middle: { cursor: string; date: string } | undefined;
  let cursor = '';
  let date = '';
  for (let seen = 0; seen < lastAt; ) {
    const size = Math.min(step, lastAt - seen);
    const query = `${filters}limit=${size}${cursor && `&cursor=${cursor}`}`;
    const page = await getJson<Page>(at(query));
    cursor = page.pagination.nextCursor!;
    date = page.transactions.at(-1)!.date;
    seen += size;
    if (seen >= entries / 2) middle ??= { cursor, date };
  }
  return { middle: middle!.cursor, last: cursor, middleDate: middle!.date, earlyDate: date };
};

const compareTime = ({ what }: PageCase, ours: Samples, first: Samples): Finding => ({
  row: what,
  against: 'first page of 1,000',
  metric: 'CPU µs per page',
  ours: statsOf(ours.cpuMicros),
  theirs: statsOf(first.cpuMicros),
  ratio: ratioOf(ours.cpuMicros, first.cpuMicros),
  goal: { atMost: 1.15 },
});
