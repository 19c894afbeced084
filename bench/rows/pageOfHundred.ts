// A page of 100 transactions: against the floor, against what one would write by hand, and against Prism's mock.
import { byHandOn, floorOn, type PlainTransaction, prismMock, serviceOn } from '../contenders/programs.ts';
import { inTurns } from '../load/inTurns.ts';
import { ask, compare, credentials, expectSame, type Row, turnsOf } from './row.ts';

type Page = { transactions: PlainTransaction[] };

export const pageOfHundred: Row = {
  name: 'page',
  measure: async (bench) => {
    const { stage, sizes } = bench;
    const linked = await stage.linked('small', {
      entries: sizes.accountSmall,
      span: sizes.accountSmall,
      days: 365,
    });
    const headers = credentials(stage, linked.scopedToken);
    const service = await bench.start(serviceOn(stage));
    const path = `/accounts/${linked.accountId}/transactions`;
    const all = await ask<Page>({ contender: service, path, headers });
    const file = stage.databaseUrl.slice('sqlite:'.length);
    const transactionId = all.transactions[0]!.id;
    const floor = await bench.start(floorOn({ ...linked, file, transactionId }));
    const byHand = await bench.start(await byHandOn(stage, all.transactions));
    const prism = await bench.start(prismMock);
    const page = `${path}?limit=100`;
    const contestants = [
      { contender: service, path: page, headers },
      { contender: floor, path: '/page' },
      { contender: byHand, path: page },
      { contender: prism, path: page, headers },
    ];
    const [ours, lowest, plain] = await Promise.all(contestants.slice(0, 3).map((one) => ask<Page>(one)));
    expectSame('the page', ours!.transactions, lowest!.transactions);
    expectSame('the page', ours!.transactions, plain!.transactions);
    const [mine, least, written, mocked] = await inTurns(contestants, turnsOf(bench));
    const row = 'page of 100';
    return [
      ...compare({ row, against: 'floor', toReach: 0.8 }, mine!, least!),
      ...compare({ row, against: 'by hand', toReach: 1 }, mine!, written!),
      ...compare({ row, against: 'Prism mock', toReach: 20 }, mine!, mocked!),
    ];
  },
};
