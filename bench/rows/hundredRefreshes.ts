// A page whose 100 entries come from 100 refreshes, and so from 100 data keys. The first read opens 100 sealed
// boxes; from then on each key is wrapped under the token's own. Against two floors: one that opens the wrapped
// keys as it reads the page, and one that has them open in memory, which no server of many users could.
import { floorOn, serviceOn } from '../contenders/programs.ts';
import { inTurns } from '../load/inTurns.ts';
import { spreadOf } from '../load/spread.ts';
import { ask, compare, credentials, expectSame, type Row, turnsOf } from './row.ts';

const refreshes = 101;

export const hundredRefreshes: Row = {
  name: 'refreshes',
  measure: async (bench) => {
    const { stage } = bench;
    bench.say(`${refreshes} refreshes`);
    const linked = await stage.grown('grown', refreshes);
    const headers = credentials(stage, linked.scopedToken);
    const service = await bench.start(serviceOn(stage));
    const page = {
      contender: service,
      path: `/accounts/${linked.accountId}/transactions?limit=100`,
      headers,
    };
    // Another question before, so that only the keys are new.
    await ask({ contender: service, path: '/connections', headers });
    const started = performance.now();
    await ask(page);
    const firstMs = performance.now() - started;
    await ask(page);
    const file = stage.databaseUrl.slice('sqlite:'.length);
    const floor = await bench.start(floorOn({ ...linked, file, transactionId: '' }));
    const contestants = [
      page,
      { contender: floor, path: '/page-opening-keys' },
      { contender: floor, path: '/page' },
    ];
    type Page = { transactions: unknown[] };
    const [mine, least] = await Promise.all(contestants.map((one) => ask<Page>(one)));
    expectSame('the page', mine!.transactions, least!.transactions);
    const [ours, opening, open] = await inTurns(contestants, turnsOf(bench));
    const row = 'page of 100 from 100 refreshes';
    return [
      { row, against: '', figure: 'first read, ms', ours: spreadOf([firstMs]) },
      ...compare({ row, against: 'floor that opens the keys', toReach: 0.7 }, ours!, opening!),
      ...compare({ row, against: 'floor with open keys' }, ours!, open!),
    ];
  },
};
