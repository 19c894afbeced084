// Dice that always fall the same way for the same seed: the sandbox bank invents its data anew at every question,
// and must always tell the same story. They guard nothing.

export type SeededRandom = {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True so many times out of a hundred. */
  percent(chance: number): boolean;
  digits(count: number): string;
};

// FNV-1a over 32 bits, with the final mixing of MurmurHash3 so that near seeds fall far apart.
const hash32 = (text: string, start: number): number => {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** 16 hexadecimal digits that follow from the parts. */
export const stableHash = (...parts: (string | number)[]): string => {
  const text = parts.join('\n');
  return [0x811c9dc5, 0x9e3779b9].map((start) => hash32(text, start).toString(16).padStart(8, '0')).join('');
};

/** Dice whose seed is made of the parts. The generator is mulberry32. */
export const seededRandom = (...parts: (string | number)[]): SeededRandom => {
  let state = hash32(parts.join('\n'), 0x811c9dc5);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    pick: (items) => items[between(0, items.length - 1)]!,
    percent: (chance) => next() * 100 < chance,
    digits: (count) => Array.from({ length: count }, () => between(0, 9)).join(''),
  };
};
