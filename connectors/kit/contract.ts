// The contract between the service and a connector. A connector receives credentials and returns plain accounts
// and transactions. It has no database and no keys, and any process may call it at any step.

/**
 * An institution that an end user can choose. `id` is stored with each connection; a directory names an earlier one in `formerIds`. It
 * has no fields if the end user signs in on the institution's own page only.
 */
export type Institution = {
  id: string;
  /** What the connector needs to know it by, of at most 1,024 bytes. It comes back in `signIn`, and is shown to nobody. */
  ref?: string;
  name: string;
  fields: CredentialField[];
  /** The bytes of a PNG, JPEG or WebP file of at most 100 kB and 512 by 512 pixels. */
  logo?: Uint8Array;
  /** In a directory instead of `logo`: the https address of such a file, which the service fetches once. */
  logoUrl?: string;
  /** The colour of the brand, `#rrggbb`. The widget shows it where there is no logo. */
  color?: string;
  /** ISO 3166-1 alpha-2, for example DE. */
  country?: string;
  /** Other names by which end users search for it. */
  aliases?: string[];
  /** The name of the group that it belongs to, by which end users search for it, too. */
  group?: string;
  /** Whom it serves; both where it is absent. */
  audience?: ('personal' | 'business')[];
  /** It is known to fail at times. */
  beta?: true;
  /** The ids under which the directory had it before it was renamed or merged. Their connections go on with this one. */
  formerIds?: string[];
  /** BICs, sort codes, Bankleitzahlen or routing numbers by which end users search for it. */
  codes?: string[];
  /** The https address of the page that helps with a forgotten sign-in. */
  helpUrl?: string;
  /** Listed first before the end user has typed anything. */
  popular?: true;
  /** Where they differ from those of the connector. */
  limits?: BankLimits;
};

/**
 * How often an institution may be asked while no end user is there. `unattendedReadsPerDay`: about one account in any 24 hours, by
 * default 4 (PSD2, Commission Delegated Regulation 2018/389, article 36(5)). `restSeconds`: the time between two conversations
 * about one connection. `historyWindowSeconds`: how long after the sign-in the institution gives the whole history, if it does so for a
 * while only.
 */
export type BankLimits = {
  unattendedReadsPerDay?: number;
  restSeconds?: number;
  historyWindowSeconds?: number;
};

/** An institution as it is listed now. */
export type InstitutionRef = Pick<Institution, 'id' | 'ref'>;

/** The texts that the widget has in every language: LabelKey of widget/openapi.yaml. */
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
 * A text of the institution. With `labelKey`, the widget shows its own text of this key in the end user's language instead,
 * with `labelValue` in it, such as the masked number that a code was sent to.
 */
export type Label = { label: string; labelKey?: LabelKey; labelValue?: string };

/**
 * One field of the sign-in form. The widget hides the input of `secret` fields and shows `hint` below the field; with `digits`
 * phones show a keyboard of digits.
 */
export type CredentialField = Label & {
  name: string;
  secret: boolean;
  /** May be left empty; it is then not among the credentials. */
  optional?: true;
  hint?: string;
  inputMode?: 'digits' | 'text';
};

/** The end user's input, by the `name` of each field. */
export type Credentials = Record<string, string>;

/** What the institution asks before it lets the end user in. The answer is always one string. */
export type Challenge = Label &
  ChallengeActions &
  (
    | ({ kind: 'code' | 'question' } & TypedAnswer)
    | { kind: 'choice'; options: (Label & { id: string })[] }
    /** Approved elsewhere: the widget sends an empty answer every `pollSeconds`. */
    | { kind: 'approval'; pollSeconds: number }
    /** `image` is a data: URL of a PNG or SVG. */
    | ({ kind: 'image'; image: string } & TypedAnswer)
    /**
     * The institution's own page, https and at most 8 kB, which the end user opens in a new window. It ends by sending the
     * browser to `returnTo.url` with `returnTo.state` as the parameter `state`; the answer is the query that came there.
     */
    | { kind: 'redirect'; url: string }
  );

/** What the end user can do instead of answering, while the challenge has it. */
export type ChallengeActions = {
  /** The institution sends the code or the request again, at the earliest after so many seconds. */
  resend?: { afterSeconds: number };
  /** The institution lets the end user choose another way. */
  otherMethod?: true;
};
export type ChallengeAction = keyof ChallengeActions;

/** How an answer is typed. From `digits` the widget removes spaces; `length` counts characters; `hint` is shown below. */
export type TypedAnswer = {
  inputMode?: 'digits' | 'text';
  length?: { min: number; max: number };
  hint?: string;
};

/**
 * The result of a sign-in step. `challengeState` and `access` are opaque strings of the connector that hold all it
 * needs to continue in another process; the service stores both sealed. With a `deviceToken` later unattended
 * sign-ins pass without a challenge. After a wrong answer with attempts left, the same challenge comes again with
 * `retry`; `attemptsLeft` is null where the institution does not say. `expiresAt` (ISO 8601, UTC) is when the consent that the end
 * user has given ends; it replaces the one of before.
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
 * What an account holds. Amounts are decimal text of at most 40 characters; debt is negative. `asOf` is the moment that the
 * bank names (ISO 8601, UTC), or midnight of the day that it names, or the time of the call where it names none. A balance
 * never replaces one of a later moment.
 */
export type Balance = { current: string; available?: string; limit?: string; asOf: string };

/** What an account is more exactly than its type. */
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
 * `id` is the institution's own id, `number` the full account number; empty where the institution does not tell it, so that
 * the account is recognized by its id only. Without a `balance` an account keeps the one that it had. The lengths of the texts are
 * limited in withValidation.ts.
 */
export type BankAccount = {
  id: string;
  name: string;
  type: 'depository' | 'credit' | 'loan' | 'investment' | 'other';
  /** Absent where the institution does not say it. */
  subtype?: AccountSubtype;
  number: string;
  /** ISO 4217 */
  currency: string;
  balance?: Balance;
};

/** One transaction. `id` is the institution's own, if it has one. `amount` is decimal text; outflow is negative. */
export type BankTransaction = {
  id?: string;
  /** YYYY-MM-DD; empty for a pending one whose day the institution does not tell: it has the day of its first reading. */
  date: string;
  amount: string;
  description: string;
  /** Empty where the institution gives none. */
  reference: string;
  status: 'pending' | 'posted';
};

/**
 * The transactions of one account. `completeFrom` and `completeTo` (YYYY-MM-DD, both included) are the days of which all
 * transactions come: a known one of these days that does not come becomes void, a posted one when the reading of the next day
 * lacks it, too. Outside of them, and where the institution does not say (both absent), nothing becomes void. `completeFrom`
 * is `since`, or a later date where the institution returns less; `completeTo` is today, or an earlier date where a statement
 * ends before. If it is today, a pending transaction of a later day that is not in the list becomes void as well. Each chunk
 * has at most 1,000 transactions, and may be empty where the institution has answered and more answers are needed, because
 * the time for each chunk is limited; within one day the oldest come first. The iteration ends only after the last
 * transaction and throws BankUnreachable('incomplete') otherwise. `count` is the total, where the institution gives it.
 */
export type History = {
  completeFrom?: string;
  completeTo?: string;
  count?: number;
  chunks: AsyncIterable<BankTransaction[]>;
};

/** What replaces the `access`, the `deviceToken` and the end of the consent that the service has. */
export type Renewal = { access?: string; deviceToken?: string; expiresAt?: string };

/** One conversation with the bank, in which accounts, balances and histories are read. */
export type Reading = {
  /** The accounts of the request, in the order of `accounts`. */
  accounts: BankAccount[];
  /**
   * The transactions of one of these accounts. The service reads one to its end, or gives it up, before it asks for the
   * next, and asks for no account that is not shared. Throws BankUnreachable where the bank does not answer for this
   * account; the service then goes on with the others.
   */
  history(accountId: string): Promise<History>;
  /**
   * The balance of an account that comes without one, where it is a request of its own. Called after all histories. Where it throws
   * BankUnreachable, the account keeps the balance that it had.
   */
  balance?(accountId: string): Promise<Balance | undefined>;
  /** Ends the conversation, also after an error. Called once; what it throws is ignored after an error. */
  end(): Promise<Renewal>;
};

/**
 * Passed to every call. When `signal` aborts, every method, those of a reading and the chunks of a history throw
 * BankUnreachable('timeout'). `now` is the application's current time, `organizationId` the organization that owns it.
 */
export type CallContext = {
  signal: AbortSignal;
  now: Date;
  organizationId: string;
  /** Where a redirect returns to. New in each call, valid once, and present only while the end user is. */
  returnTo?: ReturnTo;
  /** Present only while the end user is. None is made up, because banks treat requests without a user differently. */
  user?: PresentUser;
};

/**
 * The end user, as their request says: `ip`, and the headers User-Agent and Accept-Language, which may be empty. `language` is that of
 * the widget (BCP 47). `reference` is the same in each session of an end user whom the application knows, and tells nothing of them.
 */
export type PresentUser = {
  ip: string;
  userAgent: string;
  acceptLanguage: string;
  language: string;
  reference: string;
};

/** An address of the service, and the `state` by which it recognizes the link session. */
export type ReturnTo = { url: string; state: string };

/** Every method throws BankRefused when the institution refuses and BankUnreachable when the request failed. */
export type Connector = {
  /** Starts a sign-in. `attended` is false when no end user is present to answer a challenge. */
  signIn(
    request: {
      institution: InstitutionRef;
      credentials: Credentials;
      deviceToken?: string;
      attended: boolean;
    },
    context: CallContext,
  ): Promise<SignInResult>;
  /** Answers the challenge that `challengeState` came with. */
  answer(request: { challengeState: string; answer: string }, context: CallContext): Promise<SignInResult>;
  /**
   * Does an action that the challenge has: `resend` gives the same challenge again, without `retry`, and `otherMethod`
   * another one. Absent where no challenge has actions.
   */
  challengeAction?(
    request: { challengeState: string; action: ChallengeAction },
    context: CallContext,
  ): Promise<SignInResult>;
  /** All accounts that this end user can share, always in the same order, from which the end user chooses. */
  accounts(access: string, context: CallContext): Promise<BankAccount[]>;
  /**
   * Gives a bank that asks before it sends transactions the chance to ask while the end user is present. Called with the chosen
   * accounts before an import, and with all accounts before a reconnect. A challenge is answered by `answer`; `access` carries
   * what was read meanwhile. If the bank asks nothing or cannot be reached, `access` is returned for `read`. Optional.
   */
  approveReading?(
    request: { access: string; accountIds: readonly string[] },
    context: CallContext,
  ): Promise<SignInResult>;
  /**
   * Begins to read these accounts, or all, from `since` (YYYY-MM-DD) on, or everything that the bank shows. Throws
   * BankUnreachable('incomplete') for an account that the institution does not return: an empty history would make all
   * transactions void. `context` holds for the whole conversation.
   */
  read(
    access: string,
    request: { accountIds?: readonly string[]; since?: string },
    context: CallContext,
  ): Promise<Reading>;
  /**
   * Gives back the consent of an end user who has left, or has given another one. `access` is that of a sign-in which nobody has
   * completed. May be called again after it has succeeded; an error is tried again for a day. Absent where consents are not kept.
   */
  revoke?(request: { deviceToken?: string; access?: string }, context: CallContext): Promise<void>;
};
