// One account, one transaction and the list of connections, each compared with the baseline.

import { interleave } from '../load/interleave.ts';
import { baselineOn, type PlainTransaction } from '../targets/programs.ts';
import {
  compare,
  expectSameResponse,
  getJson,
  interleaveOptionsOf,
  type Measurement,
  type Row,
  serveAccount,
} from './row.ts';

export const oneRecord: Row = {
  name: 'one',
  measure: async (bench) => {
    const { fixture, sizes } = bench;
    const { linked, service, headers, path: list } = await serveAccount(bench, sizes.accountSmall);
    const newest = await getJson<{ transactions: PlainTransaction[] }>({
      target: service,
      path: `${list}?limit=1`,
      headers,
    });
    const transactionId = newest.transactions[0]!.id;
    const file = fixture.databaseUrl.slice('sqlite:'.length);
    const baseline = await bench.start(baselineOn({ ...linked, file, transactionId }));
    const records = [
      { row: 'one account', path: `/accounts/${linked.accountId}`, baselinePath: '/account' },
      { row: 'one transaction', path: `${list}/${transactionId}`, baselinePath: '/transaction' },
      { row: 'list of connections', path: '/connections', baselinePath: '/connections' },
    ];
    const measurements: Measurement[] = [];
    for (const { row, path, baselinePath } of records) {
      const requests = [
        { target: service, path, headers },
        { target: baseline, path: baselinePath },
      ];
      const [body, baselineBody] = await Promise.all(requests.map((request) => getJson(request)));
      expectSameResponse(row, body, baselineBody);
      const [ours, theirs] = await interleave(requests, interleaveOptionsOf(bench));
      measurements.push(...compare({ row, comparedWith: 'baseline', goal: 0.6 }, ours!, theirs!));
    }
    return measurements;
  },
};
