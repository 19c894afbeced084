// The users that every sandbox institution knows: what happens is chosen by the username alone.
import type { AccountKind } from './household.ts';
import type { Currency } from './money.ts';

/** What the bank asks on the way in. A denial is an approval that never comes. */
export type Step = 'code' | 'question' | 'choice' | 'approval' | 'denial' | 'image';

export type SandboxUser = {
  /** Asked one after the other, where no device token is brought along. */
  steps: readonly Step[];
  accounts: readonly AccountKind[] | 'merchant';
  currency: Currency;
  /** Whether entries keep their ids, get new ones at each sign-in, or have none. */
  entryIds: 'kept' | 'rotating' | 'none';
  /** Two truly identical entries on one day. */
  twins?: true;
  /** What else is special about them. */
  trait?: 'locked' | 'down' | 'slow' | 'expires' | 'moves';
};

const ordinary: SandboxUser = {
  steps: [],
  accounts: ['checking', 'savings', 'card'],
  currency: 'EUR',
  entryIds: 'kept',
};

/** By username. */
export const sandboxUsers: ReadonlyMap<string, SandboxUser> = new Map<string, SandboxUser>([
  ['good', ordinary],
  ['otp', { ...ordinary, steps: ['code'] }],
  ['question', { ...ordinary, steps: ['question'] }],
  ['choose', { ...ordinary, steps: ['choice', 'code'] }],
  ['push', { ...ordinary, steps: ['approval'] }],
  ['push-denied', { ...ordinary, steps: ['denial'] }],
  ['captcha', { ...ordinary, steps: ['image'] }],
  ['locked', { ...ordinary, trait: 'locked' }],
  ['down', { ...ordinary, trait: 'down' }],
  ['slow', { ...ordinary, accounts: ['checking'], trait: 'slow' }],
  ['empty', { ...ordinary, accounts: [] }],
  // One account, so that reading it to its end is the whole import.
  ['expires', { ...ordinary, accounts: ['checking'], trait: 'expires' }],
  ['moves', { ...ordinary, accounts: ['checking'], trait: 'moves' }],
  ['rotates', { ...ordinary, accounts: ['checking', 'card'], entryIds: 'rotating' }],
  ['twins', { ...ordinary, accounts: ['checking'], entryIds: 'none', twins: true }],
  ['large', { ...ordinary, accounts: 'merchant' }],
  ['usd', { ...ordinary, currency: 'USD' }],
  ['jpy', { ...ordinary, currency: 'JPY' }],
  ['bhd', { ...ordinary, currency: 'BHD' }],
]);
