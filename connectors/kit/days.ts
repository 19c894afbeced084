// Calendar days as YYYY-MM-DD or as numbers. The days of statements have no time zone.

/** The date as YYYY-MM-DD, in UTC. */
export const toIsoDate = (date: Date): string => date.toISOString().slice(0, 10);

const dayMilliseconds = 86_400_000;

/** Converts YYYY-MM-DD to the number of days since 1970-01-01. */
export const toDayNumber = (date: string): number => Date.parse(date) / dayMilliseconds;

/** Converts a number of days since 1970-01-01 to YYYY-MM-DD. */
export const fromDayNumber = (day: number): string => toIsoDate(new Date(day * dayMilliseconds));

/** YYYY-MM-DD; undefined if there is no such day. February 29 and 30, which some banks use, become its last day. */
export const toDay = (year: number, month: number, day: number): string | undefined => {
  if (month < 1 || month > 12 || day < 1) return undefined;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isAfterFebruary = month === 2 && day > last && day <= 30;
  if (day > last && !isAfterFebruary) return undefined;
  return fromDayNumber(Date.UTC(year, month - 1, Math.min(day, last)) / dayMilliseconds);
};

/** The day of an ISO 8601 date or time, as written; undefined for any other text. */
export const toIsoDay = (text: string): string | undefined => {
  const [, year, month, day] =
    /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?:Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  return year === undefined ? undefined : toDay(Number(year), Number(month), Number(day));
};

/** The month and day in the year that brings it nearest to another day; undefined if it does not exist. */
export const toNearestDay = (month: number, day: number, near: string): string | undefined => {
  const year = Number(near.slice(0, 4));
  const days = [year - 1, year, year + 1].flatMap((one) => toDay(one, month, day) ?? []);
  const distance = (one: string): number => Math.abs(toDayNumber(one) - toDayNumber(near));
  return days.toSorted((left, right) => distance(left) - distance(right))[0];
};
