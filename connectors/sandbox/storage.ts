// The sandbox connector's storage for one organization, as an interface, because connectors must not import the database. Keys
// are plain text here; the implementation stores their fingerprints.
import type { BankTransaction } from '@bank-connection/connector-kit';

/** An account of a login that an operator loaded from a file. `balance` is decimal text. */
export type LoadedAccount = { account: string; currency: string; balance: string };

export type SandboxStorage = {
  get(key: string): Promise<string | undefined>;
  put(key: string, value: string): Promise<void>;
  /** Appends to a list and returns its new length. Concurrent calls get different lengths. */
  append(key: string, value: string): Promise<number>;
  /** The first `length` values of a list, or all of them. */
  list(key: string, length?: number): Promise<string[]>;
  /** The login's accounts, always in the same order; undefined if no such login was loaded. */
  loadedAccounts(login: string): Promise<LoadedAccount[] | undefined>;
  /**
   * The loaded transactions of one account, oldest first, in chunks of at most 1,000. Throws BankUnreachable('incomplete') if the
   * login has no such account, or is reloaded in the meantime.
   */
  loadedTransactions(request: { login: string; account: string; since?: string }): Promise<{
    count: number;
    chunks: AsyncIterable<BankTransaction[]>;
  }>;
};

/** The password that an operator set for a login. */
export const passwordKey = (login: string): string => `password/${login}`;

/** The number of consecutive wrong passwords for a built-in user. */
export const wrongPasswordsKey = (institutionId: string, username: string): string =>
  `wrong passwords/${institutionId}/${username}`;

/** A list with the times of sign-in attempts (user `expires`). */
export const signInsKey = (institutionId: string, username: string): string =>
  `sign-ins/${institutionId}/${username}`;

/** The day of the first sign-in with a password (user `new-account`). */
export const firstSignInKey = (institutionId: string, username: string, password: string): string =>
  `first sign-in/${institutionId}/${username}/${password}`;

/** `yes` if a device has read the complete history since the last attended sign-in (user `expires`). */
export const historyReadKey = (device: string): string => `history read/${device}`;

/** The last day on which a device got only part of an account's history (user `forgetful`). */
export const forgottenOnKey = (device: string, accountId: string): string =>
  `forgotten on/${device}/${accountId}`;

/** A list with the date of each round (user `moves`). */
export const roundsKey = (institutionId: string, username: string): string =>
  `rounds/${institutionId}/${username}`;

/** The last round that a device has seen (user `moves`). */
export const lastSeenRoundKey = (device: string): string => `last seen round/${device}`;
