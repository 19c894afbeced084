// One account, one transaction, the list of connections: each against the floor for the same question.
import { baselineOn, type PlainTransaction, serviceOn } from '../targets/programs.ts';
import { interleave } from '../load/interleave.ts';
import {
  getJson,
  compare,
  authHeaders,
  expectSame,
  type Finding,
  type Row,
  interleaveOptionsOf,
} from './row.ts';

export const oneRecord: Row = {
  name: 'one',
  measure: async (bench) => {
    const { fixture, sizes } = bench;
    const entries = sizes.accountSmall;
    const linked = await fixture.linked('small', { transactions: entries, span: entries, days: 365 });
    const headers = authHeaders(fixture, linked.scopedToken);
    const service = await bench.start(serviceOn(fixture));
    const list = `/accounts/${linked.accountId}/transactions`;
    const page = { target: service, path: `${list}?limit=1`, headers };
    const { transactions } = await getJson<{ transactions: PlainTransaction[] }>(page);
    const transactionId = transactions[0]!.id;
    const file = fixture.databaseUrl.slice('sqlite:'.length);
    const floor = await bench.start(baselineOn({ ...linked, file, transactionId }));
    const questions = [
      { row: 'one account', path: `/accounts/${linked.accountId}`, floorPath: '/account' },
      { row: 'one transaction', path: `${list}/${transactionId}`, floorPath: '/transaction' },
      { row: 'list of connections', path: '/connections', floorPath: '/connections' },
    ];
    const findings: Finding[] = [];
    for (const { row, path, floorPath } of questions) {
      const contestants = [
        { target: service, path, headers },
        { target: floor, path: floorPath },
      ];
      const [mine, least] = await Promise.all(contestants.map((one) => getJson(one)));
      expectSame(row, mine, least);
      const [ours, theirs] = await interleave(contestants, interleaveOptionsOf(bench));
      findings.push(...compare({ row, against: 'floor', toReach: 0.6 }, ours!, theirs!));
    }
    return findings;
  },
};
