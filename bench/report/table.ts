// Findings as one Markdown table, aligned so that it reads well on a terminal too.
import type { Stats } from '../load/stats.ts';
import type { Finding } from '../rows/row.ts';

const headings = ['row', 'against', 'figure', 'ours', 'theirs', 'ratio', 'to reach', ''];

const number = (value: number): string => {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 3));
};

const formatStats = ({ median, min, max }: Stats): string =>
  min === max ? number(median) : `${number(median)} (${number(min)}–${number(max)})`;

/** Whether a finding reaches what it is to reach; undefined where it is only shown. */
export const meetsGoal = ({ ours, ratio, goal }: Finding): boolean | undefined => {
  if (!goal) return undefined;
  const { median } = ratio ?? ours;
  return 'atLeast' in goal ? median >= goal.atLeast : median <= goal.atMost;
};

const cellsOf = (finding: Finding): string[] => {
  const { row, against, metric, ours, theirs, ratio, goal } = finding;
  const reached = meetsGoal(finding);
  return [
    row,
    against,
    metric,
    formatStats(ours),
    theirs ? formatStats(theirs) : '',
    ratio ? formatStats(ratio) : '',
    goal ? ('atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`) : 'shown',
    reached === undefined ? '' : reached ? 'yes' : 'no',
  ];
};

export const formatTable = (findings: readonly Finding[]): string => {
  const lines = [headings, ...findings.map(cellsOf)];
  const widths = headings.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(lines[0]!), rule, ...lines.slice(1).map(line)].join('\n');
};
