// What the sandbox bank knows beyond its rules comes through this port: a bank may not know the database. Keys
// are plain text here; whoever keeps them hides them.
import type { BankTransaction } from '../connector.ts';

/** An account of a login that an operator loaded from a file. `balance` is decimal text. */
export type LoadedAccount = { account: string; currency: string; balance: string };

export type SandboxStorage = {
  /** What was last put under this key. */
  get(key: string): Promise<string | undefined>;
  put(key: string, value: string): Promise<void>;
  /** Adds a value at the end of a list and gives the list's new length. Two processes never get the same one. */
  append(key: string, value: string): Promise<number>;
  /** A list's first `length` values, or all of them. */
  list(key: string, length?: number): Promise<string[]>;
  /** Undefined where no such login was loaded; else its accounts, always in the same order. */
  loadedAccounts(login: string): Promise<LoadedAccount[] | undefined>;
  /**
   * The loaded entries of one account, oldest first, at most 1,000 at a time. Throws BankUnreachable('incomplete')
   * where the login was loaded again meanwhile.
   */
  loadedTransactions(request: { login: string; account: string; since?: string }): Promise<{
    count: number;
    chunks: AsyncIterable<BankTransaction[]>;
  }>;
};

/** Where the password lies that an operator gave a login. */
export const passwordKey = (login: string): string => `password/${login}`;

/** Where wrong passwords of one of the bank's own users are counted. */
export const wrongPasswordsKey = (institutionId: string, username: string): string =>
  `wrong passwords/${institutionId}/${username}`;

/** The list of all sign-ins that a user of one institution tried, as moments: how often the bank was asked. */
export const signInsKey = (institutionId: string, username: string): string =>
  `sign-ins/${institutionId}/${username}`;

/** Set once everything was read through this device since somebody was there to sign in. */
export const historyReadKey = (device: string): string => `read/${device}`;

/** The list of rounds in which the accounts of `moves` moved, each as its date. */
export const roundsKey = (institutionId: string, username: string): string =>
  `rounds/${institutionId}/${username}`;

/** The round that a device saw last. */
export const lastSeenRoundKey = (device: string): string => `seen round/${device}`;
