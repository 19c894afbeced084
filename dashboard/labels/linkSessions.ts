// Labels for outcomes, steps and failures of link sessions.
import type { LinkSession, LinkSessionFailure, LinkSessionOutcome } from '../api/linkSessions.ts';

type Tone = 'good' | 'warn' | 'bad' | 'plain';

export const outcomeLabels: Record<LinkSessionOutcome, { label: string; tone: Tone }> = {
  connected: { label: 'Connected', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  left: { label: 'Abandoned', tone: 'warn' },
  open: { label: 'Open', tone: 'plain' },
};

/** The user's last action before a state. */
export const reachedLabels: Record<LinkSession['reached'], string> = {
  consent: 'Opened the widget',
  institution: 'Agreed to connect',
  credentials: 'Selected a bank',
  challenge: 'Entered credentials',
  accounts: 'Signed in',
  importing: 'Selected accounts',
  finished: 'Import finished',
};

export const failureLabels: Record<LinkSessionFailure, string> = {
  locked: 'Locked by the bank',
  denied: 'Declined in the bank’s app',
  wrong_credentials: 'Wrong credentials',
  wrong_answer: 'Wrong answer',
  institution_down: 'Bank unreachable',
  institution_timeout: 'Bank timed out',
  institution_incomplete: 'Incomplete response from the bank',
  no_accounts: 'No accounts to share',
  accounts_mismatch: 'Different accounts',
  user_action_required: 'Action needed at the bank',
  session_expired: 'Expired',
  superseded: 'Replaced by another session',
  internal: 'Service error',
};
