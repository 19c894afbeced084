// Checks the accounts and transactions that a connector returns, wherever they are used. Invalid data counts as an
// incomplete response of the bank: nothing of it is stored.
import { toIsoDate } from '../clock.ts';
import { BankUnreachable } from '../errors.ts';
import { isDecimal } from '../json.ts';
import type { BankAccount, BankTransaction, Connector } from './connector.ts';

/** The longest texts, in UTF-16 units: several times what institutions send. */
const lengthMax = {
  id: 1000,
  name: 200,
  number: 100,
  type: 20,
  currency: 3,
  description: 2000,
  reference: 500,
} as const;

/** The widget shows all accounts in one list. */
const accountsMax = 500;

/** The same connector; invalid data throws BankUnreachable('incomplete'). */
export const withValidation = (connector: Connector): Connector => ({
  signIn: (request, context) => connector.signIn(request, context),
  answer: (request, context) => connector.answer(request, context),
  accounts: async (access, context) => {
    const accounts = await connector.accounts(access, context);
    if (accounts.length > accountsMax || !accounts.every(isAccount)) throw new BankUnreachable('incomplete');
    return accounts;
  },
  history: async (request, context) => {
    const history = await connector.history(request, context);
    return { ...history, chunks: validChunks(history.chunks) };
  },
});

async function* validChunks(chunks: AsyncIterable<BankTransaction[]>): AsyncGenerator<BankTransaction[]> {
  for await (const chunk of chunks) {
    checkTransactions(chunk);
    yield chunk;
  }
}

const isText = (kind: keyof typeof lengthMax, value: unknown): boolean =>
  typeof value === 'string' && value.length <= lengthMax[kind];

const isAmount = (value: unknown): boolean => typeof value === 'string' && isDecimal(value);

const isAccount = ({ id, name, number, type, currency, balance }: BankAccount): boolean =>
  isText('id', id) &&
  isText('name', name) &&
  isText('number', number) &&
  isText('type', type) &&
  isText('currency', currency) &&
  [balance.current, balance.available ?? '0', balance.limit ?? '0'].every(isAmount);

const checkTransactions = (transactions: readonly BankTransaction[]): void => {
  // Many transactions share a date, and parsing it costs more than all other checks.
  let validDate = '';
  for (const { id, date, amount, description, reference, status } of transactions) {
    if (date !== validDate && isDate(date)) validDate = date;
    const isValid =
      date === validDate &&
      isAmount(amount) &&
      isText('description', description) &&
      isText('reference', reference) &&
      (id === undefined || isText('id', id)) &&
      (status === 'pending' || status === 'posted');
    if (!isValid) throw new BankUnreachable('incomplete');
  }
};

const isDate = (text: string): boolean => {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && toIsoDate(date) === text;
};
