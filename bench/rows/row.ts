// What a row of the bench is, and what it finds.
import type { BenchFixture } from '../data/fixture.ts';
import type { Target, Program } from '../load/target.ts';
import type { TargetRequest, Samples, InterleaveOptions } from '../load/interleave.ts';
import { ratioOf, type Stats, statsOf } from '../load/stats.ts';

/** One line of the table. */
export type Finding = {
  row: string;
  /** What it is measured against; empty where it is only shown. */
  against: string;
  /** What the figures are, with their unit. */
  metric: string;
  ours: Stats;
  theirs?: Stats;
  /** Of ours to theirs, unless `ratioSays` says otherwise. */
  ratio?: Stats;
  goal?: { atLeast: number } | { atMost: number };
};

/** What a row may use: the data, processes that end with it, and how much of everything this run measures. */
export type Bench = {
  fixture: BenchFixture;
  sizes: Sizes;
  start(program: Program): Promise<Target>;
  /** Progress, in a few words. */
  reportProgress(text: string): void;
};

export type Sizes = {
  rounds: number;
  /** One turn of one contestant; and how long each is asked before the first. */
  roundMs: number;
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
  /** Whether it can be measured on any database: not where it is compared with a floor that reads SQLite's file. */
  anyDatabase?: true;
  measure(bench: Bench): Promise<Finding[]>;
};

export const interleaveOptionsOf = (bench: Bench): InterleaveOptions => ({
  rounds: bench.sizes.rounds,
  warmUpMs: bench.sizes.warmUpMs,
  load: { connections: bench.sizes.connections, milliseconds: bench.sizes.roundMs },
  onRound: (round) => bench.reportProgress(`round ${round} of ${bench.sizes.rounds}`),
});

/** The two lines that compare a contestant with another by throughput and by CPU time, both as "times theirs". */
export const compare = (
  names: { row: string; against: string; toReach?: number },
  ours: Samples,
  theirs: Samples,
): Finding[] => {
  const goal = names.toReach === undefined ? undefined : { atLeast: names.toReach };
  return [
    {
      ...names,
      goal,
      metric: 'requests/s',
      ours: statsOf(ours.requestsPerSecond),
      theirs: statsOf(theirs.requestsPerSecond),
      ratio: ratioOf(ours.requestsPerSecond, theirs.requestsPerSecond),
    },
    {
      ...names,
      goal,
      metric: 'requests per CPU second',
      ours: statsOf(ours.cpuMicros.map((micros) => 1e6 / micros)),
      theirs: statsOf(theirs.cpuMicros.map((micros) => 1e6 / micros)),
      ratio: ratioOf(theirs.cpuMicros, ours.cpuMicros),
    },
  ];
};

/** The headers that the public interface wants. */
export const authHeaders = (stage: BenchFixture, scopedToken: string): Record<string, string> => ({
  Authorization: `Bearer ${stage.apiKey}`,
  'X-Scoped-Token': scopedToken,
});

/** One answer as JSON. Throws where it is not 200. */
export const getJson = async <Body>({ target, path, headers }: TargetRequest): Promise<Body> => {
  const response = await fetch(`http://127.0.0.1:${target.port}${path}`, { headers });
  if (response.status !== 200)
    throw new Error(`${target.name} answers ${response.status} at ${path}: ${await response.text()}`);
  return (await response.json()) as Body;
};

/** Throws unless two contestants say the same: only equal work is compared. */
export const expectSame = (what: string, left: unknown, right: unknown): void => {
  if (JSON.stringify(left) !== JSON.stringify(right)) throw new Error(`The contenders differ in ${what}.`);
};
