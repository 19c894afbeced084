// Loaded into every contender before its own program: tells the bench, over the channel between the two
// processes, how much CPU and memory it has used, without a request that would be counted itself.
import type { Usage } from './target.ts';

process.on('message', (question) => {
  if (question !== 'usage') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system, residentBytes: process.memoryUsage.rss() } satisfies Usage);
});
// A contender never outlives the bench.
process.on('disconnect', () => process.exit());
process.channel?.unref();
