// Contestants in turns within one run: a round is one short load on each, in an order that changes, so that a
// slow moment of the machine falls on all of them. Two figures of each: requests per second, as a caller sees
// it, and CPU time per request of the server's process, which a busy machine disturbs less.
import type { Target } from './target.ts';
import { type LoadResult, runLoad, type Load, type LoadRequest } from './httpLoad.ts';
import { median } from './stats.ts';

export type TargetRequest = { target: Target; path: string; headers?: Record<string, string> };

/** By round. */
export type Samples = { requestsPerSecond: number[]; cpuMicros: number[]; medianMs: number[] };

export type InterleaveOptions = {
  rounds: number;
  /** How long each is asked before the first round, until its code is compiled and its caches are filled. */
  warmUpMs: number;
  load: Load;
  onRound?: (round: number) => void;
};

const loadRequestOf = ({ target, path, headers }: TargetRequest): LoadRequest => ({
  port: target.port,
  path,
  headers,
});

/** One load on one contestant. */
export const measure = async (
  contestant: TargetRequest,
  load: Load,
): Promise<{ answered: LoadResult; cpuMicros: number }> => {
  const before = await contestant.target.usage();
  const answered = await runLoad([loadRequestOf(contestant)], load);
  const after = await contestant.target.usage();
  return { answered, cpuMicros: (after.cpuMicros - before.cpuMicros) / answered.requests };
};

/** The figures of each contestant, after a warm-up that does not count. */
export const interleave = async (
  contestants: readonly TargetRequest[],
  { rounds, warmUpMs, load, onRound }: InterleaveOptions,
): Promise<Samples[]> => {
  const figures = contestants.map((): Samples => ({ requestsPerSecond: [], cpuMicros: [], medianMs: [] }));
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
