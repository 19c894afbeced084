// Reads the values of a SimpleFIN response, which are of any type until they are checked.

export type Fields = Record<string, unknown>;

/** An object; empty if the value is not an object. */
export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** A text that is not empty. */
export const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A list; empty if the value is not a list. */
export const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

// 9999-12-31. A later time is in milliseconds.
const secondsMax = 253_402_300_799;

/**
 * Seconds since 1970, from a number or its text; undefined if the value is absent or 0, which servers send for an unknown time; NaN
 * for anything else.
 */
export const toSeconds = (value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined;
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
  const seconds = isNumber ? Number(value) : Number.NaN;
  if (seconds === 0) return undefined;
  return seconds > 0 && seconds <= secondsMax ? seconds : Number.NaN;
};
