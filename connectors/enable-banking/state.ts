// The state that the connector keeps between calls, as JSON that the service seals.
import { type BankAccount, BankRefused } from '@bank-connection/connector-kit';
import type { Bank, Use } from './bank.ts';

/** An account of a session. `uid` is its address, only in this session; `id` stays the same in the next one. */
export type SessionAccount = Omit<BankAccount, 'balance'> & { uid: string; limit?: string };

/**
 * An authorized session, which is both `access` and `deviceToken`. It includes the accounts, which Enable Banking lists only once.
 * Dates and times are ISO 8601; `psuHeaders` lists the headers that the bank requires.
 */
export type Session = {
  id: string;
  authorizedAt: string;
  validUntil: string;
  psuHeaders: string[];
  accounts: SessionAccount[];
};

type Kinds = {
  use: { bank: Bank };
  method: { bank: Bank; use: Use };
  page: { bank: Bank; state: string };
  session: Session;
};

/** The state with which the answer to a challenge continues. */
export type ChallengeState = { [Kind in keyof Kinds]: { kind: Kind } & Kinds[Kind] }[Exclude<
  keyof Kinds,
  'session'
>];

export const encodeState = <Kind extends keyof Kinds>(kind: Kind, value: Kinds[Kind]): string =>
  JSON.stringify({ kind, ...value });

const decode = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const kindOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;

/** Throws BankRefused('user_action_required') for a text that is not from a sign-in. */
export const decodeSession = (text = ''): Session => {
  const value = decode(text);
  if (kindOf(value) === 'session') return value as Session;
  throw new BankRefused('user_action_required');
};

/** Throws BankRefused('user_action_required') for a text that is not from a challenge. */
export const decodeChallenge = (text: string): ChallengeState => {
  const value = decode(text);
  if (['use', 'method', 'page'].some((kind) => kindOf(value) === kind)) return value as ChallengeState;
  throw new BankRefused('user_action_required');
};
