// Chance that can be had again: the same seed gives the same numbers.

export type SeededRandom = {
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
};

export const makeSeededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0;
  // mulberry32: small, and even enough to choose whom to kill.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return { between, pick: (items) => items[between(0, items.length - 1)]! };
};
