// What a refusal or a silence of the bank means for a session: which screen, and what may be tried again.
import { BankRefused, BankUnreachable } from '../errors.ts';
import type { LinkFailureReason, LinkStepError, LinkSessionView } from './linkSession.ts';

export type RetryTarget = Extract<LinkSessionView, { state: 'failed' }>['retryTarget'];

/** Where `retry` leads after each failure. */
export const retryTargets: Record<LinkFailureReason, RetryTarget> = {
  locked: 'institution',
  denied: 'credentials',
  wrong_credentials: 'credentials',
  wrong_answer: 'credentials',
  institution_down: 'credentials',
  institution_timeout: 'credentials',
  no_accounts: 'institution',
  accounts_mismatch: 'credentials',
  user_action_required: 'credentials',
  session_expired: 'none',
  cancelled: 'none',
  superseded: 'none',
  internal: 'credentials',
};

/** The reason to show for whatever a step or an import threw. */
export const toLinkFailureReason = (error: unknown): LinkFailureReason => {
  if (error instanceof BankRefused) return error.reason;
  if (error instanceof BankUnreachable)
    return error.reason === 'timeout' ? 'institution_timeout' : 'institution_down';
  return 'internal';
};

/** A refusal that the user answers on the same screen, with what the bank said about tries. */
export const toLinkStepError = (error: unknown): LinkStepError | undefined => {
  if (!(error instanceof BankRefused) || error.reason !== 'wrong_credentials') return undefined;
  return {
    reason: 'wrong_credentials',
    ...(error.attemptsLeft !== undefined && { attemptsLeft: error.attemptsLeft }),
  };
};
