// Findings as one Markdown table, aligned so that it reads well on a terminal too.
import type { Spread } from '../load/spread.ts';
import type { Finding } from '../rows/row.ts';

const heads = ['row', 'against', 'figure', 'ours', 'theirs', 'ratio', 'to reach', ''];

const number = (value: number): string => {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 3));
};

const withSpread = ({ median, min, max }: Spread): string =>
  min === max ? number(median) : `${number(median)} (${number(min)}–${number(max)})`;

/** Whether a finding reaches what it is to reach; undefined where it is only shown. */
export const reaches = ({ ours, ratio, toReach }: Finding): boolean | undefined => {
  if (!toReach) return undefined;
  const { median } = ratio ?? ours;
  return 'atLeast' in toReach ? median >= toReach.atLeast : median <= toReach.atMost;
};

const cellsOf = (finding: Finding): string[] => {
  const { row, against, figure, ours, theirs, ratio, toReach } = finding;
  const reached = reaches(finding);
  return [
    row,
    against,
    figure,
    withSpread(ours),
    theirs ? withSpread(theirs) : '',
    ratio ? withSpread(ratio) : '',
    toReach ? ('atLeast' in toReach ? `≥ ${toReach.atLeast}` : `≤ ${toReach.atMost}`) : 'shown',
    reached === undefined ? '' : reached ? 'yes' : 'no',
  ];
};

export const printTable = (findings: readonly Finding[]): string => {
  const lines = [heads, ...findings.map(cellsOf)];
  const widths = heads.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(lines[0]!), rule, ...lines.slice(1).map(line)].join('\n');
};
