// Deterministic pseudorandom numbers and hashes, because the sandbox recomputes its data on every call. Not secure.

export type SeededRandom = {
  /** An integer from `min` to `max`, inclusive. */
  between(min: number, max: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True with a probability of `chance` percent. */
  percent(chance: number): boolean;
  digits(count: number): string;
};

// 32-bit FNV-1a with MurmurHash3's final mixing, so that similar seeds give unrelated hashes.
const hash32 = (text: string, start: number): number => {
  let hash = start;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** A hash of the parts as 16 hexadecimal digits. */
export const stableHash = (...parts: (string | number)[]): string => {
  const text = parts.join('\n');
  return [0x811c9dc5, 0x9e3779b9].map((start) => hash32(text, start).toString(16).padStart(8, '0')).join('');
};

/** Random numbers (mulberry32) from the seed that the parts form. */
export const seededRandom = (...parts: (string | number)[]): SeededRandom => {
  let state = hash32(parts.join('\n'), 0x811c9dc5);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    between,
    pick: (items) => items[between(0, items.length - 1)]!,
    percent: (chance) => next() * 100 < chance,
    digits: (count) => Array.from({ length: count }, () => between(0, 9)).join(''),
  };
};
