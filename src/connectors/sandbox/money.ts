// Money in whole minor units, so that balances add up exactly, and its currencies.

export type Currency = 'EUR' | 'USD' | 'JPY' | 'BHD';

// What a price of one euro cent becomes elsewhere, so that one story can be told in every currency: a numerator
// and a denominator, both in minor units.
const currencies: Record<Currency, { decimals: number; perCent: [bigint, bigint] }> = {
  EUR: { decimals: 2, perCent: [1n, 1n] },
  USD: { decimals: 2, perCent: [1n, 1n] },
  JPY: { decimals: 0, perCent: [8n, 5n] },
  BHD: { decimals: 3, perCent: [9n, 2n] },
};

/** A price thought of in euro cents, in minor units of a currency. */
export const price = (currency: Currency, cents: number): bigint => {
  const [numerator, denominator] = currencies[currency].perCent;
  return (BigInt(cents) * numerator) / denominator;
};

/** Minor units as decimal text with the currency's decimals: -1234n of EUR is "-12.34", of JPY "-1234". */
export const decimalText = (currency: Currency, minor: bigint): string => {
  const { decimals } = currencies[currency];
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${minor < 0n ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
};

export const sum = (amounts: Iterable<bigint>): bigint => {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
};
