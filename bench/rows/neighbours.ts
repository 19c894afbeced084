// The time for a page of one application while another application reads pages on 64 connections, compared with that page alone.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { addApplication, type BenchFixture, startImporter } from '../data/fixture.ts';
import { linkLogin } from '../data/linkLogin.ts';
import { type LoadRequest, runLoad } from '../load/httpLoad.ts';
import { median, percentile, ratioOf, statsOf } from '../load/stats.ts';
import { authHeaders, type Row, serveAccount } from './row.ts';

const busyConnections = 64;
const rounds = 5;
const roundMs = 4000;
/** Short, so that a round has about a thousand pages and its 99th percentile is the tenth slowest, not a single one. */
const pauseMs = 3;
/** The time in which the busy application opens its connections; not measured. */
const connectMs = 500;
const loadWorker = new URL('../load/loadWorker.ts', import.meta.url);

export const neighbours: Row = {
  name: 'neighbours',
  anyDatabase: true,
  measure: async (bench) => {
    const { sizes, fixture } = bench;
    const neighbour = await linkOtherApplication(fixture, sizes.accountSmall);
    const { service, headers, path } = await serveAccount(bench, sizes.accountSmall);
    const busyPage: LoadRequest = { port: service.port, path: `${path}?limit=100`, headers };
    const page: LoadRequest = { port: service.port, ...neighbour };
    await runLoad([busyPage, page], { connections: 16, milliseconds: sizes.warmUpMs });
    const alone: number[][] = [];
    const beside: number[][] = [];
    for (let round = 0; round < rounds; round++) {
      bench.reportProgress(`round ${round + 1} of ${rounds}`);
      alone.push(await readPages(page));
      const load = { connections: busyConnections, milliseconds: connectMs + roundMs };
      const busy = new Worker(loadWorker, { workerData: { requests: [busyPage], load } });
      const ended = once(busy, 'exit');
      await sleep(connectMs);
      beside.push(await readPages(page));
      await ended;
    }
    const names = {
      row: 'a page beside another application’s 64 connections',
      comparedWith: 'the same alone',
    };
    return [median, (values: number[]) => percentile(values, 99)].map((summarize, index) => {
      const others = alone.map(summarize);
      const values = beside.map(summarize);
      return {
        ...names,
        metric: `${index === 0 ? 'median' : '99th percentile'} ms of a page of 100`,
        service: statsOf(values),
        other: statsOf(others),
        ratio: ratioOf(values, others),
        goal: { atMost: 3 },
      };
    });
  },
};

/** Links an account for a new application, and returns the request for its newest page. */
const linkOtherApplication = async (
  fixture: BenchFixture,
  transactions: number,
): Promise<Pick<LoadRequest, 'path' | 'headers'>> => {
  const importer = await startImporter(fixture);
  try {
    const { applicationId, apiKey } = await addApplication(importer.service);
    importer.generated.setLogin('neighbour', { transactions, span: transactions, days: 365 });
    const { accountId, scopedToken } = await linkLogin(importer.url, {
      applicationId,
      username: 'neighbour',
    });
    const headers = authHeaders({ ...fixture, apiKey }, scopedToken);
    return { path: `/accounts/${accountId}/transactions?limit=100`, headers };
  } finally {
    await importer.close();
  }
};

const readPages = async (page: LoadRequest): Promise<number[]> => {
  const latencies: number[] = [];
  for (const deadline = performance.now() + roundMs; performance.now() < deadline; ) {
    const load = await runLoad([page], { connections: 1, milliseconds: 0 });
    latencies.push(...load.latencies);
    await sleep(pauseMs);
  }
  return latencies;
};
