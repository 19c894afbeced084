// A page of 100 transactions: against the floor, against what one would write by hand, and against Prism's mock.
import {
  plainExpressOn,
  baselineOn,
  type PlainTransaction,
  prismMock,
  serviceOn,
} from '../targets/programs.ts';
import { interleave } from '../load/interleave.ts';
import { getJson, compare, authHeaders, expectSame, type Row, interleaveOptionsOf } from './row.ts';

type Page = { transactions: PlainTransaction[] };

export const pageOfHundred: Row = {
  name: 'page',
  measure: async (bench) => {
    const { fixture, sizes } = bench;
    const linked = await fixture.linked('small', {
      transactions: sizes.accountSmall,
      span: sizes.accountSmall,
      days: 365,
    });
    const headers = authHeaders(fixture, linked.scopedToken);
    const service = await bench.start(serviceOn(fixture));
    const path = `/accounts/${linked.accountId}/transactions`;
    const all = await getJson<Page>({ target: service, path, headers });
    const file = fixture.databaseUrl.slice('sqlite:'.length);
    const transactionId = all.transactions[0]!.id;
    const floor = await bench.start(baselineOn({ ...linked, file, transactionId }));
    const byHand = await bench.start(await plainExpressOn(fixture, all.transactions));
    const prism = await bench.start(prismMock);
    const page = `${path}?limit=100`;
    const contestants = [
      { target: service, path: page, headers },
      { target: floor, path: '/page' },
      { target: byHand, path: page },
      { target: prism, path: page, headers },
    ];
    const [ours, lowest, plain] = await Promise.all(contestants.slice(0, 3).map((one) => getJson<Page>(one)));
    expectSame('the page', ours!.transactions, lowest!.transactions);
    expectSame('the page', ours!.transactions, plain!.transactions);
    const [mine, least, written, mocked] = await interleave(contestants, interleaveOptionsOf(bench));
    const row = 'page of 100';
    return [
      ...compare({ row, against: 'floor', toReach: 0.8 }, mine!, least!),
      ...compare({ row, against: 'by hand', toReach: 1 }, mine!, written!),
      ...compare({ row, against: 'Prism mock', toReach: 20 }, mine!, mocked!),
    ];
  },
};
