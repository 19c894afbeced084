// What a bank shows, asked of the connector itself, and how a reader's copy differs from it.
import type { Transaction } from '../../client/index.ts';
import type { BankTransaction, Connector } from '../../src/connectors/connector.ts';
import { canonicalDecimal } from '../../src/json.ts';

export type ExpectedAccount = {
  name: string;
  currency: string;
  completeFrom: string;
  transactions: BankTransaction[];
};

/** All accounts of a user at a bank. Signs in as another device would, so that nothing moves on. */
export const readBank = async (
  bank: Connector,
  who: { institutionId: string; username: string },
  now: Date,
): Promise<ExpectedAccount[]> => {
  const call = { signal: AbortSignal.timeout(60_000), now };
  const credentials = { username: who.username, password: 'password' };
  const signedIn = await bank.signIn({ institutionId: who.institutionId, credentials, attended: true }, call);
  if (signedIn.kind !== 'signedIn') throw new Error(`${who.username} is asked for more than a password.`);
  const truths: ExpectedAccount[] = [];
  for (const { id, name, currency } of await bank.accounts(signedIn.access, call)) {
    const history = await bank.history({ access: signedIn.access, accountId: id }, call);
    const transactions: BankTransaction[] = [];
    for await (const chunk of history.chunks) transactions.push(...chunk);
    truths.push({ name, currency, completeFrom: history.completeFrom, transactions });
  }
  return truths;
};

type ComparableFields = Pick<BankTransaction, 'date' | 'description' | 'reference'> & {
  amount: string | number;
  status: string;
};

const toComparable = ({ date, amount, description, reference, status }: ComparableFields): string =>
  JSON.stringify([date, canonicalDecimal(String(amount)), description, reference, status]);

const count = (texts: string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
};

/** How many entries a copy has too many, and too few, of those that the bank still shows. */
export const difference = (
  truth: ExpectedAccount,
  copy: Iterable<Transaction>,
): { extra: number; missing: number } => {
  const live = [...copy].filter(({ status, date }) => status !== 'void' && date >= truth.completeFrom);
  const held = count(live.map(toComparable));
  const shown = count(truth.transactions.map(toComparable));
  let [extra, missing] = [0, 0];
  for (const text of new Set([...held.keys(), ...shown.keys()])) {
    const more = (held.get(text) ?? 0) - (shown.get(text) ?? 0);
    if (more > 0) extra += more;
    else missing -= more;
  }
  return { extra, missing };
};
