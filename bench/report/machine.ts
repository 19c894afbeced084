// Describes the machine as far as results depend on it, without names and paths.
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';

export const describeMachine = (database: 'SQLite' | 'PostgreSQL'): string => {
  const model = cpus()[0]?.model.trim() || 'unknown model';
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const cores = availableParallelism();
  return [
    `Measured on ${cores} cores (${model}, ${platform()} ${arch()}), ${gibibytes} GiB of memory,`,
    `Node ${process.versions.node}, ${database} unless a row names another. Server and load generator share the cores.`,
    'Each value is the median of its rounds, with the minimum and maximum in brackets.',
  ].join('\n');
};
