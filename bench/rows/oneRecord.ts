// One account, one transaction and the list of connections, each compared with the baseline.

import { interleave } from '../load/interleave.ts';
import { baselineOn } from '../targets/programs.ts';
import {
  compare,
  expectSameResponse,
  getJson,
  getTransactions,
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
    const transactions = await getTransactions({ target: service, path: list, headers });
    const baseline = await bench.start(baselineOn(fixture, linked, transactions));
    const transactionPath = `${list}/${transactions[0]!.id}`;
    const records = [
      { row: 'one account', path: `/accounts/${linked.accountId}`, baselinePath: '/account', goal: 0.5 },
      { row: 'one transaction', path: transactionPath, baselinePath: '/transaction', goal: 0.4 },
      { row: 'list of connections', path: '/connections', baselinePath: '/connections', goal: 0.6 },
    ];
    const measurements: Measurement[] = [];
    for (const { row, path, baselinePath, goal } of records) {
      const requests = [
        { target: service, path, headers },
        { target: baseline, path: baselinePath },
      ];
      const [body, baselineBody] = await Promise.all(requests.map((request) => getJson(request)));
      expectSameResponse(row, body, baselineBody);
      const [ours, theirs] = await interleave(requests, interleaveOptionsOf(bench));
      measurements.push(...compare({ row, comparedWith: 'baseline', goal }, ours!, theirs!));
    }
    return measurements;
  },
};
