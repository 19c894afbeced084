// A connector for the setting CONNECTORS that sends one request to the address in BANK_URL, and fails.
import type { Connector, Institution } from '../../src/connectors/connector.ts';

class BrokenConnector extends Error {}

export const institutions: Institution[] = [
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

export const connector: Connector = { signIn: fail, answer: fail, accounts: fail, read: fail };
