// The state that the connector keeps between calls: JSON that the service seals.
import { type BankAccount, BankRefused } from '@bank-connection/connector-kit';
import type { Bank, Use } from './bank.ts';

/** An account of a session. `uid` is valid only in this session; `id` stays the same in later ones. */
export type SessionAccount = Omit<BankAccount, 'balance'> & { uid: string; limit?: string };

/**
 * An authorized session, used both as `access` and as `deviceToken`. It includes the accounts, because Enable Banking lists them
 * only once. Dates and times are ISO 8601; `psuHeaders` lists the headers that the bank requires.
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

/** The state for the answer to a challenge. */
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

/** Throws BankRefused('user_action_required') for anything but an encoded session. */
export const decodeSession = (text = ''): Session => {
  const value = decode(text);
  if (kindOf(value) === 'session') return value as Session;
  throw new BankRefused('user_action_required');
};

/** Throws BankRefused('user_action_required') for anything but an encoded challenge. */
export const decodeChallenge = (text: string): ChallengeState => {
  const value = decode(text);
  if (['use', 'method', 'page'].some((kind) => kindOf(value) === kind)) return value as ChallengeState;
  throw new BankRefused('user_action_required');
};
