// Orders for account names and balances. Those for transactions are in statementOrders.ts.
import { type Balance, BankUnreachable, toIsoDate } from '@bank-connection/connector-kit';
import type { Segment } from 'lib-fints';
import { type FintsAccount, mayOrder, toOrderAccount, withIbans } from './accounts.ts';
import { findBalance, findCardBalance } from './balances.ts';
import type { BankParameters } from './bankParameters.ts';
import { findCardOrder } from './cardOrders.ts';
import { checkResponse, OrderFailed, wantsTan } from './codes.ts';
import { type Dialog, makeOrder } from './dialog.ts';
import type { BankResponse } from './message.ts';
import type { Device } from './state.ts';
import { findStatementOrder } from './statementOrders.ts';

/** An open dialog, and the orders that its bank supports. */
export type OrderDialog = { dialog: Dialog; parameters: BankParameters };

/** HKTAN, process 4: asks if an order needs a TAN (FinTS 3.0, PIN/TAN, "Geschäftsvorfall HKTAN"). */
export const makeTanOrders = ({ method, medium }: Device, segId: string): Segment[] =>
  method ? [makeOrder('HKTAN', method.version, { tanProcess: '4', segId, tanMedia: medium })] : [];

/** Sends an order, with a TAN request if the bank requires it. Throws like `checkResponse`. */
export const sendOrder = async (
  { dialog, parameters }: OrderDialog,
  order: Segment,
): Promise<BankResponse> => {
  const { segId } = order.header;
  const questions = parameters.tanOrders.includes(segId) ? makeTanOrders(dialog.party.device, segId) : [];
  return checkResponse(await dialog.send([order, ...questions]));
};

/** True if the bank shows a balance or transactions. For securities accounts, it shows neither. */
export const isReadable = (account: FintsAccount, parameters: BankParameters): boolean =>
  mayOrder(account, 'HKSAL') || findStatementOrder(account, parameters) !== undefined;

/** The accounts with IBANs, BICs and balances. Banks that refuse HKSPA have already sent the IBANs with the accounts. */
export const completeAccounts = async (
  open: OrderDialog,
  accounts: readonly FintsAccount[],
  now: Date,
): Promise<FintsAccount[]> => {
  const shown = accounts.filter((account) => isReadable(account, open.parameters));
  const version = open.parameters.versions.HKSPA;
  const response =
    version && (await sendOrder(open, makeOrder('HKSPA', version, {})).catch(ignoreFailedOrder));
  return readBalances(open, response ? withIbans(shown, response) : shown, now);
};

/** The accounts with current balances. */
export const readBalances = async (
  open: OrderDialog,
  accounts: readonly FintsAccount[],
  now: Date,
): Promise<FintsAccount[]> => {
  const read: FintsAccount[] = [];
  for (const { balance: _, ...account } of accounts) {
    const balance = await readBalance(open, account, now);
    read.push({ ...account, ...(balance && { balance }) });
  }
  return read;
};

/** Undefined if the bank did not execute the order. */
export const ignoreFailedOrder = (error: unknown): undefined => {
  if (!(error instanceof OrderFailed)) throw error;
};

/** Undefined if the bank sends no balance, wants a TAN for it, or sends invalid data. */
const readBalance = async (
  open: OrderDialog,
  account: FintsAccount,
  now: Date,
): Promise<Balance | undefined> => {
  const order = makeBalanceOrder(open.parameters, account, now);
  if (!order) return undefined;
  try {
    const response = await sendOrder(open, order);
    if (wantsTan(response)) return undefined;
    return findBalance(response, now) ?? findCardBalance(response, now);
  } catch (error) {
    if (error instanceof BankUnreachable && error.reason === 'incomplete') return undefined;
    throw error;
  }
};

const makeBalanceOrder = (
  parameters: BankParameters,
  account: FintsAccount,
  now: Date,
): Segment | undefined => {
  const version = parameters.versions.HKSAL;
  if (version !== undefined && mayOrder(account, 'HKSAL')) {
    const named = toOrderAccount(account, parameters, 'HKSAL');
    return makeOrder('HKSAL', version, { account: named, allAccounts: false });
  }
  const today = toIsoDate(now);
  return findCardOrder(account, parameters)?.make({ from: today, to: today });
};
