// Pages of 100 and 1,000 transactions on PostgreSQL, compared with a plain Express application on PostgreSQL. The PostgreSQL
// server's own CPU time counts in requests per second only.
import { interleave } from '../load/interleave.ts';
import { plainExpressOn } from '../targets/programs.ts';
import {
  compare,
  expectSameResponse,
  getJson,
  getTransactions,
  interleaveOptionsOf,
  type Measurement,
  type Row,
  serveAccount,
  withPostgres,
} from './row.ts';

type Page = { transactions: unknown[] };

const pages = [
  { row: 'page of 100 on PostgreSQL', limit: 100, goal: 0.9 },
  { row: 'page of 1,000 on PostgreSQL', limit: 1000, goal: 1.2 },
];

export const pageOnPostgres: Row = {
  name: 'postgres',
  anyDatabase: true,
  measure: (bench) =>
    withPostgres(bench, async (onPostgres) => {
      const { fixture, sizes } = onPostgres;
      const { service, headers, path: list } = await serveAccount(onPostgres, sizes.accountSmall);
      const transactions = await getTransactions({ target: service, path: list, headers });
      const plainExpress = await bench.start(await plainExpressOn(fixture, transactions));
      const measurements: Measurement[] = [];
      for (const { row, limit, goal } of pages) {
        const path = `${list}?limit=${limit}`;
        const requests = [
          { target: service, path, headers },
          { target: plainExpress, path },
        ];
        const [page, other] = await Promise.all(requests.map((one) => getJson<Page>(one)));
        expectSameResponse('the page', page!.transactions, other!.transactions);
        const [ours, theirs] = await interleave(requests, interleaveOptionsOf(onPostgres));
        measurements.push(
          ...compare({ row, comparedWith: 'plain Express on PostgreSQL', goal }, ours!, theirs!),
        );
      }
      return measurements;
    }),
};
