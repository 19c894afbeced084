// Preloaded into each target: reports its CPU time and memory over the IPC channel, so that the measurement includes no HTTP
// request for them.
import type { Usage } from './target.ts';

process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system, residentBytes: process.memoryUsage.rss() } satisfies Usage);
});
// A target ends with the benchmark.
process.on('disconnect', () => process.exit());
process.channel?.unref();
