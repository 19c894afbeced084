// What a refusal or a silence of the bank means for a session: which screen, and what may be tried again.
import { BankRefused, BankUnreachable } from '../errors.ts';
import type { FailureReason, StepError, View } from './session.ts';

export type CanRetry = Extract<View, { state: 'failed' }>['canRetry'];

/** Where `retry` leads after each failure. */
export const retryAfterFailure: Record<FailureReason, CanRetry> = {
  locked: 'bank',
  denied: 'credentials',
  wrong_credentials: 'credentials',
  wrong_answer: 'credentials',
  bank_down: 'credentials',
  bank_timeout: 'credentials',
  no_accounts: 'bank',
  accounts_mismatch: 'credentials',
  attention_needed: 'credentials',
  session_expired: 'none',
  abandoned: 'none',
  superseded: 'none',
  internal: 'credentials',
};

/** The reason to show for whatever a step or an import threw. */
export const failureOf = (error: unknown): FailureReason => {
  if (error instanceof BankRefused) return error.reason;
  if (error instanceof BankUnreachable) return error.reason === 'timeout' ? 'bank_timeout' : 'bank_down';
  return 'internal';
};

/** A refusal that the user answers on the same screen, with what the bank said about tries. */
export const stepErrorOf = (error: unknown): StepError | undefined => {
  if (!(error instanceof BankRefused) || error.reason !== 'wrong_credentials') return undefined;
  return {
    reason: 'wrong_credentials',
    ...(error.triesLeft !== undefined && { triesLeft: error.triesLeft }),
  };
};
