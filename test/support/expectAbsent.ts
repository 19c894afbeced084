// Expects that a text contains none of the given values.
import { expect } from 'vitest';

/** Searches for a short word or number only as a separate word, because an id may contain it by chance. */
export const expectAbsent = (text: string, values: readonly string[]): void => {
  for (const value of values) {
    if (/^\w{1,8}$/.test(value)) expect(text, value).not.toMatch(new RegExp(`(?<!\\w)${value}(?!\\w)`));
    else expect(text, value).not.toContain(value);
  }
};
