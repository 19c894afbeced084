// The users of every sandbox institution. The username alone selects the behavior.
import type { Currency } from './ledger.ts';
import type { AccountKind } from './personaLedger.ts';

/** A challenge at sign-in. `denial` is an approval that the user denies in the app; `redirect` leads to the bank's own page. */
export type ChallengeStep = 'code' | 'question' | 'choice' | 'approval' | 'denial' | 'image' | 'redirect';

export type SandboxUser = {
  /** In the order of a sign-in without a known device token. */
  steps: readonly ChallengeStep[];
  accounts: readonly AccountKind[] | 'large';
  currency: Currency;
  /** Transactions keep their ids, get new ones at each sign-in, or have none. */
  transactionIds: 'stable' | 'rotating' | 'none';
  /** There are two identical transactions on one day. */
  twins?: true;
  /** Other special behavior. */
  trait?:
    | 'locked'
    | 'unavailable'
    | 'slow'
    | 'credentials_expire'
    | 'transactions_change'
    | 'account_lags'
    | 'rate_limited'
    | 'consent_ends'
    | 'account_added'
    | 'history_forgotten'
    | 'posted_change'
    | 'reading_asked';
};

const defaultUser: SandboxUser = {
  steps: [],
  accounts: ['checking', 'savings', 'card'],
  currency: 'EUR',
  transactionIds: 'stable',
};

/** By username. */
export const sandboxUsers: ReadonlyMap<string, SandboxUser> = new Map<string, SandboxUser>([
  ['good', defaultUser],
  ['otp', { ...defaultUser, steps: ['code'] }],
  ['question', { ...defaultUser, steps: ['question'] }],
  ['choose', { ...defaultUser, steps: ['choice', 'code'] }],
  ['push', { ...defaultUser, steps: ['approval'] }],
  ['push-denied', { ...defaultUser, steps: ['denial'] }],
  ['captcha', { ...defaultUser, steps: ['image'] }],
  ['redirect', { ...defaultUser, steps: ['redirect'] }],
  ['locked', { ...defaultUser, trait: 'locked' }],
  ['down', { ...defaultUser, trait: 'unavailable' }],
  ['slow', { ...defaultUser, accounts: ['checking'], trait: 'slow' }],
  ['empty', { ...defaultUser, accounts: [] }],
  // One account: once its history is read completely, the import is complete.
  ['expires', { ...defaultUser, accounts: ['checking'], trait: 'credentials_expire' }],
  ['moves', { ...defaultUser, accounts: ['checking'], trait: 'transactions_change' }],
  ['lags', { ...defaultUser, trait: 'account_lags' }],
  ['rate-limited', { ...defaultUser, accounts: ['checking'], trait: 'rate_limited' }],
  ['consent-90', { ...defaultUser, accounts: ['checking'], trait: 'consent_ends' }],
  ['new-account', { ...defaultUser, accounts: ['checking', 'savings'], trait: 'account_added' }],
  ['forgetful', { ...defaultUser, trait: 'history_forgotten' }],
  ['edits', { ...defaultUser, accounts: ['checking'], transactionIds: 'none', trait: 'posted_change' }],
  ['statement-tan', { ...defaultUser, accounts: ['checking', 'savings'], trait: 'reading_asked' }],
  ['rotates', { ...defaultUser, accounts: ['checking', 'card'], transactionIds: 'rotating' }],
  ['twins', { ...defaultUser, accounts: ['checking'], transactionIds: 'none', twins: true }],
  ['large', { ...defaultUser, accounts: 'large' }],
  ['usd', { ...defaultUser, currency: 'USD' }],
  ['jpy', { ...defaultUser, currency: 'JPY' }],
  ['bhd', { ...defaultUser, currency: 'BHD' }],
]);

/** Appended to the message about an unknown username. */
export const builtInUsers = `Built-in users: ${[...sandboxUsers.keys()].join(', ')}.`;
