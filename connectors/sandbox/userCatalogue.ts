// The built-in sandbox users as listed in the dashboard: their challenges, answers and special behavior.
import { captchaText } from './captchaImage.ts';
import { type ChallengeStep, type SandboxUser, sandboxUsers } from './users.ts';

type Trait =
  | NonNullable<SandboxUser['trait']>
  | 'no_accounts'
  | 'transaction_ids_change'
  | 'duplicate_transactions'
  | 'many_transactions';

export type CatalogueUser = {
  username: string;
  challenges: { kind: ChallengeStep; answer: string | null }[];
  accounts: ('checking' | 'savings' | 'card' | 'large')[];
  currency: string;
  traits: Trait[];
};

/** Every password with this prefix is accepted until an operator sets one. */
export const sandboxPassword = 'password';

const answerByStep: Record<ChallengeStep, string | null> = {
  code: '123456',
  question: 'blue',
  image: captchaText,
  // Every option of a choice is correct. Nothing is typed for approvals or on the bank's own page.
  choice: null,
  approval: null,
  denial: null,
  redirect: null,
};

const traitsOf = (user: SandboxUser): Trait[] => [
  ...(user.trait ? [user.trait] : []),
  ...(user.accounts.length === 0 ? (['no_accounts'] as const) : []),
  ...(user.transactionIds === 'rotating' ? (['transaction_ids_change'] as const) : []),
  ...(user.twins ? (['duplicate_transactions'] as const) : []),
  ...(user.accounts === 'large' ? (['many_transactions'] as const) : []),
];

export const sandboxUserCatalogue = (): CatalogueUser[] =>
  [...sandboxUsers].map(([username, user]) => ({
    username,
    challenges: user.steps.map((kind) => ({ kind, answer: answerByStep[kind] })),
    accounts: user.accounts === 'large' ? ['large'] : [...user.accounts],
    currency: user.currency,
    traits: traitsOf(user),
  }));
