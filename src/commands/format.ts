// Formats results as text: aligned columns, times and counts.

/** `label  value` in two columns; pairs without a value are omitted. */
export const keyValueTable = (pairs: readonly (readonly [label: string, value: unknown])[]): string[] => {
  const present = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '');
  const width = Math.max(...present.map(([label]) => label.length));
  return present.map(([label, value]) => `${label.padEnd(width)}  ${value}`);
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

/** An ISO time as `2024-05-01 12:30:00 UTC`. */
export const formatTime = (time: string | null | undefined): string | undefined =>
  time ? `${time.slice(0, 10)} ${time.slice(11, 19)} UTC` : undefined;

/** `1 connection`, `2 connections`. */
export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
