// A page whose 100 entries come from 100 refreshes, and so from 100 data keys. The first read opens 100 sealed
// boxes; from then on each key is wrapped under the token's own. Against two floors: one that opens the wrapped
// keys as it reads the page, and one that has them open in memory, which no server of many users could.
import { baselineOn, serviceOn } from '../targets/programs.ts';
import { interleave } from '../load/interleave.ts';
import { statsOf } from '../load/stats.ts';
import { getJson, compare, authHeaders, expectSame, type Row, interleaveOptionsOf } from './row.ts';

const refreshes = 101;

export const hundredRefreshes: Row = {
  name: 'refreshes',
  measure: async (bench) => {
    const { fixture } = bench;
    bench.reportProgress(`${refreshes} refreshes`);
    const linked = await fixture.linkedWithRefreshes('grown', refreshes);
    const headers = authHeaders(fixture, linked.scopedToken);
    const service = await bench.start(serviceOn(fixture));
    const page = {
      target: service,
      path: `/accounts/${linked.accountId}/transactions?limit=100`,
      headers,
    };
    // Another question before, so that only the keys are new.
    await getJson({ target: service, path: '/connections', headers });
    const started = performance.now();
    await getJson(page);
    const firstMs = performance.now() - started;
    await getJson(page);
    const file = fixture.databaseUrl.slice('sqlite:'.length);
    const floor = await bench.start(baselineOn({ ...linked, file, transactionId: '' }));
    const contestants = [
      page,
      { target: floor, path: '/page-opening-keys' },
      { target: floor, path: '/page' },
    ];
    type Page = { transactions: unknown[] };
    const [mine, least] = await Promise.all(contestants.map((one) => getJson<Page>(one)));
    expectSame('the page', mine!.transactions, least!.transactions);
    const [ours, opening, open] = await interleave(contestants, interleaveOptionsOf(bench));
    const row = 'page of 100 from 100 refreshes';
    return [
      { row, against: '', metric: 'first read, ms', ours: statsOf([firstMs]) },
      ...compare({ row, against: 'floor that opens the keys', toReach: 0.7 }, ours!, opening!),
      ...compare({ row, against: 'floor with open keys' }, ours!, open!),
    ];
  },
};
