// The connector for Harbour Bank, which translates the bank's HTTP API to the connector kit's contract. It is stateless; the
// service stores the bank's ticket and session as `challengeState` and `access`.
import { readFileSync } from 'node:fs';
import {
  BankRefused,
  type BankTransaction,
  BankUnreachable,
  type CallContext,
  type Connector,
  type ConnectorModule,
  defineConnector,
  type Institution,
  readSeparately,
  type SignInResult,
} from '@bank-connection/connector-kit';

type SessionResponse = { session: string; device: string };
type ChallengeResponse = { ticket: string; question: string; attemptsLeft?: number };
type Account = { iban: string; title: string; currency: string; cents: number };
type HarbourTransaction = { number: number; day: string; cents: number; text: string; booked: boolean };
type Page = { from: string; total: number; transactions: HarbourTransaction[]; next?: number };

/** The institution that end users choose. The widget labels both fields in the end user's language. */
const harbourBank: Institution = {
  id: 'harbour-bank',
  name: 'Harbour Bank',
  fields: [
    { name: 'customer', label: 'Customer name', labelKey: 'username', secret: false },
    { name: 'pin', label: 'PIN', labelKey: 'pin', secret: true },
  ],
  logo: readFileSync(new URL('../logo.png', import.meta.url)),
  color: '#12345b',
  country: 'IE',
  aliases: ['HB Ireland'],
  codes: ['HRBRIE2DXXX'],
};

/** Creates the connector for the bank at this URL. */
export const makeHarbourConnectorModule = (url: string): ConnectorModule => {
  const send = async (
    path: string,
    context: CallContext,
    init: RequestInit,
  ): Promise<{ status: number; body: unknown }> => {
    try {
      const response = await fetch(`${url}/${path}`, { ...init, signal: context.signal });
      if (response.status >= 500) throw new Error(`The bank returned ${response.status}.`);
      return { status: response.status, body: await response.json() };
    } catch (cause) {
      throw new BankUnreachable(context.signal.aborted ? 'timeout' : 'down', { cause });
    }
  };

  const post = (path: string, context: CallContext, body: object) =>
    send(path, context, { method: 'POST', body: JSON.stringify(body) });

  const get = async (path: string, context: CallContext, access: string): Promise<unknown> => {
    const { status, body } = await send(path, context, { headers: { authorization: `Bearer ${access}` } });
    // The session has expired or is invalid: only the end user can start a new one.
    if (status === 401) throw new BankRefused('user_action_required');
    if (status !== 200) throw new BankUnreachable('incomplete');
    return body;
  };

  const accounts: Connector['accounts'] = async (access, context) => {
    const body = (await get('accounts', context, access)) as { accounts: Account[] };
    return body.accounts.map(({ iban, title, currency, cents }) => ({
      id: iban,
      name: title,
      type: 'depository',
      subtype: 'checking',
      number: iban,
      currency,
      // The bank does not send the time of its balances.
      balance: { current: decimalText(cents), asOf: context.now.toISOString() },
    }));
  };

  const connector: Connector = {
    signIn: async ({ credentials, deviceToken, attended }, context) => {
      const { customer: name, pin } = credentials;
      const { status, body } = await post('sign-in', context, { name, pin, device: deviceToken });
      if (status === 401) throw new BankRefused('wrong_credentials');
      if (status === 202 && !attended) throw new BankRefused('user_action_required');
      return status === 202 ? toChallenge(body as ChallengeResponse) : toSignedIn(body as SessionResponse);
    },
    answer: async ({ challengeState, answer }, context) => {
      const { status, body } = await post(`answers/${encodeURIComponent(challengeState)}`, context, {
        answer,
      });
      if (status === 403) throw new BankRefused('wrong_answer');
      if (status === 404) throw new BankRefused('user_action_required');
      return status === 202 ? toChallenge(body as ChallengeResponse) : toSignedIn(body as SessionResponse);
    },
    accounts,
    // The bank has a separate request for each history.
    read: readSeparately({
      accounts,
      history: async ({ access, accountId, since }, context) => {
        const readPage = async (offset: number): Promise<Page> => {
          const query = new URLSearchParams({ offset: String(offset), ...(since ? { from: since } : {}) });
          return (await get(`accounts/${encodeURIComponent(accountId)}?${query}`, context, access)) as Page;
        };
        const first = await readPage(0);
        return {
          completeFrom: first.from,
          completeTo: context.now.toISOString().slice(0, 10),
          count: first.total,
          chunks: chunksFrom(first, readPage, context),
        };
      },
    }),
  };

  return { institutions: [harbourBank], connector };
};

const toSignedIn = ({ session, device }: SessionResponse): SignInResult => ({
  kind: 'signedIn',
  access: session,
  deviceToken: device,
});

const toChallenge = ({ ticket, question, attemptsLeft }: ChallengeResponse): SignInResult => ({
  kind: 'challenge',
  challenge: { kind: 'question', label: question },
  challengeState: ticket,
  ...(attemptsLeft === undefined ? {} : { retry: { attemptsLeft } }),
});

async function* chunksFrom(
  first: Page,
  readPage: (offset: number) => Promise<Page>,
  context: CallContext,
): AsyncGenerator<BankTransaction[]> {
  let count = 0;
  for (let page = first; ; page = await readPage(page.next)) {
    if (context.signal.aborted) throw new BankUnreachable('timeout');
    count += page.transactions.length;
    if (page.transactions.length > 0) yield page.transactions.map(toBankTransaction);
    if (page.next === undefined) break;
  }
  // Transactions were added or removed between two pages, so the history is incomplete.
  if (count !== first.total) throw new BankUnreachable('incomplete');
}

const toBankTransaction = ({ number, day, cents, text, booked }: HarbourTransaction): BankTransaction => ({
  id: String(number),
  date: day,
  amount: decimalText(cents),
  description: text,
  reference: '',
  status: booked ? 'posted' : 'pending',
});

/** Converts cents to decimal text without floating point. */
const decimalText = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** The service imports this if CONNECTORS names the file or its package. */
export default defineConnector({
  settings: { HARBOUR_BANK_URL: 'the address of the bank, by default http://127.0.0.1:4460' },
  make: (host) => makeHarbourConnectorModule(host.setting('HARBOUR_BANK_URL') ?? 'http://127.0.0.1:4460'),
});
