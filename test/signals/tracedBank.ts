// A connector for the setting CONNECTORS that sends one request to the address in BANK_URL, and fails.
import { type Connector, defineConnector, type Institution } from '../../connectors/kit/index.ts';

class BrokenConnector extends Error {}

const institutions: Institution[] = [
  {
    ...{ id: 'north-bank', name: 'North Bank' },
    fields: [
      { name: 'username', label: 'Username', secret: false },
      { name: 'password', label: 'Password', secret: true },
    ],
  },
];

const fail = async () => {
  await (await fetch(process.env.BANK_URL!)).text();
  throw new BrokenConnector('canary-message');
};

const connector: Connector = { signIn: fail, answer: fail, accounts: fail, read: fail };

export default defineConnector({ make: () => ({ institutions, connector }) });
