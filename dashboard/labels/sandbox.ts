// Labels for sandbox users: challenges, special behavior and accounts.
import type { SandboxUser } from '../api/sandbox.ts';

type Challenge = SandboxUser['challenges'][number]['kind'];
type Trait = SandboxUser['traits'][number];
type Account = SandboxUser['accounts'][number];

const challengeLabels: Record<Challenge, string> = {
  code: 'Code',
  question: 'Question',
  choice: 'Choice of device',
  approval: 'Approval in the bank’s app, given automatically',
  denial: 'Approval in the bank’s app, denied',
  redirect: 'Sign-in on the bank’s website',
  image: 'Characters in an image',
};

const traitLabels: Record<Trait, string> = {
  locked: 'Access is locked',
  unavailable: 'The bank cannot be reached',
  slow: 'The bank is slow',
  no_accounts: 'No accounts',
  credentials_expire: 'Credentials expire after the first import',
  transactions_change: 'Transactions change between refreshes',
  account_lags: 'Every other day, refreshes cannot read the savings account',
  rate_limited: 'Every other day, refreshes are refused until the next day',
  consent_ends: 'The consent expires after 90 days',
  account_added: 'The bank adds an account the next day',
  history_forgotten: 'Every other day, the first refresh finds a quarter of the history',
  posted_change: 'Every other day, posted transactions of the last week change text and date',
  reading_asked: 'The bank asks for a code for each account; refreshes need the user',
  transaction_ids_change: 'Transactions get new ids at each sign-in',
  duplicate_transactions: 'Two identical transactions on one day',
  many_transactions: 'A very large number of transactions',
};

const accountLabels: Record<Account, string> = {
  checking: 'checking',
  savings: 'savings',
  card: 'card',
  large: 'one very large account',
};

export const challengeText = ({
  kind,
  answer,
}: SandboxUser['challenges'][number]): { label: string; answer: string | null } => ({
  label: challengeLabels[kind],
  answer,
});

export const traitText = ({ traits, challenges }: SandboxUser): string => {
  const isDenied = challenges.some(({ kind }) => kind === 'denial');
  const texts = [
    ...(isDenied ? ['The user declines in the bank’s app'] : []),
    ...traits.map((trait) => traitLabels[trait]),
  ];
  return texts.join('; ') || 'Everything succeeds';
};

export const accountText = ({ accounts }: SandboxUser): string =>
  accounts.map((account) => accountLabels[account]).join(', ') || 'none';
