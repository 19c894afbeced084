// A random generator whose seed determines its numbers.

export type SeededRandom = {
  /** An integer in the range, both ends included. */
  between(min: number, max: number): number;
  pick<Item>(items: readonly Item[]): Item;
};

/** mulberry32: small, and uniform enough for choices. */
export const makeSeededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return { between, pick: (items) => items[between(0, items.length - 1)]! };
};
