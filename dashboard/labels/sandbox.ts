// What each sandbox user is for, in words for somebody who looks for the case they want to try.
import type { SandboxUser } from '../api/sandbox.ts';

type Challenge = SandboxUser['steps'][number]['kind'];
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
  down: 'The bank cannot be reached',
  slow: 'The bank is slow',
  empty: 'No accounts to share',
  expires: 'Credentials expire after the first import',
  moves: 'Entries change from refresh to refresh',
  rotates: 'Entries get new ids at each sign-in',
  twins: 'Two identical entries on one day',
  large: 'Very many entries',
};

const accountLabels: Record<Account, string> = {
  checking: 'checking',
  savings: 'savings',
  card: 'card',
  merchant: 'merchant',
};

export const challengeText = ({
  kind,
  answer,
}: SandboxUser['steps'][number]): { what: string; answer: string | null } => ({
  what: challengeLabels[kind],
  answer,
});

export const traitText = ({ traits }: SandboxUser): string =>
  traits.map((trait) => traitLabels[trait]).join('; ') || 'Everything goes well';

export const accountText = ({ accounts }: SandboxUser): string =>
  accounts.map((account) => accountLabels[account]).join(', ') || 'none';
