// Contestants in turns within one run: a round is one short load on each, in an order that changes, so that a
// slow moment of the machine falls on all of them. Two figures of each: requests per second, as a caller sees
// it, and CPU time per request of the server's process, which a busy machine disturbs less.
import type { Contender } from './contender.ts';
import { type Answered, drive, type Load, type Request } from './keepAlive.ts';
import { median } from './spread.ts';

export type Contestant = { contender: Contender; path: string; headers?: Record<string, string> };

/** By round. */
export type Figures = { requestsPerSecond: number[]; cpuMicros: number[]; medianMs: number[] };

export type Turns = {
  rounds: number;
  /** How long each is asked before the first round, until its code is compiled and its caches are filled. */
  warmUpMs: number;
  load: Load;
  onRound?: (round: number) => void;
};

const requestOf = ({ contender, path, headers }: Contestant): Request => ({
  port: contender.port,
  path,
  headers,
});

/** One load on one contestant. */
export const measure = async (
  contestant: Contestant,
  load: Load,
): Promise<{ answered: Answered; cpuMicros: number }> => {
  const before = await contestant.contender.usage();
  const answered = await drive([requestOf(contestant)], load);
  const after = await contestant.contender.usage();
  return { answered, cpuMicros: (after.cpuMicros - before.cpuMicros) / answered.requests };
};

/** The figures of each contestant, after a warm-up that does not count. */
export const inTurns = async (
  contestants: readonly Contestant[],
  { rounds, warmUpMs, load, onRound }: Turns,
): Promise<Figures[]> => {
  const figures = contestants.map((): Figures => ({ requestsPerSecond: [], cpuMicros: [], medianMs: [] }));
  for (let round = 0; round <= rounds; round++) {
    onRound?.(round);
    for (let turn = 0; turn < contestants.length; turn++) {
      const at = (turn + round) % contestants.length;
      const milliseconds = round === 0 ? warmUpMs : load.milliseconds;
      const { answered, cpuMicros } = await measure(contestants[at]!, { ...load, milliseconds });
      if (round === 0) continue;
      figures[at]!.requestsPerSecond.push(answered.requests / answered.seconds);
      figures[at]!.cpuMicros.push(cpuMicros);
      figures[at]!.medianMs.push(median(answered.latencies));
    }
  }
  return figures;
};
