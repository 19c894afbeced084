// How answers look to people: aligned, with times that can be read.

/** `label  value` in two columns; what has no value is left out. */
export const keyValueTable = (pairs: readonly (readonly [label: string, value: unknown])[]): string[] => {
  const told = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '');
  const width = Math.max(...told.map(([label]) => label.length));
  return told.map(([label, value]) => `${label.padEnd(width)}  ${value}`);
};

/** Rows below their headings, each column as wide as its widest cell. */
export const table = (headings: readonly string[], rows: readonly (readonly unknown[])[]): string[] => {
  const cells = [headings, ...rows].map((row) => row.map((cell) => String(cell ?? '')));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
};

/** A moment as `2024-05-01 12:30:00 UTC`. */
export const formatTime = (moment: string | null | undefined): string | undefined =>
  moment ? `${moment.slice(0, 10)} ${moment.slice(11, 19)} UTC` : undefined;

/** `1 connection`, `2 connections`. */
export const pluralize = (many: number, one: string): string => `${many} ${one}${many === 1 ? '' : 's'}`;
