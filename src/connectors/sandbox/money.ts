// Amounts as integers in minor units, so that sums are exact, and the currencies of the sandbox.

export type Currency = 'EUR' | 'USD' | 'JPY' | 'BHD';

// The exchange rate of one euro cent as numerator and denominator, in minor units, so that the same data exists in every
// currency.
const currencies: Record<Currency, { decimals: number; perCent: [bigint, bigint] }> = {
  EUR: { decimals: 2, perCent: [1n, 1n] },
  USD: { decimals: 2, perCent: [1n, 1n] },
  JPY: { decimals: 0, perCent: [8n, 5n] },
  BHD: { decimals: 3, perCent: [9n, 2n] },
};

/** Converts euro cents to minor units of a currency. */
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
