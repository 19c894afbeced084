// The rule for every external string, in any field; URLs; strings in file names; and ranges of strings with a prefix,
// for lookups in an index.
export { parseUrl } from '../../../connectors/kit/text.ts';

/** The rule of isPlainText, for error messages. */
export const plainTextRule = 'must be well-formed Unicode without control characters';

/**
 * True if a text has no control characters and no lone surrogates (Unicode categories Cc and Cs). PostgreSQL rejects U+0000,
 * and encoding as UTF-8 replaces every lone surrogate with the same character, which makes different strings equal.
 */
export const isPlainText = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

/** Undefined if the text is not percent-encoded UTF-8. */
export const decodePercent = (encoded: string): string | undefined => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
};

const slugLengthMax = 40;

/** A string as part of a file name: lowercase letters a to z, digits and single hyphens; empty if it contains none of these. */
export const toSlug = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugLengthMax)
    .replace(/^-|-$/g, '');

/** The smallest string, in byte order, that is greater than all strings with this prefix; undefined if there is none. */
export const prefixUpperBound = (prefix: string): string | undefined => {
  const points = [...prefix].map((character) => character.codePointAt(0)!);
  while (points.length > 0) {
    const last = points.pop()!;
    if (last >= 0x10ffff) continue;
    // Skips the surrogates, which are not characters.
    points.push(last === 0xd7ff ? 0xe000 : last + 1);
    return String.fromCodePoint(...points);
  }
  return undefined;
};
