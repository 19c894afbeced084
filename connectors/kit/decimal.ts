// Converts numeric texts from banks to the contract's decimal text.

const decimalPattern = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const decimalLengthMax = 40;

/** True for a JSON number without an exponent, of at most 40 characters. */
export const isDecimal = (text: string): boolean =>
  text.length <= decimalLengthMax && decimalPattern.test(text);

/**
 * Decimal text from numeric text, which may begin with a plus sign, zeros or a point. Undefined for anything else, including
 * numbers, whose digits may differ from those that the server sent.
 */
export const toDecimal = (value: unknown): string | undefined => {
  const parts = typeof value === 'string' ? /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(value.trim()) : null;
  const [, sign = '', whole = '', fraction = ''] = parts ?? [];
  if (whole + fraction === '') return undefined;
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  const text = `${sign === '-' ? '-' : ''}${digits}${fraction && `.${fraction}`}`;
  return isDecimal(text) ? text : undefined;
};

/** The start of a text, at most `lengthMax` UTF-16 units, without splitting a character. */
export const cutText = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : text.slice(0, lengthMax).replace(/[\uD800-\uDBFF]$/, '');
