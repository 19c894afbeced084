// The contract that a connector fulfils. A connector receives credentials and gives back plain entries: it
// keeps nothing, knows no database and no key, and may be asked by any process at any step.

/** A bank that an end user can choose. `id` is stable for ever: it is stored with each connection. */
export type Institution = { id: string; name: string; fields: CredentialField[] };

/** One field of the sign-in form, labelled in the bank's own words. `secret` fields are typed unseen. */
export type CredentialField = { name: string; label: string; secret: boolean };

/** What the user typed, by the `name` of each field. */
export type Credentials = Record<string, string>;

/** What the bank asks before it lets the user in. The user's answer is always one string. */
export type Challenge =
  | { kind: 'code'; label: string }
  | { kind: 'question'; label: string }
  | { kind: 'choice'; label: string; options: { id: string; label: string }[] }
  /** Nothing to type: the page asks again, with an empty answer, every `pollSeconds`. */
  | { kind: 'approval'; label: string; pollSeconds: number }
  /** `image` is a data: address of a PNG or SVG. */
  | { kind: 'image'; label: string; image: string };

/**
 * Where signing in stands. `dialogue` and `access` are texts of the connector's own making that carry all it
 * needs to go on in another process; both are sealed wherever they are kept. A `deviceToken` lets later,
 * unattended sign-ins pass without a challenge. A wrong answer with tries left is the same challenge again,
 * with `retry` saying how many are left (null where the bank does not say).
 */
export type SignInResult =
  | {
      kind: 'challenge';
      challenge: Challenge;
      challengeState: string;
      retry?: { attemptsLeft: number | null };
    }
  | { kind: 'signedIn'; access: string; deviceToken?: string };

/** `id` is the bank's own; `number` the full account number. Money is decimal text, owed is negative. */
export type BankAccount = {
  id: string;
  name: string;
  type: 'depository' | 'credit' | 'loan' | 'investment' | 'other';
  number: string;
  /** ISO 4217 */
  currency: string;
  balance: { current: string; available?: string; limit?: string };
};

/** One entry. `id` is the bank's own, if it has one. `amount` is decimal text; money out is negative. */
export type BankTransaction = {
  id?: string;
  /** YYYY-MM-DD */
  date: string;
  amount: string;
  description: string;
  /** Empty where the bank gives none. */
  reference: string;
  status: 'pending' | 'posted';
};

/**
 * The entries of one account, complete from `completeFrom` (YYYY-MM-DD) to now: an entry that was known and
 * is missing there has been withdrawn. Where `since` was given that is `since`, or later where the bank shows
 * less. `chunks` gives at most 1,000 entries at a time, within one day the oldest first; it ends only when
 * everything was given and throws BankUnreachable('incomplete') otherwise. `count` is how many there will be,
 * where the bank says so.
 */
export type History = { completeFrom: string; count?: number; chunks: AsyncIterable<BankTransaction[]> };

/**
 * What every call receives: when to stop waiting (an aborted signal ends every method, and the chunks of a
 * history, in BankUnreachable('timeout')), and what time it is for this application.
 */
export type CallContext = { signal: AbortSignal; now: Date };

/** Every method throws BankRefused when the bank says no and BankUnreachable when it cannot be asked. */
export type Connector = {
  /** Starts to sign in. `attended` is false when nobody is there to answer a challenge. */
  signIn(
    request: { institutionId: string; credentials: Credentials; deviceToken?: string; attended: boolean },
    call: CallContext,
  ): Promise<SignInResult>;
  /** Goes on after a challenge, with the dialogue it came with. */
  answer(request: { dialogue: string; answer: string }, call: CallContext): Promise<SignInResult>;
  /** All accounts that this user can share, always in the same order. */
  accounts(access: string, call: CallContext): Promise<BankAccount[]>;
  /**
   * One account's entries, from `since` (YYYY-MM-DD) where that is given, else all that the bank shows. Throws
   * BankUnreachable('incomplete') for an account that the bank does not show: no entries would mean withdrawn ones.
   */
  history(
    request: { access: string; accountId: string; since?: string },
    call: CallContext,
  ): Promise<History>;
};
