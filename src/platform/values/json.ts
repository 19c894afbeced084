// Exact decimals in JSON. An amount stays decimal text until it is serialized as a JSON number, so that it never becomes
// a binary floating point number.
import { isDecimal } from '../../../connectors/kit/decimal.ts';

export { isDecimal };

declare global {
  interface JSON {
    /** ECMAScript's JSON.parse source text access proposal: serializes as exactly this text. */
    rawJSON(text: string): object;
  }
}

declare const decimalBrand: unique symbol;
/** A decimal number that JSON.stringify serializes digit for digit. */
export type Decimal = object & { [decimalBrand]: true };

/** Turns decimal text into a Decimal. Throws if it is not a decimal number. */
export const decimal = (text: string): Decimal => {
  if (!isDecimal(text)) throw new Error('Not a decimal number.');
  return JSON.rawJSON(text) as Decimal;
};

/** A type of the contract in which each number may also be a Decimal. */
export type WithDecimals<Shape> = Shape extends number
  ? number | Decimal
  : Shape extends string | boolean | null | undefined
    ? Shape
    : { [Key in keyof Shape]: WithDecimals<Shape[Key]> };

/** A response of any length: an object with one list, whose items are printed in chunks while they are being sent. */
export class JsonStream {
  /** The name of the list. */
  readonly name: string;
  /**
   * Chunks of items as JSON with commas between them; a chunk without items is empty. Or one item that is itself an object with
   * a list of any length.
   */
  readonly items: AsyncIterable<Buffer | JsonStream>;
  /** The properties before and after the list, without braces: for example `"pagination":{"hasMore":false}`. */
  readonly around: { before?: string; after?: string };
  constructor(name: string, items: JsonStream['items'], around: JsonStream['around']) {
    this.name = name;
    this.items = items;
    this.around = around;
  }
}

/** The canonical form of a decimal number: no trailing zeros after the point, no negative zero. */
export const canonicalDecimal = (text: string): string => {
  let end = text.length;
  if (text.includes('.')) {
    while (text[end - 1] === '0') end -= 1;
    if (text[end - 1] === '.') end -= 1;
  }
  const trimmed = text.slice(0, end);
  return trimmed === '-0' ? '0' : trimmed;
};
