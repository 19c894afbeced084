// Maps Enable Banking's error responses, `{ message, code, error, detail }` with a status, to the connector's errors. Their texts
// may contain account data, so an error keeps only the status, the code and a day.
import { BankRefused, BankUnreachable, type RateLimit } from '@bank-connection/connector-kit';
import type { Schemas } from './schemas.ts';

type ErrorCode = Schemas['ErrorCode'];

/** The cause of a BankUnreachable. `dateFrom` is the first day (YYYY-MM-DD) that the bank returns, if known. */
export class ProviderRefusal extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly dateFrom: string | undefined;

  constructor(status: number, body: unknown) {
    const { error, detail } = (body ?? {}) as { error?: unknown; detail?: unknown };
    const code = /^[A-Z_]{1,60}$/.test(String(error)) ? String(error) : undefined;
    super(`Enable Banking returned ${[status, code].join(' ').trim()}.`);
    this.status = status;
    this.code = code;
    const { date_from: dateFrom } = (detail ?? {}) as { date_from?: unknown };
    this.dateFrom = /^\d{4}-\d\d-\d\d$/.test(String(dateFrom)) ? String(dateFrom) : undefined;
  }
}

const codesOf = (...codes: ErrorCode[]): ReadonlySet<string> => new Set(codes);

/** A consent may end early, for example because the end user revoked it at the bank. */
const sessionEnds = codesOf(
  'EXPIRED_SESSION',
  'CLOSED_SESSION',
  'REVOKED_SESSION',
  'SESSION_DOES_NOT_EXIST',
  'WRONG_SESSION_STATUS',
);

/** The operator must change the application at the provider, or the settings. */
const operatorCodes = codesOf(
  ...(['UNAUTHORIZED_ACCESS', 'UNAUTHORIZED_IP', 'AUTHORIZATION_NOT_PROVIDED', 'ACCESS_DENIED'] as const),
  ...(['INVALID_HOST', 'REDIRECT_URI_NOT_ALLOWED', 'NO_ACCOUNTS_ADDED'] as const),
);

/** The returned code can no longer be used. */
const codeRefusals = codesOf('EXPIRED_AUTHORIZATION_CODE', 'WRONG_AUTHORIZATION_CODE', 'ALREADY_AUTHORIZED');

/** The scope of a bank's rate limit: one account, because reads are counted per account, or the whole connection. */
export type Subject = Extract<RateLimit['scope'], 'account' | 'connection'>;

/**
 * Converts a refusal to an error. A 401 or 404 that does not mention the session concerns only one account. The provider also
 * limits the application's requests per minute; a bank's own limit has a different code.
 */
export const toBankError = (
  cause: ProviderRefusal,
  { subject, until, now }: { subject: Subject; until: Date | undefined; now: Date },
): BankRefused | BankUnreachable => {
  const { status, code = '' } = cause;
  if (code === 'ASPSP_RATE_LIMIT_EXCEEDED')
    return new BankUnreachable('rate_limited', { scope: subject, until, cause });
  if (status === 429 || (status === 503 && until)) {
    const minuteEnd = new Date(now.getTime() + 60_000);
    return new BankUnreachable('rate_limited', { scope: 'connector', until: until ?? minuteEnd, cause });
  }
  if (sessionEnds.has(code)) return new BankRefused('consent_expired');
  if (codeRefusals.has(code)) return new BankRefused('wrong_answer');
  if (code === 'ASPSP_PSU_ACTION_REQUIRED') return new BankRefused('user_action_required');
  if (operatorCodes.has(code)) return new BankUnreachable('operator_action_required', { cause });
  if (code === 'ASPSP_TIMEOUT') return new BankUnreachable('timeout', { cause });
  return new BankUnreachable(status >= 500 || code === 'ASPSP_ERROR' ? 'down' : 'incomplete', { cause });
};
