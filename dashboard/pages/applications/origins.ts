// Origins as one writes them: one on each line. Whoever pastes the address of a page means its origin.
const asOrigin = (line: string): string => {
  try {
    const { origin } = new URL(line);
    return origin === 'null' ? line : origin;
  } catch {
    return line;
  }
};

export const originsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(asOrigin),
  ),
];

/** What is wrong with the first line that is no origin. */
export const originsProblem = (text: string): string | null => {
  const wrong = originsIn(text).find((origin) => !/^https?:\/\/[^/]+$/.test(origin));
  return wrong ? `“${wrong}” is not an origin. Write it as https://shop.example.` : null;
};
