// Validates the accounts and transactions of every connector. Invalid data counts as an incomplete response, and none of it is
// stored. Display texts are sanitized, because a NUL or half character from a bank could break a consumer's import.
import {
  accountSubtypes,
  type Balance,
  type BankAccount,
  type BankTransaction,
  type Connector,
  type History,
  type SignInResult,
} from './contract.ts';
import { toIsoDate } from './days.ts';
import { isDecimal } from './decimal.ts';
import { BankUnreachable } from './errors.ts';
import { toPlainText } from './text.ts';

type AccountText = Exclude<keyof BankAccount, 'subtype' | 'balance'>;
type TransactionText = Exclude<keyof BankTransaction, 'id' | 'date' | 'amount' | 'status'>;
const accountTexts: Record<AccountText, number> = { id: 1000, name: 200, number: 100, type: 20, currency: 3 };
const transactionTexts: Record<TransactionText, number> = { description: 2000, reference: 500 };
/** Maximum lengths of texts, in UTF-16 units: several times as long as those that institutions send. */
export const lengthMax = { ...accountTexts, ...transactionTexts };

const accountFields = Object.keys(accountTexts) as AccountText[];
const transactionFields = Object.keys(transactionTexts) as TransactionText[];

/** The widget shows all accounts in one list. */
const accountsMax = 500;

/** The same connector; invalid data throws BankUnreachable('incomplete'). */
export const withValidation = (connector: Connector): Connector => ({
  signIn: async (request, context) => withPlainChallenge(await connector.signIn(request, context)),
  answer: async (request, context) => withPlainChallenge(await connector.answer(request, context)),
  ...(connector.challengeAction && {
    challengeAction: async (request, context) =>
      withPlainChallenge(await connector.challengeAction!(request, context)),
  }),
  accounts: async (access, context) => checkAccounts(await connector.accounts(access, context)),
  ...(connector.approveReading && {
    approveReading: async (request, context) =>
      withPlainChallenge(await connector.approveReading!(request, context)),
  }),
  ...(connector.revoke && { revoke: (request, context) => connector.revoke!(request, context) }),
  read: async (access, request, context) => {
    const reading = await connector.read(access, request, context);
    return {
      accounts: checkAccounts(reading.accounts),
      history: async (accountId) => {
        const history = await reading.history(accountId);
        checkRange(history);
        return { ...history, chunks: validChunks(history.chunks) };
      },
      ...(reading.balance && {
        balance: async (accountId) => checkBalance(await reading.balance!(accountId)),
      }),
      end: async () => checkExpiry(await reading.end()),
    };
  },
});

const checkAccounts = (accounts: BankAccount[]): BankAccount[] => {
  if (accounts.length > accountsMax || !accounts.every(isAccount)) throw new BankUnreachable('incomplete');
  return accounts.map((account) => ({ ...withPlainTexts(account), id: account.id }));
};

const checkBalance = (balance: Balance | undefined): Balance | undefined => {
  if (balance && !isBalance(balance)) throw new BankUnreachable('incomplete');
  return balance;
};

const withPlainChallenge = (result: SignInResult): SignInResult =>
  result.kind === 'challenge'
    ? { ...result, challenge: withPlainTexts(result.challenge) }
    : checkExpiry(result);

const checkExpiry = <Result extends { expiresAt?: string }>(result: Result): Result => {
  if (result.expiresAt !== undefined && !isTime(result.expiresAt)) throw new BankUnreachable('incomplete');
  return result;
};

const withPlainTexts = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? toPlainText(part) : part));

const checkRange = ({ completeFrom, completeTo }: History): void => {
  const isStated = completeFrom !== undefined && completeTo !== undefined;
  const isValid = isStated
    ? isDate(completeFrom) && isDate(completeTo)
    : completeFrom === undefined && completeTo === undefined;
  if (!isValid) throw new BankUnreachable('incomplete');
};

async function* validChunks(chunks: AsyncIterable<BankTransaction[]>): AsyncGenerator<BankTransaction[]> {
  for await (const chunk of chunks) {
    checkTransactions(chunk);
    yield chunk.map(withPlainFields);
  }
}

const withPlainFields = (transaction: BankTransaction): BankTransaction => {
  let plain = transaction;
  for (const field of transactionFields) {
    const text = toPlainText(transaction[field]);
    if (text !== transaction[field]) plain = { ...plain, [field]: text };
  }
  return plain;
};

const isText = (kind: keyof typeof lengthMax, value: unknown): boolean =>
  typeof value === 'string' && value.length <= lengthMax[kind];

const isAmount = (value: unknown): boolean => typeof value === 'string' && isDecimal(value);

const isAccount = (account: BankAccount): boolean =>
  accountFields.every((field) => isText(field, account[field])) &&
  (account.subtype === undefined || accountSubtypes.includes(account.subtype)) &&
  (account.balance === undefined || isBalance(account.balance));

const isBalance = ({ current, available = '0', limit = '0', asOf }: Balance): boolean =>
  [current, available, limit].every(isAmount) && isTime(asOf);

const checkTransactions = (transactions: readonly BankTransaction[]): void => {
  // Many transactions share a date, and parsing it costs more than all other checks.
  let validDate = '';
  for (const transaction of transactions) {
    const { id, date, amount, status } = transaction;
    if (date !== validDate && isDate(date)) validDate = date;
    const isValid =
      (date === validDate || (date === '' && status === 'pending')) &&
      isAmount(amount) &&
      transactionFields.every((field) => isText(field, transaction[field])) &&
      (id === undefined || isText('id', id)) &&
      (status === 'pending' || status === 'posted');
    if (!isValid) throw new BankUnreachable('incomplete');
  }
};

const isTime = (text: unknown): boolean => {
  const time = new Date(String(text));
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
};

const isDate = (text: string): boolean => {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && toIsoDate(date) === text;
};
