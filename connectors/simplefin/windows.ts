// The days of each request. Servers return at most 90 days per request, and allow about 24 requests a day.
import { toDayNumber, toIsoDate } from '@bank-connection/connector-kit';

/** Days as numbers since 1970: the first, and the one after the last. The newest window has no end. */
export type HistoryWindow = { first: number; end: number | undefined };

/** Days from the start to the end of a window, or to today. Not 90, because SimpleFIN Bridge shortens 90-day requests. */
export const windowDays = 89;

/** About three years. Requesting a connection's whole history, once a week, leaves half of that day's requests. */
export const windowsMax = 12;

/** Without another limit, the history ends after this many consecutive windows without transactions. */
export const emptyWindowsMax = 2;

/** The windows from the newest to the one with `since` (YYYY-MM-DD), or as far back as allowed. */
export const windowsBack = (now: Date, since: string | undefined): HistoryWindow[] => {
  const earliest = since === undefined ? -Infinity : toDayNumber(since);
  const today = toDayNumber(toIsoDate(now));
  const windows: HistoryWindow[] = [{ first: Math.max(earliest, today - windowDays), end: undefined }];
  let { first } = windows[0]!;
  while (first > earliest && windows.length < windowsMax) {
    const end = first;
    first = Math.max(earliest, end - windowDays);
    windows.push({ first, end });
  }
  return windows;
};

const daySeconds = 86_400;

/** The request parameters for a window: midnights in UTC, in seconds since 1970. */
export const windowParameters = ({ first, end }: HistoryWindow): Record<string, string> => ({
  'start-date': String(first * daySeconds),
  ...(end !== undefined && { 'end-date': String(end * daySeconds) }),
});
