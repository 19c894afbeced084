// Parses days as people type them.

/** A calendar day: year, month from 1, day of the month. */
export type Day = readonly [year: number, month: number, date: number];

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const monthOf = (name: string): number => monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1;

/** "21 Nov 2026", "21 November 2026", "Nov 21, 2026" or "2026-11-21"; undefined for other text and nonexistent days. */
export const parseDay = (text: string): Day | undefined => {
  const trimmed = text.trim();
  const iso = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(trimmed);
  const dayFirst = /^(\d\d?) ([a-z]{3,9})\.? (\d{4})$/i.exec(trimmed);
  const monthFirst = /^([a-z]{3,9})\.? (\d\d?),? (\d{4})$/i.exec(trimmed);
  const day: Day = iso
    ? [Number(iso[1]), Number(iso[2]), Number(iso[3])]
    : dayFirst
      ? [Number(dayFirst[3]), monthOf(dayFirst[2]!), Number(dayFirst[1])]
      : monthFirst
        ? [Number(monthFirst[3]), monthOf(monthFirst[1]!), Number(monthFirst[2])]
        : [0, 0, 0];
  return exists(day) ? day : undefined;
};

const exists = ([year, month, date]: Day): boolean => {
  const at = new Date(Date.UTC(year, month - 1, date));
  return year >= 1000 && at.getUTCMonth() === month - 1 && at.getUTCDate() === date;
};
