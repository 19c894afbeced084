// The time from the start of the process to its first response, and its resident memory at that point: the whole service on an
// existing database, compared with Express with one route.
import { ratioOf, statsOf } from '../load/stats.ts';
import type { Program } from '../load/target.ts';
import { bareExpress, serviceEnvironment } from '../targets/programs.ts';
import type { Bench, Measurement, Row } from './row.ts';

type StartSamples = { ms: number[]; mebibytes: number[] };

export const startUp: Row = {
  name: 'start',
  measure: async (bench) => {
    const program: Program = {
      name: 'service',
      file: 'src/main.ts',
      args: () => ['serve'],
      env: serviceEnvironment(bench.fixture),
      readyPath: '/health',
    };
    const service: StartSamples = { ms: [], mebibytes: [] };
    const other: StartSamples = { ms: [], mebibytes: [] };
    for (let round = 0; round < bench.sizes.rounds; round++) {
      bench.reportProgress(`round ${round + 1}`);
      await startOnce(bench, program, service);
      await startOnce(bench, bareExpress, other);
    }
    const measurement = (row: string, sample: keyof StartSamples, unit: string): Measurement => ({
      row,
      comparedWith: 'bare Express',
      metric: unit,
      service: statsOf(service[sample]),
      other: statsOf(other[sample]),
      ratio: ratioOf(service[sample], other[sample]),
    });
    return [
      measurement('start to first response', 'ms', 'ms'),
      measurement('resident memory after the start', 'mebibytes', 'MiB'),
    ];
  },
};

const startOnce = async (bench: Bench, program: Program, samples: StartSamples): Promise<void> => {
  const target = await bench.start(program);
  samples.ms.push(target.startupMs);
  samples.mebibytes.push((await target.usage()).residentBytes / 2 ** 20);
  await target.stop();
};
