// Reads values from a SimpleFIN response, whose types are not known in advance.

export type Fields = Record<string, unknown>;

/** The value if it is an object, else an empty object. */
export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** The value if it is a non-empty string. */
export const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The value if it is an array, else an empty array. */
export const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

// 9999-12-31. A later time is in milliseconds.
const secondsMax = 253_402_300_799;

/**
 * Seconds since 1970, from a number or numeric text; undefined if the value is absent or 0, which servers send for an unknown
 * time; NaN for anything else.
 */
export const toSeconds = (value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined;
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
  const seconds = isNumber ? Number(value) : Number.NaN;
  if (seconds === 0) return undefined;
  return seconds > 0 && seconds <= secondsMax ? seconds : Number.NaN;
};
