// A page of 100 at every depth: in an account of 1,000, 100,000 or 1,000,000 transactions; first, middle and last; with
// each date operator; with refreshedSince. Compared with the first page of the smallest account.
import { interleave, type TargetRequest } from '../load/interleave.ts';
import { serviceOn } from '../targets/programs.ts';
import { authHeaders, compareTime, getJson, interleaveOptionsOf, linkAccount, type Row } from './row.ts';

type Page = { transactions: { date: string }[]; pagination: { hasMore: boolean; nextCursor?: string } };
type PageCase = { name: string; request: TargetRequest };
type MakeRequest = (query: string) => TargetRequest;

const stepSize = 1000;
const pageSize = 100;
const smallestRefreshCursor = `txr_${'0'.repeat(26)}`;

export const depth: Row = {
  name: 'depth',
  anyDatabase: true,
  measure: async (bench) => {
    const { fixture, sizes } = bench;
    const service = await bench.start(serviceOn(fixture));
    const cases: PageCase[] = [];
    for (const transactions of [sizes.accountSmall, sizes.accountMedium, sizes.accountLarge]) {
      bench.reportProgress(`an account of ${transactions}`);
      const linked = await linkAccount(bench, transactions);
      const headers = authHeaders(fixture, linked.scopedToken);
      const makeRequest = (query: string): TargetRequest => ({
        target: service,
        path: `/accounts/${linked.accountId}/transactions?${query}`,
        headers,
      });
      cases.push(...(await pageCasesIn(transactions, makeRequest)));
    }
    const samples = await interleave(
      cases.map(({ request }) => request),
      { ...interleaveOptionsOf(bench), warmUpMs: sizes.warmUpMs / 3 },
    );
    return cases.slice(1).map(({ name }, index) => {
      const names = { row: name, comparedWith: 'first page of 1,000', goal: 1.15 };
      return compareTime(names, samples[index + 1]!, samples[0]!);
    });
  },
};

const pageCasesIn = async (transactions: number, makeRequest: MakeRequest): Promise<PageCase[]> => {
  const limit = `limit=${pageSize}`;
  const since = `refreshedSince=${smallestRefreshCursor}`;
  const byDate = await findCursors(transactions, makeRequest, '');
  const byRefresh = await findCursors(transactions, makeRequest, `${since}&`);
  const queries: Record<string, string> = {
    'first page': limit,
    'middle page': `${limit}&cursor=${byDate.middle}`,
    'last page': `${limit}&cursor=${byDate.last}`,
    'date[lte]': `${limit}&date[lte]=${byDate.middleDate}`,
    'date[lt]': `${limit}&date[lt]=${byDate.middleDate}`,
    'date[gte]': `${limit}&date[gte]=${byDate.earlyDate}`,
    'date[gt]': `${limit}&date[gt]=${byDate.earlyDate}`,
    'date[gte] and date[lte]': `${limit}&date[gte]=${byDate.earlyDate}&date[lte]=${byDate.middleDate}`,
    'refreshedSince, first page': `${limit}&${since}`,
    'refreshedSince, middle page': `${limit}&${since}&cursor=${byRefresh.middle}`,
    'refreshedSince, last page': `${limit}&${since}&cursor=${byRefresh.last}`,
  };
  const cases: PageCase[] = [];
  for (const [name, query] of Object.entries(queries)) {
    const request = makeRequest(query);
    const { length } = (await getJson<Page>(request)).transactions;
    if (length !== pageSize) throw new Error(`${name} of ${transactions} has ${length} transactions.`);
    cases.push({ name: `${name} of ${transactions.toLocaleString('en')}`, request });
  }
  return cases;
};

type Cursors = { middle: string; last: string; middleDate: string; earlyDate: string };

// Reads long pages up to the last 100 transactions. A cursor does not depend on the page size.
const findCursors = async (
  transactions: number,
  makeRequest: MakeRequest,
  filters: string,
): Promise<Cursors> => {
  const end = transactions - pageSize;
  const step = Math.min(stepSize, transactions / 10);
  let middle: { cursor: string; date: string } | undefined;
  let cursor = '';
  let date = '';
  for (let read = 0; read < end; ) {
    const size = Math.min(step, end - read);
    const query = `${filters}limit=${size}${cursor && `&cursor=${cursor}`}`;
    const page = await getJson<Page>(makeRequest(query));
    cursor = page.pagination.nextCursor!;
    date = page.transactions.at(-1)!.date;
    read += size;
    if (read >= transactions / 2) middle ??= { cursor, date };
  }
  return { middle: middle!.cursor, last: cursor, middleDate: middle!.date, earlyDate: date };
};
