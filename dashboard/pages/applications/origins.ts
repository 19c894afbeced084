// Parses origins from a text field, one per line. The URL of a page counts as its origin.
const toOrigin = (line: string): string => {
  try {
    const { origin } = new URL(line);
    return origin === 'null' ? line : origin;
  } catch {
    return line;
  }
};

export const parseOrigins = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(toOrigin),
  ),
];

/** The error message for the first invalid origin, or null. */
export const validateOrigins = (text: string): string | null => {
  const invalid = parseOrigins(text).find((origin) => !/^https?:\/\/[^/]+$/.test(origin));
  return invalid ? `“${invalid}” is not an origin. Write it as https://shop.example.` : null;
};
