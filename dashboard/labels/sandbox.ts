// What each sandbox user is for, in words for somebody who looks for the case they want to try.
import type { SandboxUser } from '../api/sandbox.ts';

type Challenge = SandboxUser['challenges'][number]['kind'];
type Trait = SandboxUser['traits'][number];
type Account = SandboxUser['accounts'][number];

const challengeLabels: Record<Challenge, string> = {
  code: 'Code',
  question: 'Question',
  choice: 'Choice of device',
  approval: 'Approval in the bank’s app, which comes by itself',
  denial: 'Approval in the bank’s app, which is denied',
  image: 'Characters in a picture',
};

const traitLabels: Record<Trait, string> = {
  locked: 'Access is locked',
  unavailable: 'The bank cannot be reached',
  slow: 'The bank is slow',
  no_accounts: 'No accounts to share',
  credentials_expire: 'Credentials expire after the first import',
  transactions_change: 'Entries change from refresh to refresh',
  transaction_ids_change: 'Entries get new ids at each sign-in',
  duplicate_transactions: 'Two identical entries on one day',
  many_transactions: 'Very many entries',
};

const accountLabels: Record<Account, string> = {
  checking: 'checking',
  savings: 'savings',
  card: 'card',
  large: 'one with very many transactions',
};

export const challengeText = ({
  kind,
  answer,
}: SandboxUser['challenges'][number]): { what: string; answer: string | null } => ({
  what: challengeLabels[kind],
  answer,
});

export const traitText = ({ traits }: SandboxUser): string =>
  traits.map((trait) => traitLabels[trait]).join('; ') || 'Everything goes well';

export const accountText = ({ accounts }: SandboxUser): string =>
  accounts.map((account) => accountLabels[account]).join(', ') || 'none';
