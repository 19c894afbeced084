// A page whose 100 transactions come from 100 refreshes, and so from 100 data keys. The first read unseals 100 boxes and
// wraps each key under the scoped token's own key. Compared with a baseline that unwraps the keys for each page, and with
// one that keeps them in memory, which a server with many users cannot do.
import { interleave } from '../load/interleave.ts';
import { statsOf } from '../load/stats.ts';
import { baselineOn, serviceOn } from '../targets/programs.ts';
import {
  authHeaders,
  compare,
  expectSameResponse,
  getJson,
  getTransactions,
  interleaveOptionsOf,
  type Row,
} from './row.ts';

const refreshes = 101;

export const hundredRefreshes: Row = {
  name: 'refreshes',
  measure: async (bench) => {
    const { fixture } = bench;
    bench.reportProgress(`${refreshes} refreshes`);
    const linked = await fixture.linkedWithRefreshes('grown', refreshes);
    const headers = authHeaders(fixture, linked.scopedToken);
    const service = await bench.start(serviceOn(fixture));
    const path = `/accounts/${linked.accountId}/transactions?limit=100`;
    const page = { target: service, path, headers };
    // Warms up everything except the data keys.
    await getJson({ target: service, path: '/connections', headers });
    const started = performance.now();
    await getJson(page);
    const firstMs = performance.now() - started;
    await getJson(page);
    const transactions = await getTransactions({ ...page, path: path.replace('limit=100', 'limit=1000') });
    const baseline = await bench.start(baselineOn(fixture, linked, transactions));
    const requests = [
      page,
      { target: baseline, path: '/page-opening-keys' },
      { target: baseline, path: '/page' },
    ];
    type Page = { transactions: unknown[] };
    const [body, baselineBody] = await Promise.all(requests.map((request) => getJson<Page>(request)));
    expectSameResponse('the page', body!.transactions, baselineBody!.transactions);
    const [ours, unwrapping, cached] = await interleave(requests, interleaveOptionsOf(bench));
    const row = 'page of 100 from 100 refreshes';
    return [
      { row, comparedWith: '', metric: 'first read, ms', service: statsOf([firstMs]) },
      ...compare({ row, comparedWith: 'baseline that unwraps keys', goal: 0.6 }, ours!, unwrapping!),
      ...compare({ row, comparedWith: 'baseline with keys in memory' }, ours!, cached!),
    ];
  },
};
