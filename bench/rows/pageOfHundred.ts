// A page of 100 transactions, compared with the baseline, with a plain Express application and with Prism's mock.
import { interleave } from '../load/interleave.ts';
import { baselineOn, type PlainTransaction, plainExpressOn, prismMock } from '../targets/programs.ts';
import { compare, expectSameResponse, getJson, interleaveOptionsOf, type Row, serveAccount } from './row.ts';

type Page = { transactions: PlainTransaction[] };

export const pageOfHundred: Row = {
  name: 'page',
  measure: async (bench) => {
    const { fixture, sizes } = bench;
    const { linked, service, headers, path: list } = await serveAccount(bench, sizes.accountSmall);
    const all = await getJson<Page>({ target: service, path: list, headers });
    const file = fixture.databaseUrl.slice('sqlite:'.length);
    const transactionId = all.transactions[0]!.id;
    const baseline = await bench.start(baselineOn({ ...linked, file, transactionId }));
    const plainExpress = await bench.start(await plainExpressOn(fixture, all.transactions));
    const prism = await bench.start(prismMock);
    const path = `${list}?limit=100`;
    const requests = [
      { target: service, path, headers },
      { target: baseline, path: '/page' },
      { target: plainExpress, path },
      { target: prism, path, headers },
    ];
    const [page, ...otherPages] = await Promise.all(requests.slice(0, 3).map((one) => getJson<Page>(one)));
    for (const other of otherPages) expectSameResponse('the page', page!.transactions, other.transactions);
    const [ours, ofBaseline, ofPlainExpress, ofPrism] = await interleave(
      requests,
      interleaveOptionsOf(bench),
    );
    const row = 'page of 100';
    return [
      ...compare({ row, comparedWith: 'baseline', goal: 0.8 }, ours!, ofBaseline!),
      ...compare({ row, comparedWith: 'plain Express', goal: 1 }, ours!, ofPlainExpress!),
      ...compare({ row, comparedWith: 'Prism mock', goal: 20 }, ours!, ofPrism!),
    ];
  },
};
