// Selects an account's balance from the several types that a bank may send.
import { type Balance, BankUnreachable, toDecimal } from '@bank-connection/connector-kit';
import type { Schemas } from './schemas.ts';
import type { SessionAccount } from './state.ts';

type Sent = Schemas['Balance'];
type Kind = Sent['balance_type'];

/**
 * In order of preference: the current booked balances, the expected balance, which includes pending transactions, then balances
 * from an earlier time. None of these is the available balance.
 */
const bookedKinds: readonly Kind[] = ['ITBD', 'CLBD', 'XPCD', 'OPBD', 'PRCD'];
const availableKinds: readonly Kind[] = ['ITAV', 'CLAV', 'OPAV'];

/**
 * An account's balance; undefined if the bank sends none. For a card, some banks send the debt, signed or unsigned, and others
 * what remains of its limit. With a limit, the balance is the available amount minus the limit. Without one, only a negative amount
 * is certain to be a debt.
 */
export const toBalance = (
  sent: readonly Sent[],
  { currency, subtype, limit }: SessionAccount,
  now: Date,
): Balance | undefined => {
  const find = (kinds: readonly Kind[]): Sent | undefined => {
    const own = sent.filter(({ balance_amount }) => balance_amount.currency === currency);
    return kinds.flatMap((kind) => own.find(({ balance_type }) => balance_type === kind) ?? [])[0];
  };
  const [booked, available] = [find(bookedKinds), find(availableKinds)];
  const isCard = subtype === 'credit_card';
  const more = {
    ...(available && { available: amountOf(available) }),
    ...(limit !== undefined && { limit }),
  };
  if (isCard && available && limit !== undefined)
    return { current: subtract(amountOf(available), limit), ...more, asOf: momentOf(available, now) };
  if (!booked || (isCard && isPositive(amountOf(booked)))) return undefined;
  return { current: amountOf(booked), ...more, asOf: momentOf(booked, now) };
};

const amountOf = ({ balance_amount: { amount } }: Sent): string => {
  const decimal = toDecimal(amount);
  if (decimal === undefined) throw new BankUnreachable('incomplete');
  return decimal;
};

const isPositive = (amount: string): boolean => /^\d*\.?\d*[1-9]/.test(amount);

/** Exact, unlike floating point. */
const subtract = (left: string, right: string): string => {
  const digits = Math.max(...[left, right].map((text) => text.split('.')[1]?.length ?? 0));
  const unitsOf = (text: string): bigint => {
    const [whole, fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(digits, '0'));
  };
  const units = unitsOf(left) - unitsOf(right);
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const fraction = digits > 0 ? `.${text.slice(-digits)}` : '';
  return `${units < 0n ? '-' : ''}${text.slice(0, text.length - digits)}${fraction}`;
};

/** A future time counts as now; otherwise, no newer balance could be stored until then. */
const momentOf = ({ last_change_date_time: time, reference_date: day }: Sent, now: Date): string => {
  const moment = new Date(time ?? day ?? now);
  return (moment < now ? moment : now).toISOString();
};
