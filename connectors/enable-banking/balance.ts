// The balance of an account, of the kinds that a bank sends.
import { type Balance, BankUnreachable, toDecimal } from '@bank-connection/connector-kit';
import type { Schemas } from './schemas.ts';
import type { SessionAccount } from './state.ts';

type Sent = Schemas['Balance'];
type Kind = Sent['balance_type'];

/** Booked ones before the expected one, which includes pending transactions, and those of an earlier time last. None is available. */
const bookedKinds: readonly Kind[] = ['ITBD', 'CLBD', 'XPCD', 'OPBD', 'PRCD'];
const availableKinds: readonly Kind[] = ['ITAV', 'CLAV', 'OPAV'];

/**
 * What an account holds; undefined where the bank does not say it. The balance of a card is its debt at some banks, with or without a
 * sign, and what can still be spent at others: with a limit, it is what is available less the limit, and without, only a debt with its
 * sign is sure.
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

/** Of decimal texts, exactly. */
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

/** A moment in the future would keep all balances until then from being shown. */
const momentOf = ({ last_change_date_time: time, reference_date: day }: Sent, now: Date): string => {
  const moment = new Date(time ?? day ?? now);
  return (moment < now ? moment : now).toISOString();
};
