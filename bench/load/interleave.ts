// Interleaves several targets within one run: a round is one short load on each, in a rotating order, so that a slow period on the
// machine affects all of them. Measures requests per second, as seen by a client, and the server's CPU time per request, which a
// busy machine distorts less.

import { type Load, type LoadRequest, type LoadResult, runLoad } from './httpLoad.ts';
import { median } from './stats.ts';
import type { Target } from './target.ts';

export type TargetRequest = { target: Target; path: string; headers?: Record<string, string> };

/** One value for each round. */
export type Samples = { requestsPerSecond: number[]; cpuMicros: number[]; medianMs: number[] };

export type InterleaveOptions = {
  rounds: number;
  /** The CPU time of each target before the first round, to compile its code and fill its caches. */
  warmUpMs: number;
  load: Load;
  onRound?: (round: number) => void;
};

const loadRequestOf = ({ target, path, headers }: TargetRequest): LoadRequest => ({
  port: target.port,
  path,
  headers,
});

/** Runs one load on one target. */
export const measure = async (
  request: TargetRequest,
  load: Load,
): Promise<{ result: LoadResult; cpuMicros: number }> => {
  const before = await request.target.usage();
  const result = await runLoad([loadRequestOf(request)], load);
  const after = await request.target.usage();
  return { result, cpuMicros: (after.cpuMicros - before.cpuMicros) / result.requests };
};

/** Loads a target until it has used this much CPU time, so that it is as warm on a busy machine as on an idle one. */
export const warmUp = async (request: TargetRequest, load: Load): Promise<void> => {
  const { cpuMicros } = await request.target.usage();
  const deadline = performance.now() + warmUpTimeoutMs;
  do await runLoad([loadRequestOf(request)], { ...load, milliseconds: load.milliseconds / 6 });
  while (
    (await request.target.usage()).cpuMicros < cpuMicros + load.milliseconds * 1000 &&
    performance.now() < deadline
  );
};
const warmUpTimeoutMs = 60_000;

/** Measures each target, after a warm-up that is not counted. */
export const interleave = async (
  requests: readonly TargetRequest[],
  { rounds, warmUpMs, load, onRound }: InterleaveOptions,
): Promise<Samples[]> => {
  const samples = requests.map((): Samples => ({ requestsPerSecond: [], cpuMicros: [], medianMs: [] }));
  onRound?.(0);
  for (const request of requests) await warmUp(request, { ...load, milliseconds: warmUpMs });
  for (let round = 1; round <= rounds; round++) {
    onRound?.(round);
    for (let turn = 0; turn < requests.length; turn++) {
      const index = (turn + round) % requests.length;
      const { result, cpuMicros } = await measure(requests[index]!, load);
      samples[index]!.requestsPerSecond.push(result.requests / result.seconds);
      samples[index]!.cpuMicros.push(cpuMicros);
      samples[index]!.medianMs.push(median(result.latencies));
    }
  }
  return samples;
};
