// What a row of the bench is, and what it finds.
import type { Stage } from '../data/stage.ts';
import type { Contender, Program } from '../load/contender.ts';
import type { Contestant, Figures, Turns } from '../load/inTurns.ts';
import { ratioOf, type Spread, spreadOf } from '../load/spread.ts';

/** One line of the table. */
export type Finding = {
  row: string;
  /** What it is measured against; empty where it is only shown. */
  against: string;
  /** What the figures are, with their unit. */
  figure: string;
  ours: Spread;
  theirs?: Spread;
  /** Of ours to theirs, unless `ratioSays` says otherwise. */
  ratio?: Spread;
  toReach?: { atLeast: number } | { atMost: number };
};

/** What a row may use: the data, processes that end with it, and how much of everything this run measures. */
export type Bench = {
  stage: Stage;
  sizes: Sizes;
  start(program: Program): Promise<Contender>;
  /** Progress, in a few words. */
  say(text: string): void;
};

export type Sizes = {
  rounds: number;
  /** One turn of one contestant; and how long each is asked before the first. */
  turnMs: number;
  warmUpMs: number;
  connections: number;
  accountSmall: number;
  accountMedium: number;
  accountLarge: number;
  importEntries: number;
  quietConnections: number;
};

export type Row = {
  name: string;
  /** Whether it can be measured on any database: not where it is compared with a floor that reads SQLite's file. */
  anyDatabase?: true;
  measure(bench: Bench): Promise<Finding[]>;
};

export const turnsOf = (bench: Bench): Turns => ({
  rounds: bench.sizes.rounds,
  warmUpMs: bench.sizes.warmUpMs,
  load: { connections: bench.sizes.connections, milliseconds: bench.sizes.turnMs },
  onRound: (round) => bench.say(`round ${round} of ${bench.sizes.rounds}`),
});

/** The two lines that compare a contestant with another by throughput and by CPU time, both as "times theirs". */
export const compare = (
  names: { row: string; against: string; toReach?: number },
  ours: Figures,
  theirs: Figures,
): Finding[] => {
  const toReach = names.toReach === undefined ? undefined : { atLeast: names.toReach };
  return [
    {
      ...names,
      toReach,
      figure: 'requests/s',
      ours: spreadOf(ours.requestsPerSecond),
      theirs: spreadOf(theirs.requestsPerSecond),
      ratio: ratioOf(ours.requestsPerSecond, theirs.requestsPerSecond),
    },
    {
      ...names,
      toReach,
      figure: 'requests per CPU second',
      ours: spreadOf(ours.cpuMicros.map((micros) => 1e6 / micros)),
      theirs: spreadOf(theirs.cpuMicros.map((micros) => 1e6 / micros)),
      ratio: ratioOf(theirs.cpuMicros, ours.cpuMicros),
    },
  ];
};

/** The headers that the public interface wants. */
export const credentials = (stage: Stage, scopedToken: string): Record<string, string> => ({
  Authorization: `Bearer ${stage.apiKey}`,
  'X-Scoped-Token': scopedToken,
});

/** One answer as JSON. Throws where it is not 200. */
export const ask = async <Body>({ contender, path, headers }: Contestant): Promise<Body> => {
  const response = await fetch(`http://127.0.0.1:${contender.port}${path}`, { headers });
  if (response.status !== 200)
    throw new Error(`${contender.name} answers ${response.status} at ${path}: ${await response.text()}`);
  return (await response.json()) as Body;
};

/** Throws unless two contestants say the same: only equal work is compared. */
export const expectSame = (what: string, left: unknown, right: unknown): void => {
  if (JSON.stringify(left) !== JSON.stringify(right)) throw new Error(`The contenders differ in ${what}.`);
};
