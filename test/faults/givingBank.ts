// A connector for the setting CONNECTORS whose bank stores consents: revoking one sends a request to the address in BANK_URL.
import {
  type BankAccount,
  type Connector,
  defineConnector,
  type Institution,
  readSeparately,
} from '../../connectors/kit/index.ts';

const institutions: Institution[] = [
  {
    ...{ id: 'north-bank', name: 'North Bank' },
    fields: [{ name: 'password', label: 'Password', secret: true }],
  },
];
const accounts = async (): Promise<BankAccount[]> => [
  { id: 'main', name: 'Main', type: 'depository', number: 'XX00112233', currency: 'EUR' },
];
const signedIn = async () => ({ kind: 'signedIn', access: 'access', deviceToken: 'consent-1' }) as const;

const connector: Connector = {
  ...{ signIn: signedIn, answer: signedIn, accounts },
  read: readSeparately({ accounts, history: async () => ({ chunks: (async function* () {})() }) }),
  revoke: async ({ deviceToken }) => {
    await fetch(`${process.env.BANK_URL}/${deviceToken}`, { method: 'DELETE' });
  },
};

export default defineConnector({ make: () => ({ institutions, connector }) });
