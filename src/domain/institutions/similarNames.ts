// Finds names despite missing, wrong, extra and transposed letters. Words are compared by their pairs of letters, with at most
// one letter in between. A typo such as "bnak" keeps most of a word's pairs, even if it keeps none of its trigrams. The index
// holds each distinct word once, so looking up a word takes at most one step per pair in each indexed word.
import { makeYielder } from '../../platform/loops/fairScheduler.ts';

/** The indexes of at most `limit` names that are similar to a text, most similar first, then in list order. */
export type SimilarNames = (text: string, limit: number) => number[];

/** Any further words in a text are ignored. */
const wordsMax = 5;
/** The minimum mean similarity (0 to 1) of a name to the words of a text, each compared with the name's most similar word. */
const similarityMin = 0.5;
/** Less than half, so that the start of a word is similar to the whole word. */
const lengthWeight = 0.25;

/** Each item of `names` is a list of normalized names, such as a name and its aliases. */
export const makeSimilarNames = async (names: readonly (readonly string[])[]): Promise<SimilarNames> => {
  const index = await makeWordIndex(names);
  return (text, limit) => {
    const words = wordsOf(text).slice(0, wordsMax);
    const sums = new Float64Array(names.length);
    for (const word of words) addSimilarity(index, word, sums);
    // Sorts only the best matches; the many ties are already in order.
    const least = Math.max(similarityMin * words.length, sums.toSorted().at(-limit) ?? 0);
    const found: number[] = [];
    sums.forEach((sum, at) => {
      if (sum > 0 && sum >= least) found.push(at);
    });
    return found.sort((one, other) => sums[other]! - sums[one]!).slice(0, limit);
  };
};

type WordIndex = {
  /** The number of pairs in each word. */
  sizes: number[];
  /** The indexes of the names that contain each word. */
  namesOf: number[][];
  /** The words that contain each pair. */
  wordsWith: Map<string, number[]>;
};

const makeWordIndex = async (names: readonly (readonly string[])[]): Promise<WordIndex> => {
  const yieldTurn = makeYielder();
  const index: WordIndex = { sizes: [], namesOf: [], wordsWith: new Map() };
  const known = new Map<string, number>();
  for (const [at, ofName] of names.entries()) {
    for (const word of new Set(ofName.flatMap(wordsOf))) {
      const id = known.get(word) ?? addWord(index, word);
      known.set(word, id);
      index.namesOf[id]!.push(at);
    }
    await yieldTurn();
  }
  return index;
};

const addWord = ({ sizes, namesOf, wordsWith }: WordIndex, word: string): number => {
  const pairs = pairsOf(word);
  for (const pair of pairs) {
    const words = wordsWith.get(pair);
    if (words) words.push(sizes.length);
    else wordsWith.set(pair, [sizes.length]);
  }
  namesOf.push([]);
  return sizes.push(pairs.length) - 1;
};

/** Adds each name's similarity to a word to the name's sum. */
const addSimilarity = ({ sizes, namesOf, wordsWith }: WordIndex, word: string, sums: Float64Array): void => {
  const pairs = pairsOf(word);
  const shared = new Uint16Array(sizes.length);
  for (const pair of pairs) for (const id of wordsWith.get(pair) ?? []) shared[id]! += 1;
  const best = new Float64Array(sums.length);
  shared.forEach((count, id) => {
    const similarity = count / ((1 - lengthWeight) * pairs.length + lengthWeight * sizes[id]!);
    if (similarity < similarityMin) return;
    for (const at of namesOf[id]!) best[at] = Math.max(best[at]!, similarity);
  });
  best.forEach((similarity, at) => {
    sums[at]! += similarity;
  });
};

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** A repeated pair counts as a different one; otherwise a hundred `a`s would be similar to a word with `aa`. */
const pairsOf = (word: string): string[] => {
  const letters = ['^', ...word, '$'];
  const counts = new Map<string, number>();
  return letters.flatMap((letter, at) =>
    letters.slice(at + 1, at + 3).map((next) => {
      const pair = letter + next;
      const count = (counts.get(pair) ?? 0) + 1;
      counts.set(pair, count);
      return pair + count;
    }),
  );
};
