// Parses an end user's accounts (FinTS 3.0, Userparameterdaten, segment HIUPD), and maps them to the contract's accounts.
import {
  type AccountSubtype,
  type Balance,
  type BankAccount,
  cutText,
  lengthMax,
} from '@bank-connection/connector-kit';
import type { BankParameters, OrderId } from './bankParameters.ts';
import { type BankResponse, decodeSegment, elementsOf, segmentsOf } from './message.ts';

/** An account, with the fields that orders need. */
export type FintsAccount = {
  number: string;
  subAccount?: string;
  bank: BankId;
  iban?: string;
  bic?: string;
  name: string;
  currency: string;
  /** FinTS's number for the account type, 1 to 99. */
  kind?: number;
  /** The orders allowed for the account; absent if the bank does not list them. */
  orders?: string[];
  balance?: Balance;
};

type BankId = { country: number; bankId: string };

type HiupdFields = {
  account?: { accountNumber: string; subAccountId?: string; bank: BankId };
  iban?: string;
  accountType?: number;
  currency?: string;
  accountProduct?: string;
  allowedTransactions?: ({ transId: string } | undefined)[];
};

/** The bank does not list all orders of an account. */
const usageUnknown = '1';

/** The accounts in a response, in its order. Duplicates, one per role of the user, are merged, with the orders of all of them. */
export const findAccounts = (response: BankResponse): FintsAccount[] => {
  const [user] = segmentsOf(response, 'HIUPA');
  const saysAll = user !== undefined && elementsOf(user)[2] !== usageUnknown;
  const accounts = segmentsOf(response, 'HIUPD').flatMap((segment) => {
    const { account, ...fields } = decodeSegment<HiupdFields>(segment);
    if (account === undefined) return [];
    const { iban, accountType, currency = 'EUR', accountProduct, allowedTransactions = [] } = fields;
    return {
      number: account.accountNumber,
      ...(account.subAccountId && { subAccount: account.subAccountId }),
      ...{ bank: account.bank, name: accountProduct?.trim() || account.accountNumber, currency },
      ...(iban && { iban }),
      ...(accountType !== undefined && { kind: accountType }),
      ...(saysAll && { orders: allowedTransactions.flatMap((order) => order?.transId ?? []) }),
    };
  });
  const byId = Map.groupBy(accounts, accountIdOf);
  return [...byId.values()].map(([first, ...others]) => ({
    ...first!,
    ...(saysAll && { orders: [first!, ...others].flatMap(({ orders = [] }) => orders) }),
  }));
};

type HispaFields = {
  sepaAccounts?: { iban?: string; bic?: string; accountNumber: string; subAccountId?: string }[];
};

/** Adds the IBANs and BICs in a response (segment HISPA), which may also list other accounts. */
export const withIbans = (accounts: readonly FintsAccount[], response: BankResponse): FintsAccount[] => {
  const named = segmentsOf(response, 'HISPA').flatMap(
    (segment) => decodeSegment<HispaFields>(segment).sepaAccounts ?? [],
  );
  return accounts.map((account) => {
    const found = named.find(
      ({ accountNumber, subAccountId = '' }) =>
        accountNumber === account.number && subAccountId === (account.subAccount ?? ''),
    );
    return { ...account, ...(found?.iban && { iban: found.iban }), ...(found?.bic && { bic: found.bic }) };
  });
};

/** Starting with these versions, an order identifies an account by IBAN. */
const ibanVersions: Partial<Record<OrderId, number>> = { HKSAL: 7, HKKAZ: 7, HKCAZ: 1 };

/** The fields that identify an account in an order. Some banks require the number in addition to the IBAN; others refuse it. */
export const toOrderAccount = (
  { number, subAccount, bank, iban, bic }: FintsAccount,
  { versions, nationalAccounts }: BankParameters,
  id?: OrderId,
) => {
  const namesIban = id !== undefined && versions[id]! >= (ibanVersions[id] ?? Number.POSITIVE_INFINITY);
  if (namesIban && nationalAccounts === false && iban) return { iban, bic };
  return { accountNumber: number, subAccountId: subAccount, bank, iban, bic };
};

export const mayOrder = ({ orders }: FintsAccount, order: string): boolean =>
  orders === undefined || orders.includes(order);

export const accountIdOf = ({ number, subAccount }: FintsAccount): string =>
  subAccount === undefined ? number : `${number}/${subAccount}`;

/** FinTS 3.0, Userparameterdaten, "Kontoart": the first type of each group of ten. */
const typesByKind: Record<number, { type: BankAccount['type']; subtype?: AccountSubtype }> = {
  0: { type: 'depository', subtype: 'checking' },
  10: { type: 'depository', subtype: 'savings' },
  20: { type: 'depository' },
  30: { type: 'investment', subtype: 'brokerage' },
  40: { type: 'loan' },
  50: { type: 'credit', subtype: 'credit_card' },
  60: { type: 'investment' },
};

export const toBankAccount = (account: FintsAccount): BankAccount => {
  const { kind, name, iban, number, currency, balance } = account;
  const typed = kind === undefined ? { type: 'depository' as const } : typesByKind[kind - (kind % 10)];
  return {
    id: accountIdOf(account),
    name: cutText(name, lengthMax.name),
    ...(typed ?? { type: 'other' as const }),
    number: iban ?? number,
    currency,
    ...(balance && { balance: { ...balance } }),
  };
};
