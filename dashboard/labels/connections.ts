// Labels for connection states, events and reasons, written for members who support end users.
import type { Connection, ConnectionEvent, ConnectionState } from '../api/connections.ts';

type Tone = 'good' | 'warn' | 'bad' | 'plain';

export const stateLabels: Record<ConnectionState, { label: string; tone: Tone }> = {
  pending: { label: 'Linking', tone: 'plain' },
  active: { label: 'Active', tone: 'good' },
  needs_reconnect: { label: 'Needs reconnecting', tone: 'warn' },
  revoked: { label: 'Revoked', tone: 'plain' },
};

type ReconnectReason = NonNullable<Connection['reconnectReason']>;

/** The reason why the user must reconnect. */
export const reconnectReasonLabels: Record<ReconnectReason, string> = {
  wrong_credentials: 'The bank rejected the credentials. The user has probably changed their password.',
  wrong_answer: 'The bank asked for confirmation and rejected the answer.',
  locked: 'The bank has locked the user’s login. The user must unlock it with the bank first.',
  denied: 'The user or the bank denied access.',
  user_action_required: 'The bank requires the user to confirm something, such as a new code or new terms.',
  no_accounts: 'The bank no longer shows any of the connected accounts.',
  consent_expired: 'The user’s consent at the bank has expired.',
  fingerprint_key_lost:
    'A stored key is lost. Reconnecting does not help: the user must link the bank again.',
};

const failureLabels: Record<string, string> = {
  ...reconnectReasonLabels,
  institution_down: 'The bank could not be reached.',
  institution_timeout: 'The bank did not respond in time.',
  institution_incomplete: 'The bank’s response was incomplete.',
  institution_rate_limited: 'The bank’s rate limit was reached. Refreshes are paused.',
  operator_action_required:
    'The bank rejects this service. The operator must check the registration with the bank.',
  timeout: 'Reading the accounts timed out.',
  invalid_signature: 'Something other than this service changed the stored connection.',
  internal: 'This service failed. See its log.',
  other_accounts: 'The accounts at the bank don’t match this connection.',
};

/** A sentence for a reason; an unknown reason shows its code. */
export const reasonLabel = (reason: string | undefined): string | undefined =>
  reason && (failureLabels[reason] ?? `Reason: ${reason.replaceAll('_', ' ')}.`);

type Requester = NonNullable<ConnectionEvent['actor']>;
const requesterLabels: Record<Requester, string> = {
  member: 'from this dashboard',
  token: 'with an organization token',
  api: 'by the application',
  operator: 'by the operator',
};

const eventLabels: Record<ConnectionEvent['kind'], { label: string; tone: Tone }> = {
  linked: { label: 'Linked', tone: 'good' },
  refreshed: { label: 'Refreshed', tone: 'good' },
  refresh_failed: { label: 'Refresh failed; will be retried', tone: 'warn' },
  refresh_refused: { label: 'Refresh refused by the bank; the user must reconnect', tone: 'bad' },
  refresh_requested: { label: 'Refresh requested', tone: 'plain' },
  reconnected: { label: 'Reconnected by the user', tone: 'good' },
  reconnect_failed: { label: 'Reconnecting failed', tone: 'bad' },
  credentials_broken: { label: 'Credentials broken in the sandbox', tone: 'warn' },
  revoked: { label: 'Revoked', tone: 'plain' },
};

export const eventLabel = ({ kind, actor }: ConnectionEvent): { label: string; tone: Tone } => {
  const { label, tone } = eventLabels[kind];
  return {
    label: actor && kind !== 'credentials_broken' ? `${label} ${requesterLabels[actor]}` : label,
    tone,
  };
};
