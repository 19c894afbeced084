// The type of a row of the benchmark, and functions that rows share.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { startPostgres } from '../../test/support/postgres.ts';
import { type BenchFixture, makeBenchFixture } from '../data/fixture.ts';
import type { Login } from '../data/generatedConnector.ts';
import type { LinkedLogin } from '../data/linkLogin.ts';
import type { PublicTransaction } from '../data/sealedRows.ts';
import type { InterleaveOptions, Samples, TargetRequest } from '../load/interleave.ts';
import { ratioOf, type Stats, statsOf } from '../load/stats.ts';
import { type Program, stopAll, type Target } from '../load/target.ts';
import { serviceOn } from '../targets/programs.ts';

/** One line of the table. */
export type Measurement = {
  row: string;
  /** The other target; empty if there is none. */
  comparedWith: string;
  /** The measured quantity, with its unit. */
  metric: string;
  service: Stats;
  other?: Stats;
  /** Service to other, by round. `compare` inverts it for CPU time, so that more is better. */
  ratio?: Stats;
  goal?: { atLeast: number } | { atMost: number };
};

/** The resources of a row: the data, processes that end with the row, and the sizes of this run. */
export type Bench = {
  fixture: BenchFixture;
  sizes: Sizes;
  start(program: Program): Promise<Target>;
  reportProgress(text: string): void;
};

export type Sizes = {
  rounds: number;
  /** The load on one target in one round. */
  roundMs: number;
  /** The load on each target before the first round. */
  warmUpMs: number;
  connections: number;
  accountSmall: number;
  accountMedium: number;
  accountLarge: number;
  importTransactions: number;
  unchangedConnections: number;
};

export type Row = {
  name: string;
  /** True if it can be measured on any database. A row with the baseline cannot, because the baseline reads SQLite's file. */
  anyDatabase?: true;
  /** True if it needs the Citus cluster of TEST_DISTRIBUTED_URL. */
  cluster?: true;
  /** True if it takes so long that it is measured only by name, or with --long. */
  long?: true;
  measure(bench: Bench): Promise<Measurement[]>;
};

export const interleaveOptionsOf = ({ sizes, reportProgress }: Bench): InterleaveOptions => ({
  rounds: sizes.rounds,
  warmUpMs: sizes.warmUpMs,
  load: { connections: sizes.connections, milliseconds: sizes.roundMs },
  onRound: (round) => reportProgress(`round ${round} of ${sizes.rounds}`),
});

/** Two lines that compare the service with another target, by throughput and by CPU time. More is better in both. */
export const compare = (
  names: { row: string; comparedWith: string; goal?: number },
  service: Samples,
  other: Samples,
): Measurement[] => {
  const goal = names.goal === undefined ? undefined : { atLeast: names.goal };
  return [
    {
      ...names,
      goal,
      metric: 'requests/s',
      service: statsOf(service.requestsPerSecond),
      other: statsOf(other.requestsPerSecond),
      ratio: ratioOf(service.requestsPerSecond, other.requestsPerSecond),
    },
    {
      ...names,
      goal,
      metric: 'requests per CPU second',
      service: statsOf(service.cpuMicros.map((micros) => 1e6 / micros)),
      other: statsOf(other.cpuMicros.map((micros) => 1e6 / micros)),
      ratio: ratioOf(other.cpuMicros, service.cpuMicros),
    },
  ];
};

/** A line that compares the CPU time of one page with that of another. Less is better. */
export const compareTime = (
  names: { row: string; comparedWith: string; goal?: number },
  page: Samples,
  other: Samples,
): Measurement => ({
  ...names,
  metric: 'CPU µs per page',
  service: statsOf(page.cpuMicros),
  other: statsOf(other.cpuMicros),
  ratio: ratioOf(page.cpuMicros, other.cpuMicros),
  goal: names.goal === undefined ? undefined : { atMost: names.goal },
});

/** The account with this number of transactions, linked on the first call: over a year if it is the small one, else over ten. */
export const linkAccount = (
  { fixture, sizes }: Pick<Bench, 'fixture' | 'sizes'>,
  transactions: number,
  order?: Login['order'],
): Promise<LinkedLogin> => {
  const isSmall = transactions === sizes.accountSmall;
  const username = isSmall ? 'small' : `of ${transactions}`;
  return fixture.linked(order ? `${username}, ${order}` : username, {
    transactions,
    span: transactions,
    days: isSmall ? 365 : 3650,
    order,
  });
};

/** Starts the service with the account of `linkAccount`, and returns the data for requests for its transactions. */
export const serveAccount = async (bench: Bench, transactions: number) => {
  const linked = await linkAccount(bench, transactions);
  return {
    linked,
    service: await bench.start(serviceOn(bench.fixture)),
    headers: authHeaders(bench.fixture, linked.scopedToken),
    path: `/accounts/${linked.accountId}/transactions`,
  };
};

/** The headers that authenticate a request to the public API. */
export const authHeaders = (fixture: BenchFixture, scopedToken: string): Record<string, string> => ({
  Authorization: `Bearer ${fixture.apiKey}`,
  'X-Scoped-Token': scopedToken,
});

const getText = async ({ target, path, headers }: TargetRequest): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${target.port}${path}`, { headers });
  const text = await response.text();
  if (response.status !== 200)
    throw new Error(`${target.name} responded ${response.status} to ${path}: ${text}`);
  return text;
};

/** The JSON body of one response. Throws unless it is a 200. */
export const getJson = async <Body>(request: TargetRequest): Promise<Body> =>
  JSON.parse(await getText(request));

/** The transactions of one response, with amounts as the service sent them. */
export const getTransactions = async (request: TargetRequest): Promise<PublicTransaction[]> => {
  const text = await getText(request);
  return JSON.parse(text.replaceAll(/"amount":(-?[\d.]+)/g, '"amount":"$1"')).transactions;
};

/** Throws unless two targets respond the same: only equal work is compared. */
export const expectSameResponse = (name: string, left: unknown, right: unknown): void => {
  if (!isDeepStrictEqual(left, right)) throw new Error(`The targets differ in ${name}.`);
};

/** Measures with a PostgreSQL database: that of this run, or else that of a new server. */
export const withPostgres = async <Result>(
  bench: Bench,
  use: (bench: Bench) => Promise<Result>,
): Promise<Result> =>
  bench.fixture.databaseUrl.startsWith('postgres') ? use(bench) : withServer(bench, startPostgres, use);

/** Measures with a new database on a server that `start` starts. */
export const withServer = async <Result>(
  bench: Bench,
  start: () => Promise<{ url: string; stop(): Promise<void> }>,
  use: (bench: Bench) => Promise<Result>,
): Promise<Result> => {
  const server = await start();
  try {
    const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bench-'));
    const fixture = await makeBenchFixture({ directory, databaseUrl: server.url });
    try {
      return await use({ ...bench, fixture });
    } finally {
      await stopAll();
      await fixture.close();
    }
  } finally {
    await server.stop();
  }
};
