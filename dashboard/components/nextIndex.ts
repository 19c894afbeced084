// Keyboard navigation in menus and tabs.

/** The index to move to, wrapping around at the ends; undefined for a key that does not move. */
export const nextIndex = (key: string, texts: readonly string[], current: number): number | undefined => {
  const { length } = texts;
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  if (key === 'ArrowDown' || key === 'ArrowRight') return (current + 1) % length;
  if (key === 'ArrowUp' || key === 'ArrowLeft') return (current - 1 + length) % length;
  if (key.length > 1 || key === ' ') return undefined;
  const following = texts.map((_, index) => (current + 1 + index) % length);
  return following.find((index) => texts[index]!.trim().toLowerCase().startsWith(key.toLowerCase()));
};
