// Formats measurements as a Markdown table, aligned for the terminal.
import type { Stats } from '../load/stats.ts';
import type { Measurement } from '../rows/row.ts';

const headings = ['row', 'compared with', 'metric', 'service', 'other', 'ratio', 'goal', 'met'];

/** Three significant digits. */
export const formatNumber = (value: number): string => {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 3));
};

const formatStats = ({ median, min, max }: Stats): string =>
  min === max ? formatNumber(median) : `${formatNumber(median)} (${formatNumber(min)}–${formatNumber(max)})`;

/** True if a measurement meets its goal; undefined if there is no goal. */
const meetsGoal = ({ service, ratio, goal }: Measurement): boolean | undefined => {
  if (!goal) return undefined;
  const { median } = ratio ?? service;
  return 'atLeast' in goal ? median >= goal.atLeast : median <= goal.atMost;
};

const cellsOf = (measurement: Measurement): string[] => {
  const { row, comparedWith, metric, service, other, ratio, goal } = measurement;
  const met = meetsGoal(measurement);
  return [
    row,
    comparedWith,
    metric,
    formatStats(service),
    other ? formatStats(other) : '',
    ratio ? formatStats(ratio) : '',
    goal ? ('atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`) : '',
    met === undefined ? '' : met ? 'yes' : 'no',
  ];
};

/** A Markdown table with columns of equal width. */
export const alignTable = (lines: readonly (readonly string[])[]): string => {
  const widths = lines[0]!.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(lines[0]!), rule, ...lines.slice(1).map(line)].join('\n');
};

export const formatTable = (measurements: readonly Measurement[]): string =>
  alignTable([headings, ...measurements.map(cellsOf)]);
