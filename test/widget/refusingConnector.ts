// A bank of Production applications that refuses whoever asks, in the way that the username names: for what the
// sandbox bank never does to a user who is there.
import type { Connector } from '../../src/connectors/connector.ts';
import type { ConnectorModule } from '../../src/connectors/registry.ts';
import { BankRefused } from '../../src/errors.ts';

const refusals: Record<string, () => Error> = {
  attention: () => new BankRefused('user_action_required'),
  fault: () => new Error('A fault of the connector.'),
};

const refuse = (username: string): void => {
  const refusal = refusals[username];
  if (refusal) throw refusal();
};

const connector: Connector = {
  signIn: async ({ credentials }) => {
    refuse(credentials.username!);
    return { kind: 'signedIn', access: credentials.username! };
  },
  answer: async () => ({ kind: 'signedIn', access: 'nobody' }),
  accounts: async () => [
    {
      ...{ id: '1', name: 'Current account', type: 'depository', number: '1207' },
      ...{ currency: 'EUR', balance: { current: '12.07' } },
    },
  ],
  // Whoever gets that far is refused while their entries are read.
  history: async () => {
    throw new BankRefused('wrong_credentials');
  },
};

export const refusingConnector: ConnectorModule = {
  institutions: [
    {
      id: 'strict-bank',
      name: 'Strict Bank',
      fields: [
        { name: 'username', label: 'Username', secret: false },
        { name: 'password', label: 'Password', secret: true },
      ],
    },
  ],
  connector,
};
