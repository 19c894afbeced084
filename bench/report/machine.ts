// The machine that was measured on, as far as it explains the figures: no names, no paths.
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';

export const describeMachine = (database: 'SQLite' | 'PostgreSQL'): string => {
  const model = cpus()[0]?.model.trim() || 'unknown model';
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const cores = availableParallelism();
  return [
    `Measured on ${cores} cores (${model}, ${platform()} ${arch()}), ${gibibytes} GiB of memory,`,
    `Node ${process.versions.node}, ${database} unless a row says another. Server and load share the cores.`,
    'Each figure is the median of its rounds; in brackets the smallest and the greatest of them.',
  ].join('\n');
};
