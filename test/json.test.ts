// Money as text that prints itself.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalDecimal, decimal, isDecimal } from '../src/json.ts';

/** Any decimal number as a bank may write it: with leading minus, with zeros behind. */
const decimals = fc
  .record({
    minus: fc.boolean(),
    whole: fc.bigInt({ min: 0n, max: 10n ** 20n }),
    part: fc.option(fc.stringMatching(/^\d{1,20}$/), { nil: undefined }),
  })
  .map(({ minus, whole, part }) => `${minus ? '-' : ''}${whole}${part === undefined ? '' : `.${part}`}`);

/** The number itself, as a count of its 20th decimal places. */
const sizeOf = (text: string): bigint => {
  const [whole = '', part = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + part.padEnd(20, '0'));
  return text.startsWith('-') ? -value : value;
};

describe('a decimal number', () => {
  test('prints exactly as it was written, wherever it stands', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        expect(isDecimal(text)).toBe(true);
        expect(JSON.stringify({ a: [decimal(text)], b: { amount: decimal(text) } })).toBe(
          `{"a":[${text}],"b":{"amount":${text}}}`,
        );
      }),
    );
  });

  test('is nothing that JSON or a bank would not call one', () => {
    for (const text of [
      '',
      '-',
      '.5',
      '5.',
      '1e5',
      '1E5',
      '+1',
      '01',
      '-01',
      '00',
      '1 ',
      ' 1',
      '1,5',
      '0x10',
      'NaN',
      'Infinity',
      '１',
      '1\n',
      '1}',
    ]) {
      expect({ text, is: isDecimal(text) }).toEqual({ text, is: false });
      expect(() => decimal(text)).toThrow('decimal');
    }
  });
});

describe('its one spelling', () => {
  test('says the same number, and is its own', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const short = canonicalDecimal(text);
        expect(isDecimal(short)).toBe(true);
        expect(sizeOf(short)).toBe(sizeOf(text));
        expect(canonicalDecimal(short)).toBe(short);
      }),
    );
  });

  test('is the same for whatever says the same number', () => {
    fc.assert(
      fc.property(decimals, fc.nat({ max: 10 }), (text, zeros) => {
        const longer = `${text.includes('.') ? text : `${text}.`}${'0'.repeat(zeros)}`;
        if (isDecimal(longer)) expect(canonicalDecimal(longer)).toBe(canonicalDecimal(text));
      }),
    );
    expect(['0', '-0', '0.00', '-0.000'].map(canonicalDecimal)).toEqual(['0', '0', '0', '0']);
    expect(['100', '1.50', '-20.000', '0.10'].map(canonicalDecimal)).toEqual(['100', '1.5', '-20', '0.1']);
  });
});
