// The domain's errors. They have no status codes: only http/problems.ts maps errors to those.
export { BankRefused, BankUnreachable } from '../../../connectors/kit/errors.ts';

/** A resource that does not exist, or no longer does. */
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
    | 'webhook_endpoint'
    | 'webhook_event'
    | 'access'
    | 'token'
    | 'page';
  constructor(kind: NotFound['kind']) {
    super(`The ${kind.replace('_', ' ')} was not found.`);
    this.kind = kind;
  }
}

/** The API key is missing, malformed, unknown, expired or revoked. */
export class Unauthenticated extends Error {}

/** An organization token that is malformed, unknown, expired or revoked. */
export class InvalidOrganizationToken extends Unauthenticated {}

/** A header with credentials is missing; the only reason that a refusal reveals. */
export class MissingCredentials extends Error {
  readonly header: 'Authorization' | 'X-Scoped-Token';
  constructor(header: MissingCredentials['header']) {
    super(`The ${header} header is missing.`);
    this.header = header;
  }
}

/** No member is signed in to the dashboard, or their credentials are wrong. */
export class NotSignedIn extends Error {}

/** The session cookie belongs to no active session. */
export class InvalidSession extends NotSignedIn {}

/** Too many sign-ins, or requests in progress; contains the time of the next allowed one. */
export class TooManyAttempts extends Error {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super('Too many attempts.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The principal is not allowed to do this: an invalid scoped token, another application's resource, or a role that is too low. */
export class Forbidden extends Error {}

/** An organization token does not allow this. The message gives the reason to the token's holder. */
export class TokenForbidden extends Forbidden {}

/** The session was opened without a passkey, and an organization of the member requires one. */
export class PasskeyRequired extends Forbidden {}

/** A scoped token that is malformed or does not belong to the application. */
export class InvalidScopedToken extends Forbidden {}

/** A SimpleFIN setup token or password that is wrong, revoked, claimed or expired. */
export class InvalidSimplefinAccess extends Forbidden {}

/** Invalid input: for each problem, the path of the value and its expected form. */
export class ValidationError extends Error {
  readonly code: 'invalid_request' | 'invalid_cursor';
  readonly problems: { path: string; message: string }[];
  constructor(code: ValidationError['code'], problems: ValidationError['problems']) {
    super(problems.map((problem) => `${problem.path}: ${problem.message}`).join('; '));
    this.code = code;
    this.problems = problems;
  }
}

/** The resource's current state does not allow this. The message may be shown to a member. */
export class Conflict extends Error {}

/** Stored bytes that do not decrypt with a verified key. This is an integrity alarm; the response is a server error. */
export class CorruptData extends Error {}

/** The worker did not sign the values of this row: somebody else has changed it. Nothing is read or sent because of it. */
export class InvalidSignature extends CorruptData {}

/** The fingerprint key of a connection cannot be opened, so nothing from the bank can be matched with stored data. */
export class FingerprintKeyLost extends CorruptData {
  readonly reason = 'fingerprint_key_lost';
  constructor() {
    super('The fingerprint key of a connection cannot be unsealed.');
  }
}

/**
 * The database cannot be reached, did not respond in time, had no free connection, or cannot write to its disk. The last
 * statement may have been executed.
 */
export class DatabaseUnavailable extends Error {}

/** The database refused a value: a contract allows a value that no column can hold. */
export class ValueRefused extends Error {}

/** Too much work is queued. Nothing was done; a later retry may succeed. */
export class Busy extends Error {}

/** An invalid setting or argument from the operator. The message is one sentence with the remedy. */
export class OperatorError extends Error {}

/** Invalid usage that a command's options alone cannot express. The exit code is 2. */
export class UsageError extends OperatorError {}

/** The application does not allow the widget on this origin. */
export class OriginNotAllowed extends Error {}

/** A page at an address other than `BASE_URL` sends a request that only the service's own pages may send. */
export class WrongOrigin extends Error {
  constructor(baseUrl: string) {
    super(`This page must be opened at ${baseUrl}.`);
  }
}

/** The link session has expired, was acknowledged, or its result was never delivered. */
export class LinkSessionExpired extends Error {}
