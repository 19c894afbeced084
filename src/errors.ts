// What the domain can say went wrong. No status numbers here: only http/failures.ts knows those.

/** A thing that was asked for by id and is not there (any more). */
export class NotFound extends Error {
  readonly kind:
    | 'connection'
    | 'account'
    | 'transaction'
    | 'application'
    | 'api_key'
    | 'session'
    | 'organization'
    | 'member'
    | 'invitation'
    | 'link'
    | 'passkey'
    | 'page';
  constructor(kind: NotFound['kind']) {
    super(`The ${kind.replace('_', ' ')} was not found.`);
    this.kind = kind;
  }
}

/** The caller is not who they must be: a missing, malformed, foreign or withdrawn API key. */
export class Unauthenticated extends Error {}

/** Nobody is signed in to the dashboard, or what they signed in with is not right. */
export class NotSignedIn extends Error {}

/** Somebody tried to sign in too often: when to try again. */
export class TooManyAttempts extends Error {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super('Too many tries.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The caller may not have this: a bad scoped token, or a resource outside of what they were given. */
export class Forbidden extends Error {}

/** Input that cannot be used, with the place and what was expected there. */
export class ValidationError extends Error {
  readonly code: 'invalid_request' | 'invalid_cursor';
  readonly problems: { path: string; message: string }[];
  constructor(code: ValidationError['code'], problems: ValidationError['problems']) {
    super(problems.map((problem) => `${problem.path}: ${problem.message}`).join('; '));
    this.code = code;
    this.problems = problems;
  }
}

/** A step that the thing's present state does not allow; the message, if there is one, says why in our own words. */
export class Conflict extends Error {}

/** Stored bytes that do not open under a key that was verified: an alarm, never a refusal. */
export class CorruptData extends Error {}

/** What the operator set or typed is wrong; the message is one sentence that says what to do. */
export class OperatorError extends Error {}

export type BankRefusal =
  | 'wrong_credentials'
  | 'wrong_answer'
  | 'locked'
  | 'denied'
  | 'user_action_required'
  | 'no_accounts';

/** The bank answered, and said no. Asking again with the same input will not help. */
export class BankRefused extends Error {
  readonly reason: BankRefusal;
  readonly attemptsLeft: number | undefined;
  constructor(reason: BankRefusal, options: { attemptsLeft?: number } = {}) {
    super(`The bank refused: ${reason}.`);
    this.reason = reason;
    this.attemptsLeft = options.attemptsLeft;
  }
}

/** The bank could not be asked, or its answer was incomplete. Asking later may help. */
export class BankUnreachable extends Error {
  readonly reason: 'down' | 'timeout' | 'incomplete';
  constructor(reason: BankUnreachable['reason'], options?: ErrorOptions) {
    super(`The bank could not be reached: ${reason}.`, options);
    this.reason = reason;
  }
}

/** The application does not allow the widget on the page that asked for it. */
export class OriginNotAllowed extends Error {}

/** A linking session that is over: too old, acknowledged, or never delivered. */
export class LinkSessionExpired extends Error {}
