// Preloaded into a service process by countFlowFiles.ts: on each message, sends the functions that ran since the last one.
import { Session } from 'node:inspector/promises';

/** From `offset` to `end` in the script. The script's own top-level code is not a function. */
export type RunFunction = { url: string; offset: number; end: number };

// Log flushes and lease renewals would run during a flow by chance.
const { setInterval } = globalThis;
globalThis.setInterval = ((task: () => void) => setInterval(task, 2 ** 31 - 1)) as typeof setInterval;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('message', async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const functions = result.flatMap(({ url, functions }) =>
    functions
      .filter(
        ({ functionName, ranges: [range] }) => range!.count > 0 && (functionName || range!.startOffset > 0),
      )
      .map(
        ({ ranges: [range] }): RunFunction => ({ url, offset: range!.startOffset, end: range!.endOffset }),
      ),
  );
  process.send!(functions);
});
process.on('disconnect', () => process.exit());
process.channel?.unref();
