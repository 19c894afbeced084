// A connector for Production applications that fails according to the username, for failures that the sandbox lacks.
import type { Connector, SignInResult } from '../../connectors/kit/contract.ts';
import type { ConnectorModule } from '../../connectors/kit/defineConnector.ts';
import { BankRefused, BankUnreachable } from '../../src/platform/values/errors.ts';

const errors: Record<string, () => Error> = {
  attention: () => new BankRefused('user_action_required'),
  last: () => new BankRefused('wrong_credentials', { attemptsLeft: 0 }),
  partial: () => new BankUnreachable('incomplete'),
  fault: () => new Error('The connector failed.'),
};

const throwErrorOf = (username: string): void => {
  const makeError = errors[username];
  if (makeError) throw makeError();
};

const challenge: SignInResult = {
  ...{ kind: 'challenge', challengeState: 'unused' },
  challenge: { kind: 'code', label: 'Code' },
};

/** The same screen as for the Sandbox's approvals, but nobody ever approves or denies. */
const approval: SignInResult = {
  ...{ kind: 'challenge', challengeState: 'approval' },
  challenge: {
    ...{ kind: 'approval', pollSeconds: 1, resend: { afterSeconds: 3 } },
    ...{ label: 'Approve this sign-in in the Sandbox app', labelKey: 'approve_app', labelValue: 'Sandbox' },
  },
};

const connector: Connector = {
  signIn: async ({ credentials }) => {
    throwErrorOf(credentials.username!);
    if (credentials.username === 'last-code') return challenge;
    if (credentials.username === 'unanswered') return approval;
    return { kind: 'signedIn', access: credentials.username! };
  },
  // Every code is wrong.
  answer: async ({ challengeState }) =>
    challengeState === 'approval' ? approval : { ...challenge, retry: { attemptsLeft: 0 } },
  accounts: async (_, { now }) => [
    {
      ...{ id: '1', name: 'Current account', type: 'depository', number: '1207' },
      ...{ currency: 'EUR', balance: { current: '12.07', asOf: now.toISOString() } },
    },
  ],
  // Other users sign in and fail during the import.
  read: async () => {
    throw new BankRefused('wrong_credentials');
  },
};

export const refusingConnector: ConnectorModule = {
  institutions: [
    {
      id: 'strict-bank',
      name: 'Strict Bank',
      fields: [
        { name: 'username', label: 'Username', labelKey: 'username', secret: false },
        { name: 'password', label: 'Password', labelKey: 'password', secret: true },
      ],
    },
  ],
  connector,
};
