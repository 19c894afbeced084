// A figure of several rounds: its median, and how far the rounds lie apart.

export type Stats = { median: number; min: number; max: number };

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

export const statsOf = (values: readonly number[]): Stats => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

/** Round by round, so that what slows the machine down for a while slows both sides of a ratio. */
export const ratioOf = (ours: readonly number[], theirs: readonly number[]): Stats =>
  statsOf(ours.map((value, round) => value / theirs[round]!));
