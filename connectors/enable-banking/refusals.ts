// Maps the errors of Enable Banking, `{ message, code, error, detail }` with a status, to ours. Because their texts may name
// accounts, only the status, the code and a day become part of an error.
import { BankRefused, BankUnreachable, type RateLimit } from '@bank-connection/connector-kit';
import type { Schemas } from './schemas.ts';

type ErrorCode = Schemas['ErrorCode'];

/** A refusal, as the cause of the resulting error. `dateFrom` is the first day (YYYY-MM-DD) that the bank returns, if known. */
export class ProviderRefusal extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly dateFrom: string | undefined;

  constructor(status: number, body: unknown) {
    const { error, detail } = (body ?? {}) as { error?: unknown; detail?: unknown };
    const code = /^[A-Z_]{1,60}$/.test(String(error)) ? String(error) : undefined;
    super(`Enable Banking answers ${[status, code].join(' ').trim()}.`);
    this.status = status;
    this.code = code;
    const { date_from: dateFrom } = (detail ?? {}) as { date_from?: unknown };
    this.dateFrom = /^\d{4}-\d\d-\d\d$/.test(String(dateFrom)) ? String(dateFrom) : undefined;
  }
}

const codesOf = (...codes: ErrorCode[]): ReadonlySet<string> => new Set(codes);

/** The consent may end early, for example because the end user has revoked it at the bank. */
const sessionEnds = codesOf(
  'EXPIRED_SESSION',
  'CLOSED_SESSION',
  'REVOKED_SESSION',
  'SESSION_DOES_NOT_EXIST',
  'WRONG_SESSION_STATUS',
);

/** Only a change of the application at the provider, or of the settings, helps. */
const operatorCodes = codesOf(
  ...(['UNAUTHORIZED_ACCESS', 'UNAUTHORIZED_IP', 'AUTHORIZATION_NOT_PROVIDED', 'ACCESS_DENIED'] as const),
  ...(['INVALID_HOST', 'REDIRECT_URI_NOT_ALLOWED', 'NO_ACCOUNTS_ADDED'] as const),
);

/** The returned code can no longer be used. */
const codeRefusals = codesOf('EXPIRED_AUTHORIZATION_CODE', 'WRONG_AUTHORIZATION_CODE', 'ALREADY_AUTHORIZED');

/** The scope of a bank's limit: one account, because reads are counted for each, or the whole connection. */
export type Subject = Extract<RateLimit['scope'], 'account' | 'connection'>;

/**
 * The error for a refusal. A 401 or 404 that does not mention the session concerns one account, and leaves the others as they are.
 * The provider has its own limit, for all requests of the application in a minute; a bank's limit has another code.
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
