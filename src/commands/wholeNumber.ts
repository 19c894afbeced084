// Numbers on the command line.
import { InvalidArgumentError } from 'commander';

/** Reads a whole number of at least `least`, and at most `most`; commander says so where it is none. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
