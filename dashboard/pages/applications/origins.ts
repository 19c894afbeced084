// Origins as one writes them: one on each line. Whoever pastes the address of a page means its origin.
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

/** What is wrong with the first line that is no origin. */
export const validateOrigins = (text: string): string | null => {
  const wrong = parseOrigins(text).find((origin) => !/^https?:\/\/[^/]+$/.test(origin));
  return wrong ? `“${wrong}” is not an origin. Write it as https://shop.example.` : null;
};
