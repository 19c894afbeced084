// The contract between the service and a connector. A connector receives credentials and returns plain accounts and transactions.
// It has no database and no keys, and any process may call it at any step.

/**
 * An institution that an end user can choose. Connections store `id`; if it changes, a directory lists the earlier ones in
 * `formerIds`. An institution has no fields if end users sign in only on its own page.
 */
export type Institution = {
  id: string;
  /** The connector's own identifier, at most 1,024 bytes. It is passed to `signIn` and never shown. */
  ref?: string;
  name: string;
  fields: CredentialField[];
  /** The content of a PNG, JPEG or WebP file of at most 100 kB and 512 by 512 pixels. */
  logo?: Uint8Array;
  /** In a directory instead of `logo`: the https URL of such a file, which the service fetches once. */
  logoUrl?: string;
  /** The brand color, `#rrggbb`, which the widget shows if there is no logo. */
  color?: string;
  /** ISO 3166-1 alpha-2, for example DE. */
  country?: string;
  /** Other names under which end users search for it. */
  aliases?: string[];
  /** The name of its group, which end users can also search for. */
  group?: string;
  /** The users that it serves; by default both. */
  audience?: ('personal' | 'business')[];
  /** Known to fail at times. */
  beta?: true;
  /** Its ids in the directory before it was renamed or merged. Connections with these ids continue with this institution. */
  formerIds?: string[];
  /** BICs, sort codes, Bankleitzahlen or routing numbers by which end users search for it. */
  codes?: string[];
  /** The https URL of a page that helps with forgotten credentials. */
  helpUrl?: string;
  /** Listed first before the end user types anything. */
  popular?: true;
  /** Limits that differ from those of the connector. */
  limits?: BankLimits;
};

/**
 * Limits for polling an institution without the end user. `unattendedReadsPerDay`: reads of one account in any 24 hours, by
 * default 4 (PSD2, Commission Delegated Regulation 2018/389, article 36(5)). `restSeconds`: the time between two conversations
 * about one connection. `historyWindowSeconds`: the time after the sign-in during which the institution returns the whole
 * history, if limited.
 */
export type BankLimits = {
  unattendedReadsPerDay?: number;
  restSeconds?: number;
  historyWindowSeconds?: number;
};

/** An institution by its current id. */
export type InstitutionRef = Pick<Institution, 'id' | 'ref'>;

/** The texts that the widget has in every language: LabelKey in widget/openapi.yaml. */
export const labelKeys = [
  'username',
  'email',
  'customer_number',
  'password',
  'pin',
  'code_sms',
  'code_call',
  'code_email',
  'code_app',
  'code_device',
  'choose_method',
  'choose_tan_method',
  'choose_tan_medium',
  'method_sms',
  'method_call',
  'method_email',
  'method_app',
  'approve_app',
  'picture',
  'choose_account_use',
  'use_personal',
  'use_business',
  'open_bank_page',
] as const;
export type LabelKey = (typeof labelKeys)[number];

/**
 * Text from the institution. With `labelKey`, the widget instead shows its own text in the end user's language. `labelValue` is
 * inserted into that text, for example the masked number to which a code was sent.
 */
export type Label = { label: string; labelKey?: LabelKey; labelValue?: string };

/**
 * A field of the sign-in form. The widget hides the input of `secret` fields and shows `hint` below the field. With `digits`,
 * phones show a numeric keyboard.
 */
export type CredentialField = Label & {
  name: string;
  secret: boolean;
  /** The user may leave it empty; it is then missing from the credentials. */
  optional?: true;
  hint?: string;
  inputMode?: 'digits' | 'text';
};

/** The end user's input, by the `name` of each field. */
export type Credentials = Record<string, string>;

/** A step that the institution requires of the end user. The answer is always one string. */
export type Challenge = Label &
  ChallengeActions &
  (
    | ({ kind: 'code' | 'question' } & TypedAnswer)
    | { kind: 'choice'; options: (Label & { id: string })[] }
    /** The user approves elsewhere: the widget sends an empty answer every `pollSeconds`. */
    | { kind: 'approval'; pollSeconds: number }
    /** `image` is a data: URL of a PNG or SVG. */
    | ({ kind: 'image'; image: string } & TypedAnswer)
    /**
     * The institution's own page, an https URL of at most 8 kB, which the end user opens in a new window. It finally redirects
     * the browser to `returnTo.url` with `returnTo.state` as the parameter `state`; the answer is the query of that URL.
     */
    | { kind: 'redirect'; url: string }
  );

/** Actions that the challenge offers instead of an answer. */
export type ChallengeActions = {
  /** The institution sends the code or the request again, after at least this many seconds. */
  resend?: { afterSeconds: number };
  /** The institution lets the end user choose another method. */
  otherMethod?: true;
};
export type ChallengeAction = keyof ChallengeActions;

/** The format of a typed answer. The widget removes spaces from `digits`; `length` counts characters; `hint` is shown below. */
export type TypedAnswer = {
  inputMode?: 'digits' | 'text';
  length?: { min: number; max: number };
  hint?: string;
};

/**
 * The result of a sign-in step. `challengeState` and `access` are opaque strings with everything that another process needs to
 * continue; the service seals both. With a `deviceToken`, later unattended sign-ins pass without a challenge. After a wrong
 * answer with attempts left, the connector returns the same challenge with `retry`; `attemptsLeft` is null if the institution
 * does not return it. `expiresAt` (ISO 8601, UTC) is the end of the end user's consent; it replaces the previous one.
 */
export type SignInResult =
  | {
      kind: 'challenge';
      challenge: Challenge;
      challengeState: string;
      retry?: { attemptsLeft: number | null };
    }
  | { kind: 'signedIn'; access: string; deviceToken?: string; expiresAt?: string };

/**
 * The balance of an account. Amounts are decimal text of at most 40 characters; debt is negative. `asOf` (ISO 8601, UTC) is the
 * bank's time for the balance, else midnight of its date, else the time of the call. A balance never replaces a later one.
 */
export type Balance = { current: string; available?: string; limit?: string; asOf: string };

/** Account types in more detail. */
export const accountSubtypes = [
  'checking',
  'savings',
  'credit_card',
  'line_of_credit',
  'mortgage',
  'brokerage',
  'pension',
] as const;
export type AccountSubtype = (typeof accountSubtypes)[number];

/**
 * `id` is the institution's own id. `number` is the full account number; it is empty if the institution does not return it, and
 * then only `id` identifies the account. Without a `balance`, an account keeps its previous one. withValidation.ts limits the
 * lengths of texts.
 */
export type BankAccount = {
  id: string;
  name: string;
  type: 'depository' | 'credit' | 'loan' | 'investment' | 'other';
  /** Absent if the institution does not return it. */
  subtype?: AccountSubtype;
  number: string;
  /** ISO 4217 */
  currency: string;
  balance?: Balance;
};

/** A transaction. `id` is the institution's own, if it has one. `amount` is decimal text; outflow is negative. */
export type BankTransaction = {
  id?: string;
  /** YYYY-MM-DD. Empty if the institution returns no day for a pending transaction, which then has the day of its first read. */
  date: string;
  amount: string;
  description: string;
  /** Empty if the institution returns none. */
  reference: string;
  status: 'pending' | 'posted';
};

/**
 * The transactions of one account. `completeFrom` and `completeTo` (YYYY-MM-DD, inclusive) are the days for which all
 * transactions are returned. A known transaction that is missing on these days becomes void, but a posted one only if the next
 * day's read also lacks it. Nothing becomes void outside these days, or if the institution does not return them (both absent).
 * `completeFrom` is `since`, or later if the institution returns less. `completeTo` is today, or earlier if a statement ends
 * earlier; if it is today, missing pending transactions with later dates also become void. A chunk has at most 1,000 transactions.
 * It may be empty to show that the institution responds, because the time for each chunk is limited. Within a day, the oldest
 * come first. The iteration ends only after the last transaction, and otherwise throws BankUnreachable('incomplete'). `count` is
 * the total, if the institution returns it.
 */
export type History = {
  completeFrom?: string;
  completeTo?: string;
  count?: number;
  chunks: AsyncIterable<BankTransaction[]>;
};

/** Replaces the stored `access`, `deviceToken` and end of the consent. */
export type Renewal = { access?: string; deviceToken?: string; expiresAt?: string };

/** A conversation with the bank that reads accounts, balances and histories. */
export type Reading = {
  /** The requested accounts, in the order of `accounts`. */
  accounts: BankAccount[];
  /**
   * The transactions of one of these accounts. The service finishes or abandons a history before it requests the next, and
   * requests only shared accounts. Throws BankUnreachable if the bank does not respond for this account; the service then
   * continues with the others.
   */
  history(accountId: string): Promise<History>;
  /**
   * The balance of an account without one, if it is a separate request. Called after all histories. If it throws BankUnreachable,
   * the account keeps its previous balance.
   */
  balance?(accountId: string): Promise<Balance | undefined>;
  /** Ends the conversation, even after an error. Called once. If an earlier call failed, an error here is ignored. */
  end(): Promise<Renewal>;
};

/**
 * Passed to every call. When `signal` aborts, every method, including those of a reading and the chunks of a history, throws
 * BankUnreachable('timeout'). `now` is the application's current time, `organizationId` the organization that owns it.
 */
export type CallContext = {
  signal: AbortSignal;
  now: Date;
  organizationId: string;
  /** The URL to which a redirect returns. New in each call, valid once, and present only if the end user is. */
  returnTo?: ReturnTo;
  /** Present only if the end user is. Never invent one, because banks treat requests without a user differently. */
  user?: PresentUser;
};

/**
 * The end user of a request: `ip`, and the headers User-Agent and Accept-Language, which may be empty. `language` is the widget's
 * (BCP 47). `reference` is the same in every session of a user whom the application identifies, and reveals nothing about the
 * user.
 */
export type PresentUser = {
  ip: string;
  userAgent: string;
  acceptLanguage: string;
  language: string;
  reference: string;
};

/** A URL of the service, and the `state` that identifies the link session. */
export type ReturnTo = { url: string; state: string };

/** Every method throws BankRefused if the institution refuses, and BankUnreachable if the request fails. */
export type Connector = {
  /** Starts a sign-in. `attended` is false if no end user is present to answer a challenge. */
  signIn(
    request: {
      institution: InstitutionRef;
      credentials: Credentials;
      deviceToken?: string;
      attended: boolean;
    },
    context: CallContext,
  ): Promise<SignInResult>;
  /** Answers the challenge with this `challengeState`. */
  answer(request: { challengeState: string; answer: string }, context: CallContext): Promise<SignInResult>;
  /**
   * Executes an action of the challenge: `resend` returns the same challenge without `retry`, and `otherMethod` a different one.
   * Absent if no challenge has actions.
   */
  challengeAction?(
    request: { challengeState: string; action: ChallengeAction },
    context: CallContext,
  ): Promise<SignInResult>;
  /** All accounts that this end user can share, always in the same order. The end user chooses from them. */
  accounts(access: string, context: CallContext): Promise<BankAccount[]>;
  /**
   * Asks the end user for approval in advance, for banks with a challenge before they send transactions. Called with the chosen
   * accounts before an import, and with all accounts before a reconnect. `answer` answers a challenge; `access` includes the data
   * read so far. Without a challenge, or if the bank cannot be reached, returns the `access` for `read`. Optional.
   */
  approveReading?(
    request: { access: string; accountIds: readonly string[] },
    context: CallContext,
  ): Promise<SignInResult>;
  /**
   * Starts reading these accounts, or all, from `since` (YYYY-MM-DD) on, or the whole available history. Throws
   * BankUnreachable('incomplete') for an account that the institution does not return: an empty history would make all
   * transactions void. `context` is valid for the whole conversation.
   */
  read(
    access: string,
    request: { accountIds?: readonly string[]; since?: string },
    context: CallContext,
  ): Promise<Reading>;
  /**
   * Revokes the consent of an end user who has left or has given a new consent. `access` is from a sign-in that was not
   * completed. May be called again after it has succeeded; errors are retried for a day. Absent if the institution has no consents.
   */
  revoke?(request: { deviceToken?: string; access?: string }, context: CallContext): Promise<void>;
};
