// Expects that a text has none of some values.
import { expect } from 'vitest';

/** A short word or number is looked for as a word of its own: in an id it may be by chance. */
export const expectAbsent = (text: string, values: readonly string[]): void => {
  for (const value of values) {
    if (/^\w{1,8}$/.test(value)) expect(text, value).not.toMatch(new RegExp(`(?<!\\w)${value}(?!\\w)`));
    else expect(text, value).not.toContain(value);
  }
};
