// Converts the accounts in a session, with ids that stay the same in later sessions.
import { type BankAccount, cutText, lengthMax, toDecimal } from '@bank-connection/connector-kit';
import type { Schemas } from './schemas.ts';
import type { SessionAccount } from './state.ts';

type Resource = Schemas['Account'];

const types: Record<Resource['cash_account_type'], Pick<BankAccount, 'type' | 'subtype'>> = {
  CACC: { type: 'depository', subtype: 'checking' },
  CASH: { type: 'depository' },
  SVGS: { type: 'depository', subtype: 'savings' },
  CARD: { type: 'credit', subtype: 'credit_card' },
  LOAN: { type: 'loan' },
  OTHR: { type: 'other' },
};

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** The readable accounts: those with a `uid` and an ISO 4217 currency. Duplicates are dropped. */
export const toSessionAccounts = (resources: readonly Resource[], bankName: string): SessionAccount[] => {
  const readable = resources.filter(({ uid, currency }) => uid && currencies.has(currency));
  const byId = new Map<string, SessionAccount>();
  for (const resource of readable) {
    const id = `${identityOf(resource, readable)} ${resource.currency}`;
    if (!byId.has(id)) byId.set(id, toSessionAccount(resource, id, bankName));
  }
  return [...byId.values()];
};

/**
 * The hash that identifies an account in every session. Callers add the currency, because accounts in different currencies may
 * share an IBAN. The primary hash may change, so the alphabetically first one is used. Hashes that accounts in one currency
 * share are skipped, because a card may have the IBAN of its account.
 */
const identityOf = (
  { identification_hash, identification_hashes, currency }: Resource,
  all: readonly Resource[],
): string => {
  const inCurrency = all.filter((other) => other.currency === currency);
  const isOwn = (hash: string): boolean =>
    inCurrency.filter((other) => hashesOf(other).includes(hash)).length === 1;
  const own = hashesOf({ identification_hash, identification_hashes }).filter(isOwn).sort();
  return own[0] ?? identification_hash;
};

type Hashes = Pick<Resource, 'identification_hash' | 'identification_hashes'>;

const hashesOf = ({ identification_hash: primary, identification_hashes: all }: Hashes): string[] => [
  ...new Set([primary, ...all]),
];

/** The provider's `name` is the account holder's. */
const toSessionAccount = (resource: Resource, id: string, bankName: string): SessionAccount => {
  const { uid, account_id: numbers, details, product, currency, credit_limit: given } = resource;
  const limit = given?.currency === currency ? toDecimal(given.amount) : undefined;
  return {
    ...{ uid: uid!, id, ...types[resource.cash_account_type], currency },
    name: cutText(details?.trim() || product?.trim() || bankName, lengthMax.name),
    number: cutText(numbers?.iban || numbers?.other?.identification || '', lengthMax.number),
    ...(limit !== undefined && { limit }),
  };
};

/** Drops the fields that only the connector needs. The balance is a separate request. */
export const toBankAccount = ({ uid: _uid, limit: _limit, ...account }: SessionAccount): BankAccount =>
  account;
