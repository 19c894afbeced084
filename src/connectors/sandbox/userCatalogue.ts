// The sandbox bank's own users as a table for people: what each is asked, what to answer, what is special.
import { captchaText } from './captchaImage.ts';
import { type SandboxUser, type ChallengeStep, sandboxUsers } from './users.ts';

export type Trait =
  | 'locked'
  | 'unavailable'
  | 'slow'
  | 'no_accounts'
  | 'credentials_expire'
  | 'transactions_change'
  | 'transaction_ids_change'
  | 'duplicate_transactions'
  | 'many_transactions';

export type UserCatalogueEntry = {
  username: string;
  challenges: { kind: ChallengeStep; answer: string | null }[];
  accounts: ('checking' | 'savings' | 'card' | 'large')[];
  currency: string;
  traits: Trait[];
};

/** Passwords that begin so are accepted, until an operator changes one. */
export const sandboxPassword = 'password';

const answerByStep: Record<ChallengeStep, string | null> = {
  code: '123456',
  question: 'blue',
  image: captchaText,
  // A choice takes any of what is offered; for the others there is nothing to type.
  choice: null,
  approval: null,
  denial: null,
};

const traitsOf = (user: SandboxUser): Trait[] => [
  ...(user.trait ? [user.trait] : []),
  ...(user.accounts.length === 0 ? (['no_accounts'] as const) : []),
  ...(user.transactionIds === 'rotating' ? (['transaction_ids_change'] as const) : []),
  ...(user.twins ? (['duplicate_transactions'] as const) : []),
  ...(user.accounts === 'large' ? (['many_transactions'] as const) : []),
];

/** All users, in the bank's order. */
export const sandboxUserCatalogue = (): UserCatalogueEntry[] =>
  [...sandboxUsers].map(([username, user]) => ({
    username,
    challenges: user.steps.map((kind) => ({ kind, answer: answerByStep[kind] })),
    accounts: user.accounts === 'large' ? ['large'] : [...user.accounts],
    currency: user.currency,
    traits: traitsOf(user),
  }));
