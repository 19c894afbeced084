// A connector for Harbour Bank: what the bank says over HTTP, in the words of src/banks/bank.ts. It keeps nothing
// between two calls; the bank's ticket and session travel in the texts that the service keeps for it.
import type {
  Connector,
  BankTransaction,
  CallContext,
  SignInResult,
} from '../../src/connectors/connector.ts';
import type { ConnectorModule } from '../../src/connectors/registry.ts';
import { BankRefused, BankUnreachable } from '../../src/errors.ts';

type SessionResponse = { session: string; device: string };
type ChallengeResponse = { ticket: string; question: string; attemptsLeft?: number };
type Account = { iban: string; title: string; currency: string; cents: number };
type HarbourTransaction = { number: number; day: string; cents: number; text: string; booked: boolean };
type Page = { from: string; total: number; transactions: HarbourTransaction[]; next?: number };

/** The connector for the bank at this address. */
export const makeHarbourConnectorModule = (url: string): ConnectorModule => {
  const ask = async (
    path: string,
    call: CallContext,
    init: RequestInit,
  ): Promise<{ status: number; body: unknown }> => {
    try {
      const response = await fetch(`${url}/${path}`, { ...init, signal: call.signal });
      if (response.status >= 500) throw new Error(`The bank answered ${response.status}.`);
      return { status: response.status, body: await response.json() };
    } catch (cause) {
      throw new BankUnreachable(call.signal.aborted ? 'timeout' : 'down', { cause });
    }
  };

  const post = (path: string, call: CallContext, body: object) =>
    ask(path, call, { method: 'POST', body: JSON.stringify(body) });

  const get = async (path: string, call: CallContext, access: string): Promise<unknown> => {
    const { status, body } = await ask(path, call, { headers: { authorization: `Bearer ${access}` } });
    // The session is over, or was never one: only the user can open another.
    if (status === 401) throw new BankRefused('user_action_required');
    if (status !== 200) throw new BankUnreachable('incomplete');
    return body;
  };

  const connector: Connector = {
    signIn: async ({ credentials, deviceToken, attended }, call) => {
      const { customer: name, pin } = credentials;
      const { status, body } = await post('sign-in', call, { name, pin, device: deviceToken });
      if (status === 401) throw new BankRefused('wrong_credentials');
      if (status === 202 && !attended) throw new BankRefused('user_action_required');
      return status === 202 ? toChallenge(body as ChallengeResponse) : toSignedIn(body as SessionResponse);
    },
    answer: async ({ challengeState, answer }, call) => {
      const { status, body } = await post(`answers/${encodeURIComponent(challengeState)}`, call, { answer });
      if (status === 403) throw new BankRefused('wrong_answer');
      if (status === 404) throw new BankRefused('user_action_required');
      return status === 202 ? toChallenge(body as ChallengeResponse) : toSignedIn(body as SessionResponse);
    },
    accounts: async (access, call) => {
      const { accounts } = (await get('accounts', call, access)) as { accounts: Account[] };
      return accounts.map(({ iban, title, currency, cents }) => ({
        id: iban,
        name: title,
        type: 'depository',
        number: iban,
        currency,
        balance: { current: decimalText(cents) },
      }));
    },
    history: async ({ access, accountId, since }, call) => {
      const pageAt = async (at: number): Promise<Page> => {
        const query = new URLSearchParams({ at: String(at), ...(since ? { from: since } : {}) });
        return (await get(`accounts/${encodeURIComponent(accountId)}?${query}`, call, access)) as Page;
      };
      const first = await pageAt(0);
      return { completeFrom: first.from, count: first.total, chunks: chunksFrom(first, pageAt, call) };
    },
  };

  const fields = [
    { name: 'customer', label: 'Customer name', secret: false },
    { name: 'pin', label: 'PIN', secret: true },
  ];
  return { institutions: [{ id: 'harbour-bank', name: 'Harbour Bank', fields }], connector };
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
  pageAt: (at: number) => Promise<Page>,
  call: CallContext,
): AsyncGenerator<BankTransaction[]> {
  let given = 0;
  for (let page = first; ; page = await pageAt(page.next)) {
    if (call.signal.aborted) throw new BankUnreachable('timeout');
    given += page.transactions.length;
    if (page.transactions.length > 0) yield page.transactions.map(toBankTransaction);
    if (page.next === undefined) break;
  }
  // Entries that came or went while we were reading: this is no whole picture.
  if (given !== first.total) throw new BankUnreachable('incomplete');
}

const toBankTransaction = ({ number, day, cents, text, booked }: HarbourTransaction): BankTransaction => ({
  id: String(number),
  date: day,
  amount: decimalText(cents),
  description: text,
  reference: '',
  status: booked ? 'posted' : 'pending',
});

/** Cents as decimal text, without a division: money is never a floating point number. */
const decimalText = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** What the service imports when the setting CONNECTORS names this file. */
export const { institutions, connector } = makeHarbourConnectorModule(
  process.env.HARBOUR_BANK_URL ?? 'http://127.0.0.1:4460',
);
