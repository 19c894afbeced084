// A page of 100 transactions on PostgreSQL, compared with a plain Express application on PostgreSQL. The PostgreSQL
// server's own CPU time counts in requests per second only.
import { interleave } from '../load/interleave.ts';
import { plainExpressOn } from '../targets/programs.ts';
import {
  compare,
  expectSameResponse,
  getJson,
  getTransactions,
  interleaveOptionsOf,
  type Row,
  serveAccount,
  withPostgres,
} from './row.ts';

type Page = { transactions: unknown[] };

export const pageOnPostgres: Row = {
  name: 'postgres',
  anyDatabase: true,
  measure: (bench) =>
    withPostgres(bench, async (onPostgres) => {
      const { fixture, sizes } = onPostgres;
      const { service, headers, path: list } = await serveAccount(onPostgres, sizes.accountSmall);
      const transactions = await getTransactions({ target: service, path: list, headers });
      const plainExpress = await bench.start(await plainExpressOn(fixture, transactions));
      const path = `${list}?limit=100`;
      const requests = [
        { target: service, path, headers },
        { target: plainExpress, path },
      ];
      const [page, other] = await Promise.all(requests.map((one) => getJson<Page>(one)));
      expectSameResponse('the page', page!.transactions, other!.transactions);
      const [ours, theirs] = await interleave(requests, interleaveOptionsOf(onPostgres));
      const row = 'page of 100 on PostgreSQL';
      return compare({ row, comparedWith: 'plain Express on PostgreSQL', goal: 0.9 }, ours!, theirs!);
    }),
};
