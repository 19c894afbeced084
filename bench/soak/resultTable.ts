// The closing table of a soak run: what happened, and what must not have.
import type { SupervisedProcess } from './supervisedProcess.ts';

export type SoakResult = {
  processes: readonly Pick<SupervisedProcess, 'name' | 'kills'>[];
  /** What went on. */
  counts: Record<string, number>;
  /** What must be zero. */
  errors: Record<string, number>;
};

export const printTable = (result: SoakResult & { seed: number; minutes: number }): void => {
  const kills = result.processes.map(({ name, kills }): [string, number] => [`${name} killed`, kills]);
  const rows: [string, number][] = [
    ['seed', result.seed],
    ['minutes', result.minutes],
    ...kills,
    ...Object.entries(result.counts),
    ...Object.entries(result.errors),
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  for (const [label, value] of rows) console.log(`${label.padEnd(width)}  ${String(value).padStart(8)}`);
  const clean = Object.values(result.errors).every((found) => found === 0);
  console.log(
    clean ? 'Every reader equals its bank.' : 'NOT AS PROMISED: see the lines above that are not zero.',
  );
};
