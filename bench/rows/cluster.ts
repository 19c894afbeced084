// A page of 100 and a refresh with nothing new on the Citus cluster of TEST_DISTRIBUTED_URL, compared with one PostgreSQL
// server. The CPU time of the database servers is not counted.
import { startPostgres } from '../../test/support/postgres.ts';
import { type Importer, startImporter } from '../data/fixture.ts';
import { startDistributed } from '../data/startDistributed.ts';
import { interleave } from '../load/interleave.ts';
import { median, ratioOf, statsOf } from '../load/stats.ts';
import {
  type Bench,
  compare,
  interleaveOptionsOf,
  linkAccount,
  type Row,
  serveAccount,
  withServer,
} from './row.ts';

const refreshesPerRound = 20;

export const cluster: Row = {
  name: 'cluster',
  cluster: true,
  measure: (bench) =>
    withServer(bench, startDistributed, (onCluster) =>
      withServer(bench, startPostgres, async (onPostgres) => {
        const benches = [onCluster, onPostgres];
        const served = [];
        for (const one of benches) served.push(await serveAccount(one, one.sizes.accountSmall));
        const requests = served.map(({ service, headers, path }) => ({
          ...{ target: service, headers, path: `${path}?limit=100` },
        }));
        const [ours, theirs] = await interleave(requests, interleaveOptionsOf(bench));
        const comparedWith = 'one PostgreSQL server';
        return [
          ...compare({ row: 'page of 100 on a cluster', comparedWith }, ours!, theirs!),
          await compareRefreshes(benches, comparedWith),
        ];
      }),
    ),
};

/** The duration of a refresh without changes, mostly spent waiting for the database. */
const compareRefreshes = async (benches: Bench[], comparedWith: string) => {
  const importers: Importer[] = [];
  try {
    for (const { fixture } of benches) importers.push(await startImporter(fixture));
    const milliseconds: number[][] = benches.map(() => []);
    for (let round = 0; round <= benches[0]!.sizes.rounds; round++) {
      for (const [index, importer] of importers.entries()) {
        const bench = benches[index]!;
        bench.reportProgress(`refreshes, round ${round}`);
        const { connectionId } = await linkAccount(bench, bench.sizes.accountSmall);
        const times: number[] = [];
        for (let count = 0; count < refreshesPerRound; count++) {
          const start = performance.now();
          await importer.refresh(connectionId);
          times.push(performance.now() - start);
        }
        // The first round warms up.
        if (round > 0) milliseconds[index]!.push(median(times));
      }
    }
    const [ours, theirs] = milliseconds as [number[], number[]];
    return {
      ...{ row: 'refresh with nothing new on a cluster', comparedWith, metric: 'ms per refresh' },
      ...{ service: statsOf(ours), other: statsOf(theirs), ratio: ratioOf(ours, theirs) },
    };
  } finally {
    for (const importer of importers) await importer.close();
  }
};
