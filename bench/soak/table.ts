// The closing table of a soak run: what happened, and what must not have.
import type { KeptProcess } from './keptProcess.ts';

export type Result = {
  processes: readonly Pick<KeptProcess, 'name' | 'kills'>[];
  /** What went on. */
  facts: Record<string, number>;
  /** What must be zero. */
  findings: Record<string, number>;
};

export const printTable = (result: Result & { seed: number; minutes: number }): void => {
  const kills = result.processes.map(({ name, kills }): [string, number] => [`${name} killed`, kills]);
  const rows: [string, number][] = [
    ['seed', result.seed],
    ['minutes', result.minutes],
    ...kills,
    ...Object.entries(result.facts),
    ...Object.entries(result.findings),
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  for (const [label, value] of rows) console.log(`${label.padEnd(width)}  ${String(value).padStart(8)}`);
  const clean = Object.values(result.findings).every((found) => found === 0);
  console.log(
    clean ? 'Every reader equals its bank.' : 'NOT AS PROMISED: see the lines above that are not zero.',
  );
};
