// From starting the process to its first answer, and what is resident after it: the whole service, on a database
// that is there, against Express with one address.
import { bareExpress, serviceEnvironment } from '../targets/programs.ts';
import type { Program } from '../load/target.ts';
import { ratioOf, statsOf } from '../load/stats.ts';
import type { Bench, Finding, Row } from './row.ts';

export const startUp: Row = {
  name: 'start',
  measure: async (bench) => {
    const service: Program = {
      name: 'service',
      file: 'src/main.ts',
      args: () => ['serve'],
      env: serviceEnvironment(bench.fixture),
      readyPath: '/health',
    };
    const ours = { ms: [] as number[], mebibytes: [] as number[] };
    const theirs = { ms: [] as number[], mebibytes: [] as number[] };
    for (let round = 0; round < bench.sizes.rounds; round++) {
      bench.reportProgress(`round ${round + 1}`);
      await startOnce(bench, service, ours);
      await startOnce(bench, bareExpress, theirs);
    }
    const finding = (row: string, figure: 'ms' | 'mebibytes', unit: string): Finding => ({
      row,
      against: 'bare Express',
      metric: unit,
      ours: statsOf(ours[figure]),
      theirs: statsOf(theirs[figure]),
      ratio: ratioOf(ours[figure], theirs[figure]),
    });
    return [
      finding('start to first answer', 'ms', 'ms'),
      finding('resident after start', 'mebibytes', 'MiB'),
    ];
  },
};

const startOnce = async (
  bench: Bench,
  program: Program,
  figures: { ms: number[]; mebibytes: number[] },
): Promise<void> => {
  const target = await bench.start(program);
  figures.ms.push(target.startupMs);
  figures.mebibytes.push((await target.usage()).residentBytes / 2 ** 20);
  await target.stop();
};
