// The positions of a chart's bars and lines, in pixels of its plot.

export type Scales = {
  width: number;
  height: number;
  /** The left edge of a bar. */
  x: (index: number) => number;
  barWidth: number;
  y: (value: number) => number;
  /** The values of the lines: 0 and multiples of a round number, up to at least the highest bar. */
  lines: number[];
};

type ScaleOptions = { width: number; height: number; bars: number; maximum: number };

const gap = 0.25;

export const scalesFor = ({ width, height, bars, maximum }: ScaleOptions): Scales => {
  const step = width / Math.max(1, bars);
  const lines = linesUpTo(maximum);
  const top = lines.at(-1)!;
  return {
    width,
    height,
    x: (index) => (index + gap / 2) * step,
    barWidth: step * (1 - gap),
    y: (value) => height * (1 - value / top),
    lines,
  };
};

/** At most six round numbers from 0, all of them integers, like the counts. */
const linesUpTo = (maximum: number): number[] => {
  const distance = roundUp(Math.max(4, maximum) / 5);
  return Array.from({ length: Math.ceil(Math.max(4, maximum) / distance) + 1 }, (_, line) => line * distance);
};

/** Rounds up to one of 1, 2, 5, 10, 20, 50, … */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value)!;
};
