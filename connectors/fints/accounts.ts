// The accounts of an end user (FinTS 3.0, Userparameterdaten, segment HIUPD), and what the service makes of them.
import {
  type AccountSubtype,
  type Balance,
  type BankAccount,
  cutText,
  lengthMax,
} from '@bank-connection/connector-kit';
import { type BankResponse, decodeSegment, elementsOf, segmentsOf } from './message.ts';

/** An account, as orders name it. */
export type FintsAccount = {
  number: string;
  subAccount?: string;
  bank: BankId;
  iban?: string;
  bic?: string;
  name: string;
  currency: string;
  /** FinTS's number of the kind, 1 to 99. */
  kind?: number;
  /** What may be ordered for the account; absent where the bank does not say. */
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

/** The bank says only of some orders whether an account has them. */
const usageUnknown = '1';

/** The accounts that a response names, in its order. One that is named twice, for two roles of the user, comes once. */
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
  return accounts.filter(
    (account, index) => accounts.findIndex((one) => accountIdOf(one) === accountIdOf(account)) === index,
  );
};

type HispaFields = {
  sepaAccounts?: { iban?: string; bic?: string; accountNumber: string; subAccountId?: string }[];
};

/** The accounts with the IBANs and BICs of a response (segment HISPA), which may name others as well. */
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

/** How an order names an account: by its number up to one version, and by its IBAN after it. */
export const toOrderAccount = ({ number, subAccount, bank, iban, bic }: FintsAccount) => ({
  ...{ accountNumber: number, subAccountId: subAccount, bank, iban, bic },
});

export const mayOrder = ({ orders }: FintsAccount, order: string): boolean =>
  orders === undefined || orders.includes(order);

export const accountIdOf = ({ number, subAccount }: FintsAccount): string =>
  subAccount === undefined ? number : `${number}/${subAccount}`;

/** FinTS 3.0, Userparameterdaten, "Kontoart": the first kind of each ten. */
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
