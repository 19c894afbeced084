// The two actions that each failure screen offers, in order.
import type { FailedReason } from '../../widget/page/failedReason.ts';
import type { Texts } from '../../widget/page/texts/en.ts';

export const actionTexts = {
  tryAgain: (t: Texts) => t.failed.tryAgain,
  signInAgain: (t: Texts) => t.failed.signInAgain,
  otherLogin: (t: Texts) => t.failed.otherLogin,
  otherInstitution: (t: Texts) => t.failed.otherInstitution,
  restart: (t: Texts) => t.failed.restart,
  close: (t: Texts) => t.close,
};

export type Actions = [keyof typeof actionTexts, keyof typeof actionTexts];

export const failureActions: Record<FailedReason, Actions> = {
  wrong_credentials: ['signInAgain', 'otherInstitution'],
  wrong_answer: ['signInAgain', 'otherInstitution'],
  locked: ['tryAgain', 'otherInstitution'],
  denied: ['signInAgain', 'otherInstitution'],
  institution_down: ['tryAgain', 'otherInstitution'],
  institution_timeout: ['tryAgain', 'otherInstitution'],
  institution_incomplete: ['tryAgain', 'otherInstitution'],
  no_accounts: ['otherLogin', 'otherInstitution'],
  // Only a reconnect fails like this, and it keeps its bank.
  accounts_mismatch: ['otherLogin', 'close'],
  user_action_required: ['tryAgain', 'otherInstitution'],
  internal: ['tryAgain', 'otherInstitution'],
  cancelled: ['restart', 'close'],
  superseded: ['restart', 'close'],
  session_expired: ['restart', 'close'],
  origin_not_allowed: ['close', 'tryAgain'],
  native_not_allowed: ['close', 'tryAgain'],
  wrong_address: ['close', 'tryAgain'],
  unknown_application: ['close', 'tryAgain'],
  unknown_user: ['close', 'tryAgain'],
  unknown_connection: ['close', 'tryAgain'],
};
