// The users that every sandbox institution knows: what happens is chosen by the username alone.
import type { AccountKind } from './personaLedger.ts';
import type { Currency } from './money.ts';

/** What the bank asks on the way in. A denial is an approval that never comes. */
export type ChallengeStep = 'code' | 'question' | 'choice' | 'approval' | 'denial' | 'image';

export type SandboxUser = {
  /** Asked one after the other, where no device token is brought along. */
  steps: readonly ChallengeStep[];
  accounts: readonly AccountKind[] | 'large';
  currency: Currency;
  /** Whether entries keep their ids, get new ones at each sign-in, or have none. */
  transactionIds: 'kept' | 'rotating' | 'none';
  /** Two truly identical entries on one day. */
  twins?: true;
  /** What else is special about them. */
  trait?: 'locked' | 'unavailable' | 'slow' | 'credentials_expire' | 'transactions_change';
};

const defaultUser: SandboxUser = {
  steps: [],
  accounts: ['checking', 'savings', 'card'],
  currency: 'EUR',
  transactionIds: 'kept',
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
  ['locked', { ...defaultUser, trait: 'locked' }],
  ['down', { ...defaultUser, trait: 'unavailable' }],
  ['slow', { ...defaultUser, accounts: ['checking'], trait: 'slow' }],
  ['empty', { ...defaultUser, accounts: [] }],
  // One account, so that reading it to its end is the whole import.
  ['expires', { ...defaultUser, accounts: ['checking'], trait: 'credentials_expire' }],
  ['moves', { ...defaultUser, accounts: ['checking'], trait: 'transactions_change' }],
  ['rotates', { ...defaultUser, accounts: ['checking', 'card'], transactionIds: 'rotating' }],
  ['twins', { ...defaultUser, accounts: ['checking'], transactionIds: 'none', twins: true }],
  ['large', { ...defaultUser, accounts: 'large' }],
  ['usd', { ...defaultUser, currency: 'USD' }],
  ['jpy', { ...defaultUser, currency: 'JPY' }],
  ['bhd', { ...defaultUser, currency: 'BHD' }],
]);
