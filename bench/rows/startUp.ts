// From starting the process to its first answer, and what is resident after it: the whole service, on a database
// that is there, against Express with one address.
import { bareExpress, serviceEnvironment } from '../contenders/programs.ts';
import type { Program } from '../load/contender.ts';
import { ratioOf, spreadOf } from '../load/spread.ts';
import type { Bench, Finding, Row } from './row.ts';

export const startUp: Row = {
  name: 'start',
  measure: async (bench) => {
    const service: Program = {
      name: 'service',
      file: 'src/main.ts',
      args: () => ['serve'],
      env: serviceEnvironment(bench.stage),
      readyPath: '/health',
    };
    const ours = { ms: [] as number[], mebibytes: [] as number[] };
    const theirs = { ms: [] as number[], mebibytes: [] as number[] };
    for (let round = 0; round < bench.sizes.rounds; round++) {
      bench.say(`round ${round + 1}`);
      await startOnce(bench, service, ours);
      await startOnce(bench, bareExpress, theirs);
    }
    const finding = (row: string, figure: 'ms' | 'mebibytes', unit: string): Finding => ({
      row,
      against: 'bare Express',
      figure: unit,
      ours: spreadOf(ours[figure]),
      theirs: spreadOf(theirs[figure]),
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
  const contender = await bench.start(program);
  figures.ms.push(contender.startedIn);
  figures.mebibytes.push((await contender.usage()).residentBytes / 2 ** 20);
  await contender.stop();
};
