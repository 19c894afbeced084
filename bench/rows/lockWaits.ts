// The time that another process of the service waits for SQLite's write lock during two large imports, compared with the same
// writes on an idle database.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { addApplication, type Importer, sqliteLocation, startImporter } from '../data/fixture.ts';
import { linkLogin } from '../data/linkLogin.ts';
import { percentile, statsOf } from '../load/stats.ts';
import type { Bench, Row } from './row.ts';

const importsAtOnce = 2;
const waitMsMax = 250;

export const lockWaits: Row = {
  name: 'lock-waits',
  measure: async (bench) => {
    const [during, idle]: [number[], number[]] = [[], []];
    const [longest, idleLongest]: [number[], number[]] = [[], []];
    for (let round = 1; round <= bench.sizes.rounds; round++) {
      bench.reportProgress(`round ${round} of ${bench.sizes.rounds}`);
      const { imports, quiet } = await measureRound(bench);
      during.push(percentile(imports, 99));
      longest.push(Math.max(...imports));
      idle.push(percentile(quiet, 99));
      idleLongest.push(Math.max(...quiet));
    }
    const { importTransactions } = bench.sizes;
    const names = {
      row: `a write beside ${importsAtOnce} imports of ${importTransactions.toLocaleString('en')}`,
      comparedWith: 'the same write, no import',
    };
    return [
      { ...names, metric: 'ms, 99 % of the writes', service: statsOf(during), other: statsOf(idle) },
      {
        ...{ ...names, metric: 'ms, longest write' },
        ...{ service: statsOf(longest), other: statsOf(idleLongest) },
        goal: { atMost: waitMsMax },
      },
    ];
  },
};

const measureRound = async ({ sizes }: Bench): Promise<{ imports: number[]; quiet: number[] }> => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bench-lock-'));
  const location = sqliteLocation(directory);
  const importer = await startImporter(location);
  try {
    const { applicationId } = await addApplication(importer.service);
    const importAll = () =>
      Promise.all(
        Array.from({ length: importsAtOnce }, (_, index) =>
          importOne(importer, { applicationId, username: `login ${index}` }, sizes.importTransactions),
        ),
      );
    const quiet = await waitsDuring(
      location.databaseUrl,
      () => new Promise((done) => setTimeout(done, 1000)),
    );
    return { quiet, imports: await waitsDuring(location.databaseUrl, importAll) };
  } finally {
    await importer.close();
    await rm(directory, { recursive: true, force: true });
  }
};

const importOne = (
  { generated, url }: Importer,
  login: { applicationId: string; username: string },
  transactions: number,
): Promise<unknown> => {
  generated.setLogin(login.username, { transactions, span: transactions, days: 3650 });
  return linkLogin(url, login);
};

/** The milliseconds of each write of another thread during `run`. */
const waitsDuring = async (databaseUrl: string, run: () => Promise<unknown>): Promise<number[]> => {
  const writer = new Worker(new URL('../load/lockWriter.ts', import.meta.url), {
    workerData: { databaseUrl },
  });
  await once(writer, 'online');
  await run();
  const waits = once(writer, 'message');
  writer.postMessage('stop');
  return (await waits)[0];
};
