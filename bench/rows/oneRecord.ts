// One account, one transaction, the list of connections: each against the floor for the same question.
import { floorOn, type PlainTransaction, serviceOn } from '../contenders/programs.ts';
import { inTurns } from '../load/inTurns.ts';
import { ask, compare, credentials, expectSame, type Finding, type Row, turnsOf } from './row.ts';

export const oneRecord: Row = {
  name: 'one',
  measure: async (bench) => {
    const { stage, sizes } = bench;
    const entries = sizes.accountSmall;
    const linked = await stage.linked('small', { entries, span: entries, days: 365 });
    const headers = credentials(stage, linked.scopedToken);
    const service = await bench.start(serviceOn(stage));
    const list = `/accounts/${linked.accountId}/transactions`;
    const page = { contender: service, path: `${list}?limit=1`, headers };
    const { transactions } = await ask<{ transactions: PlainTransaction[] }>(page);
    const transactionId = transactions[0]!.id;
    const file = stage.databaseUrl.slice('sqlite:'.length);
    const floor = await bench.start(floorOn({ ...linked, file, transactionId }));
    const questions = [
      { row: 'one account', path: `/accounts/${linked.accountId}`, floorPath: '/account' },
      { row: 'one transaction', path: `${list}/${transactionId}`, floorPath: '/transaction' },
      { row: 'list of connections', path: '/connections', floorPath: '/connections' },
    ];
    const findings: Finding[] = [];
    for (const { row, path, floorPath } of questions) {
      const contestants = [
        { contender: service, path, headers },
        { contender: floor, path: floorPath },
      ];
      const [mine, least] = await Promise.all(contestants.map((one) => ask(one)));
      expectSame(row, mine, least);
      const [ours, theirs] = await inTurns(contestants, turnsOf(bench));
      findings.push(...compare({ row, against: 'floor', toReach: 0.6 }, ours!, theirs!));
    }
    return findings;
  },
};
