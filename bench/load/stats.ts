// Statistics over the rounds of a measurement.

export type Stats = { median: number; min: number; max: number };

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** The smallest value that at least `percent` of the values do not exceed. */
export const percentile = (values: readonly number[], percent: number): number =>
  [...values].sort((left, right) => left - right)[Math.ceil((values.length * percent) / 100) - 1]!;

export const statsOf = (values: readonly number[]): Stats => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

/** The ratio for each round, so that a temporary slowdown of the machine affects both sides of a ratio. */
export const ratioOf = (values: readonly number[], others: readonly number[]): Stats =>
  statsOf(values.map((value, round) => value / others[round]!));

/** The geometric mean of ratios, with its 95% confidence interval (Student's t over their logarithms). */
export type RatioInterval = { mean: number; low: number; high: number };

/** Needs at least two ratios. */
export const confidenceInterval = (ratios: readonly number[]): RatioInterval => {
  const logarithms = ratios.map(Math.log);
  const count = logarithms.length;
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / count;
  const variance = logarithms.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const margin = tQuantile(count - 1) * Math.sqrt(variance / count);
  return { mean: Math.exp(mean), low: Math.exp(mean - margin), high: Math.exp(mean + margin) };
};

/** The 97.5% quantile of Student's t, by its expansion around the normal quantile (Abramowitz and Stegun 26.7.5). */
const tQuantile = (degrees: number): number => {
  const z = 1.959964;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, index) => sum + term / degrees ** (index + 1), z);
};
