// A page of 100 transactions, compared with the baseline and with a plain Express application, and one of 1,000 compared
// with the latter.
import { interleave } from '../load/interleave.ts';
import { baselineOn, plainExpressOn } from '../targets/programs.ts';
import {
  compare,
  expectSameResponse,
  getJson,
  getTransactions,
  interleaveOptionsOf,
  type Row,
  serveAccount,
} from './row.ts';

type Page = { transactions: unknown[] };

export const pageOfHundred: Row = {
  name: 'page',
  measure: async (bench) => {
    const { fixture, sizes } = bench;
    const { linked, service, headers, path: list } = await serveAccount(bench, sizes.accountSmall);
    const transactions = await getTransactions({ target: service, path: list, headers });
    const baseline = await bench.start(baselineOn(fixture, linked, transactions));
    const plainExpress = await bench.start(await plainExpressOn(fixture, transactions));
    const requestsOf = (limit: number) => [
      { target: service, path: `${list}?limit=${limit}`, headers },
      { target: plainExpress, path: `${list}?limit=${limit}` },
    ];
    const short = [...requestsOf(100), { target: baseline, path: '/page' }];
    const long = requestsOf(1000);
    for (const requests of [short, long]) {
      const [page, ...others] = await Promise.all(requests.map((one) => getJson<Page>(one)));
      for (const other of others) expectSameResponse('the page', page!.transactions, other.transactions);
    }
    const [page, ofPlainExpress, ofBaseline] = await interleave(short, interleaveOptionsOf(bench));
    const [longPage, longOfPlainExpress] = await interleave(long, interleaveOptionsOf(bench));
    const row = 'page of 100';
    const longRow = 'page of 1,000';
    return [
      ...compare({ row, comparedWith: 'baseline', goal: 1.1 }, page!, ofBaseline!),
      ...compare({ row, comparedWith: 'plain Express', goal: 1 }, page!, ofPlainExpress!),
      ...compare({ row: longRow, comparedWith: 'plain Express', goal: 1.3 }, longPage!, longOfPlainExpress!),
    ];
  },
};
