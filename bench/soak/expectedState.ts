// The data of a bank, read through its connector, and its differences from a consumer's copy.
import type { Transaction } from '../../client/index.ts';
import type { BankTransaction, CallContext, Connector } from '../../connectors/kit/contract.ts';
import { canonicalDecimal } from '../../src/platform/values/json.ts';

export type ExpectedAccount = {
  name: string;
  currency: string;
  completeFrom: string;
  transactions: BankTransaction[];
};

/** All accounts of a user at a bank. Signs in without a device token, which changes nothing at the sandbox bank. */
export const readBank = async (
  connector: Connector,
  user: { institutionId: string; username: string },
  context: Omit<CallContext, 'signal'>,
): Promise<ExpectedAccount[]> => {
  const call = { signal: AbortSignal.timeout(60_000), ...context };
  const { institutionId, username } = user;
  const credentials = { username, password: 'password' };
  const signedIn = await connector.signIn(
    { institution: { id: institutionId }, credentials, attended: true },
    call,
  );
  if (signedIn.kind !== 'signedIn') throw new Error(`${username} got a challenge.`);
  const reading = await connector.read(signedIn.access, {}, call);
  const accounts: ExpectedAccount[] = [];
  for (const { id, name, currency } of reading.accounts) {
    const history = await reading.history(id);
    const transactions: BankTransaction[] = [];
    for await (const chunk of history.chunks) transactions.push(...chunk);
    accounts.push({ name, currency, completeFrom: history.completeFrom!, transactions });
  }
  await reading.end();
  return accounts;
};

type ComparableFields = Pick<BankTransaction, 'date' | 'description' | 'reference'> & {
  amount: string | number;
  status: string;
};

const toComparable = ({ date, amount, description, reference, status }: ComparableFields): string =>
  JSON.stringify([date, canonicalDecimal(String(amount)), description, reference, status]);

const countEach = (texts: string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
};

/** The numbers of extra and missing transactions in a copy, among the transactions that the bank still returns. */
export const compareTransactions = (
  expected: ExpectedAccount,
  copy: Iterable<Transaction>,
): { extra: number; missing: number } => {
  const live = [...copy].filter(({ status, date }) => status !== 'void' && date >= expected.completeFrom);
  const copied = countEach(live.map(toComparable));
  const wanted = countEach(expected.transactions.map(toComparable));
  let [extra, missing] = [0, 0];
  for (const text of new Set([...copied.keys(), ...wanted.keys()])) {
    const surplus = (copied.get(text) ?? 0) - (wanted.get(text) ?? 0);
    if (surplus > 0) extra += surplus;
    else missing -= surplus;
  }
  return { extra, missing };
};
