// Decimal numbers as text that JSON.stringify writes unchanged.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalDecimal, decimal, isDecimal } from '../src/platform/values/json.ts';

/** Decimal numbers as a bank may write them: with a minus sign, with trailing zeros. */
const decimals = fc
  .record({
    minus: fc.boolean(),
    whole: fc.bigInt({ min: 0n, max: 10n ** 17n }),
    part: fc.option(fc.stringMatching(/^\d{1,20}$/), { nil: undefined }),
  })
  .map(({ minus, whole, part }) => `${minus ? '-' : ''}${whole}${part === undefined ? '' : `.${part}`}`);

/** The number, in units of its 20th decimal place. */
const toUnits = (text: string): bigint => {
  const [whole = '', part = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + part.padEnd(20, '0'));
  return text.startsWith('-') ? -value : value;
};

describe('a decimal number', () => {
  test('is written unchanged, anywhere in a value', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        expect(isDecimal(text)).toBe(true);
        expect(JSON.stringify({ a: [decimal(text)], b: { amount: decimal(text) } })).toBe(
          `{"a":[${text}],"b":{"amount":${text}}}`,
        );
      }),
    );
  });

  test('is rejected if JSON would not accept it', () => {
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
      '1'.repeat(41),
      `0.${'1'.repeat(39)}`,
    ]) {
      expect({ text, valid: isDecimal(text) }).toEqual({ text, valid: false });
      expect(() => decimal(text)).toThrow('decimal');
    }
  });
});

describe('the canonical form', () => {
  test('has the same value, and is its own canonical form', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const canonical = canonicalDecimal(text);
        expect(isDecimal(canonical)).toBe(true);
        expect(toUnits(canonical)).toBe(toUnits(text));
        expect(canonicalDecimal(canonical)).toBe(canonical);
      }),
    );
  });

  test('takes linear time', () => {
    // In quadratic time, this would take minutes.
    const text = `0.${'0'.repeat(1_000_000)}1`;
    expect(canonicalDecimal(text)).toBe(text);
  });

  test('is the same for all texts of the same value', () => {
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
