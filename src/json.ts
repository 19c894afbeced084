// Money is decimal text until it is printed: JSON numbers that say exactly what the bank said, without ever
// having been a binary floating point number.

declare global {
  interface JSON {
    /** ECMAScript's JSON.parse source text access proposal: prints as exactly this text. */
    rawJSON(text: string): object;
  }
}

declare const decimalBrand: unique symbol;
/** A decimal number that JSON.stringify prints as it was written. */
export type Decimal = object & { [decimalBrand]: true };

const decimalPattern = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Whether a text is a decimal number as JSON writes it, without an exponent. */
export const isDecimal = (text: string): boolean => decimalPattern.test(text);

/** Decimal text as a value that prints itself. Throws where the text is no decimal number. */
export const decimal = (text: string): Decimal => {
  if (!isDecimal(text)) throw new Error('Not a decimal number.');
  return JSON.rawJSON(text) as Decimal;
};

/** A shape of the contract as we build it: where it says number, a Decimal fits too. */
export type WithDecimals<Shape> = Shape extends number
  ? number | Decimal
  : Shape extends string | boolean | null | undefined
    ? Shape
    : { [Key in keyof Shape]: WithDecimals<Shape[Key]> };

/** A whole answer that is JSON text already. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An answer of any length: one list, whose entries are made, some at a time, while they are sent. */
export class JsonStream {
  /** The list's name in the answer. */
  readonly name: string;
  /** Each entry is ready JSON text. */
  readonly items: AsyncIterable<string[]>;
  /** What follows the list, without the braces: for example `"pagination":{"hasMore":false}`. */
  readonly rest: string;
  constructor(name: string, entries: AsyncIterable<string[]>, rest: string) {
    this.name = name;
    this.items = entries;
    this.rest = rest;
  }
}

/** The one spelling of a decimal number: no trailing zeros behind the point, no negative zero. */
export const canonicalDecimal = (text: string): string => {
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short;
};
