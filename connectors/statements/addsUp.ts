// Uses a statement's balances to detect lost entries.
import type { Statement } from './statement.ts';

/**
 * True if the posted entries lead from the opening to the closing balance, or if a balance is absent. Banks that do not know the
 * balances write 0 for both.
 */
export const addsUp = ({ openingBalance, closingBalance, entries }: Statement): boolean => {
  if (!openingBalance || !closingBalance) return true;
  const [opening, closing] = [toUnits(openingBalance.amount), toUnits(closingBalance.amount)];
  if (opening === 0n && closing === 0n) return true;
  const posted = entries.filter(({ status }) => status === 'posted');
  return posted.reduce((sum, { amount }) => sum + toUnits(amount), opening) === closing;
};

/** Decimal text has at most this many characters. */
const fractionDigits = 40;

const toUnits = (amount: string): bigint => {
  const [whole, fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(fractionDigits, '0'));
};
