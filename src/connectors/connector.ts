// The contract between the service and a connector. A connector receives credentials and returns plain accounts
// and transactions. It has no database and no keys, and any process may call it at any step.

/** An institution that an end user can choose. `id` is stored with each connection and must never change. */
export type Institution = { id: string; name: string; fields: CredentialField[] };

/** One field of the sign-in form, with the institution's own label. The widget hides the input of `secret` fields. */
export type CredentialField = { name: string; label: string; secret: boolean };

/** The end user's input, by the `name` of each field. */
export type Credentials = Record<string, string>;

/** What the institution asks before it lets the end user in. The answer is always one string. */
export type Challenge =
  | { kind: 'code'; label: string }
  | { kind: 'question'; label: string }
  | { kind: 'choice'; label: string; options: { id: string; label: string }[] }
  /** Approved elsewhere: the widget sends an empty answer every `pollSeconds`. */
  | { kind: 'approval'; label: string; pollSeconds: number }
  /** `image` is a data: URL of a PNG or SVG. */
  | { kind: 'image'; label: string; image: string };

/**
 * The result of a sign-in step. `challengeState` and `access` are opaque strings of the connector that hold all it
 * needs to continue in another process; the service stores both sealed. With a `deviceToken` later unattended
 * sign-ins pass without a challenge. After a wrong answer with attempts left, the same challenge comes again with
 * `retry`; `attemptsLeft` is null where the institution does not say.
 */
export type SignInResult =
  | {
      kind: 'challenge';
      challenge: Challenge;
      challengeState: string;
      retry?: { attemptsLeft: number | null };
    }
  | { kind: 'signedIn'; access: string; deviceToken?: string };

/**
 * `id` is the institution's own id, `number` the full account number. Amounts are decimal text of at most 40 characters;
 * debt is negative. The lengths of the texts are limited in withValidation.ts.
 */
export type BankAccount = {
  id: string;
  name: string;
  type: 'depository' | 'credit' | 'loan' | 'investment' | 'other';
  number: string;
  /** ISO 4217 */
  currency: string;
  balance: { current: string; available?: string; limit?: string };
};

/** One transaction. `id` is the institution's own, if it has one. `amount` is decimal text; outflow is negative. */
export type BankTransaction = {
  id?: string;
  /** YYYY-MM-DD */
  date: string;
  amount: string;
  description: string;
  /** Empty where the institution gives none. */
  reference: string;
  status: 'pending' | 'posted';
};

/**
 * The transactions of one account, complete from `completeFrom` (YYYY-MM-DD) to now: a known transaction that is
 * missing in this range becomes void. `completeFrom` is `since`, or a later date where the institution
 * returns less. Each chunk has at most 1,000 transactions; within one day the oldest come first. The iteration
 * ends only after the last transaction and throws BankUnreachable('incomplete') otherwise. `count` is the total,
 * where the institution gives it.
 */
export type History = { completeFrom: string; count?: number; chunks: AsyncIterable<BankTransaction[]> };

/**
 * Passed to every call. When `signal` aborts, every method and the chunks of a history throw
 * BankUnreachable('timeout'). `now` is the application's current time, `organizationId` the organization that owns it.
 */
export type CallContext = { signal: AbortSignal; now: Date; organizationId: string };

/** Every method throws BankRefused when the institution refuses and BankUnreachable when the request failed. */
export type Connector = {
  /** Starts a sign-in. `attended` is false when no end user is present to answer a challenge. */
  signIn(
    request: { institutionId: string; credentials: Credentials; deviceToken?: string; attended: boolean },
    context: CallContext,
  ): Promise<SignInResult>;
  /** Answers the challenge that `challengeState` came with. */
  answer(request: { challengeState: string; answer: string }, context: CallContext): Promise<SignInResult>;
  /** All accounts that this end user can share, always in the same order. */
  accounts(access: string, context: CallContext): Promise<BankAccount[]>;
  /**
   * One account's transactions from `since` (YYYY-MM-DD), or all. Throws BankUnreachable('incomplete') for an
   * account that the institution does not return: an empty history would make all transactions void.
   */
  history(
    request: { access: string; accountId: string; since?: string },
    context: CallContext,
  ): Promise<History>;
};
