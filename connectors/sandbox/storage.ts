// The storage that the sandbox connector needs for one organization, as an interface: a connector must not import the
// database. Keys are plain text here; the implementation stores fingerprints of them.
import type { BankTransaction } from '@bank-connection/connector-kit';

/** An account of a login that an operator loaded from a file. `balance` is decimal text. */
export type LoadedAccount = { account: string; currency: string; balance: string };

export type SandboxStorage = {
  get(key: string): Promise<string | undefined>;
  put(key: string, value: string): Promise<void>;
  /** Appends to a list and returns its new length, which is different for each of two concurrent calls. */
  append(key: string, value: string): Promise<number>;
  /** A list's first `length` values, or all of them. */
  list(key: string, length?: number): Promise<string[]>;
  /** Undefined if no such login was loaded; otherwise its accounts, always in the same order. */
  loadedAccounts(login: string): Promise<LoadedAccount[] | undefined>;
  /**
   * The loaded transactions of one account, oldest first, at most 1,000 in a chunk. Throws
   * BankUnreachable('incomplete') if the login has no such account, or is loaded again meanwhile.
   */
  loadedTransactions(request: { login: string; account: string; since?: string }): Promise<{
    count: number;
    chunks: AsyncIterable<BankTransaction[]>;
  }>;
};

/** The password that an operator set for a login. */
export const passwordKey = (login: string): string => `password/${login}`;

/** The number of consecutive wrong passwords of a built-in user. */
export const wrongPasswordsKey = (institutionId: string, username: string): string =>
  `wrong passwords/${institutionId}/${username}`;

/** A list with the time of each sign-in attempt of user `expires`. */
export const signInsKey = (institutionId: string, username: string): string =>
  `sign-ins/${institutionId}/${username}`;

/** The day of the first sign-in with a password (user `new-account`). */
export const firstSignInKey = (institutionId: string, username: string, password: string): string =>
  `first sign-in/${institutionId}/${username}/${password}`;

/** `yes` if a device has read the complete history since the last attended sign-in (user `expires`). */
export const historyReadKey = (device: string): string => `history read/${device}`;

/** The last day on which a device was given little of an account's history (user `forgetful`). */
export const forgottenOnKey = (device: string, accountId: string): string =>
  `forgotten on/${device}/${accountId}`;

/** A list with the date of each round of user `moves`. */
export const roundsKey = (institutionId: string, username: string): string =>
  `rounds/${institutionId}/${username}`;

/** The last round that a device has seen. */
export const lastSeenRoundKey = (device: string): string => `last seen round/${device}`;
