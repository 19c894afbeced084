// A page of 100, one account, one transaction and the list of connections, compared with an application that has the same parts but
// seals nothing: with credentials, validation and a log, as a team would write it. Shows the cost of sealing, in one run, on
// either database.
import { interleave } from '../load/interleave.ts';
import type { Target } from '../load/target.ts';
import { type PlainRecords, samePartsOn } from '../targets/programs.ts';
import {
  type Bench,
  compare,
  expectSameResponse,
  getJson,
  getTransactions,
  interleaveOptionsOf,
  type Measurement,
  type Row,
  serveAccount,
} from './row.ts';

type Headers = Record<string, string>;
type Peer = { target: Target; headers: Headers };

const startPeer = async (bench: Bench, service: Target, headers: Headers, accountPath: string) => {
  const target = service;
  const transactions = await getTransactions({ target, path: `${accountPath}/transactions`, headers });
  const { account } = await getJson<Pick<PlainRecords, 'account'>>({ target, path: accountPath, headers });
  const { connections } = await getJson<{ connections: PlainRecords['connection'][] }>({
    ...{ target, path: '/connections', headers },
  });
  const made = await samePartsOn(bench.fixture, transactions, { account, connection: connections[0]! });
  const peer: Peer = { target: await bench.start(made.program), headers: made.headers };
  return { peer, transactionId: transactions[0]!.id };
};

export const sameParts: Row = {
  name: 'same-parts',
  anyDatabase: true,
  measure: async (bench) => {
    const { service, headers, path: list } = await serveAccount(bench, bench.sizes.accountSmall);
    const accountPath = list.replace('/transactions', '');
    const { peer, transactionId } = await startPeer(bench, service, headers, accountPath);
    const isPostgres = bench.fixture.databaseUrl.startsWith('postgres');
    const goals = isPostgres ? [2.3, 2.4, 2.5, 2.8] : [2, undefined, undefined, undefined];
    const records = [
      { row: 'page of 100', path: `${list}?limit=100` },
      { row: 'one account', path: accountPath },
      { row: 'one transaction', path: `${list}/${transactionId}` },
      { row: 'list of connections', path: '/connections' },
    ];
    const measurements: Measurement[] = [];
    for (const [index, { row, path }] of records.entries()) {
      const requests = [
        { target: service, path, headers },
        { ...peer, path },
      ];
      const [ours, theirs] = await Promise.all(requests.map((one) => getJson<object>(one)));
      // Each application has its own cursors.
      expectSameResponse(row, { ...ours, pagination: 0 }, { ...theirs, pagination: 0 });
      const [service100, other] = await interleave(requests, interleaveOptionsOf(bench));
      const names = { row, comparedWith: 'the same parts, unsealed', goal: goals[index] };
      measurements.push(...compare(names, service100!, other!));
    }
    return measurements;
  },
};
