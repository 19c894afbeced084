// The accounts of the fake provider's banks: their content, and the ways in which a bank may respond for them.
import type { Schemas } from './contract.ts';

/** An account of one user. Its `uid` is a new one in each session. */
export type FakeAccount = {
  /**
   * As `/sessions` shows it. The hash is made of the IBAN alone, so that accounts in several currencies under one IBAN have the
   * same; of `other` where there is no IBAN.
   */
  shown: Omit<Schemas['Account'], 'uid' | 'identification_hash' | 'identification_hashes'>;
  /** The primary hash is made of `other` although there is an IBAN; both are among `identification_hashes`. */
  hasOtherPrimaryHash?: true;
  /** Listed without a `uid`, so that nothing of it can be read. */
  hasNoUid?: true;
  /** Every read of this account is refused, and none of the others in the session. */
  refusedWith?: 401 | 404;
  /** Every read gets 429, without `Retry-After`. */
  isLimited?: true;
  /** As they are sent: perhaps none, or several kinds, or an available balance that includes the overdraft. */
  balances: Schemas['Balance'][];
  /** Every request for balances gets 400; transactions come. */
  failsBalances?: true;
  /** From the oldest to the newest. They are delivered with the newest first. */
  transactions: FakeTransaction[];
} & PageOptions &
  HistoryOptions &
  RowOptions;

/**
 * A row of the ledger. A pending one that is posted, or a posted one that returns with another reference, text, code or amount, is
 * two rows: one ends when the other begins.
 */
export type FakeTransaction = Schemas['Transaction'] & {
  /** The first moment (ISO 8601) at which the bank delivers it; by default the start of its day. */
  deliveredFrom?: string;
  /** The moment from which on it does not. */
  deliveredUntil?: string;
};

type PageOptions = {
  /** Transactions of a page; by default 100. */
  pageSize?: number;
  /** The number of first pages without transactions, each with a key, while the bank prepares them. */
  emptyPages?: number;
  /** The first page comes again and again, under the same key. */
  repeatsFirstPage?: true;
  /** Each page after the first is refused by 422 WRONG_REQUEST_PARAMETERS, although all parameters are those of the first. */
  refusesNextPages?: true;
};

type HistoryOptions = {
  /** The number of days, including today, that are returned once five minutes have passed since the consent; by default 90. */
  historyDays?: number;
  /** The days are limited even in the first five minutes. */
  limitsFirstHistory?: true;
  /**
   * The answer to an earlier `date_from`: 422 WRONG_TRANSACTIONS_PERIOD with the earliest day in `detail.date_from` (the default),
   * with another `detail`, or with a text there; the bank's own object by 422, which the contract does not describe; or 400
   * ASPSP_ERROR, as for anything else.
   */
  refusesPeriod?: 'withDate' | 'withoutDate' | 'withText' | 'byOwnError' | 'asUnknownError';
  /** Requests with `transaction_status=PDNG` are refused: by 422 WRONG_REQUEST_PARAMETERS or 400 ASPSP_ERROR. */
  refusesPendingFilter?: 422 | 400;
  /** With `strategy=longest`, the account is as it was this many days ago. */
  longestLagsDays?: number;
};

type RowOptions = {
  /**
   * The form of `entry_reference`: always 0; from the day and the position in it, such as 2026-11-24.0 for the newest; missing when
   * a row is delivered for the first time, and then the row's own; or new at every delivery. By default the row's own.
   */
  references?: 'zero' | 'positional' | 'missingAtFirst' | 'newEachTime';
  /** Comes before every reference. Changed by a test, it renumbers the whole history. */
  referencePrefix?: string;
  /** Each posted row comes twice: under another reference, and with the same `balance_after_transaction` if it has one. */
  sendsTwice?: true;
  /** Fields that the bank never sends, such as all dates but `transaction_date`, or all of them. */
  leavesOut?: (keyof Schemas['Transaction'])[];
  /** Amounts of debits are negative, beside the indicator. */
  signsDebits?: true;
  /** The name of a party is empty; it is the first line of its address. */
  namesInAddress?: true;
  /** Comes before each line of `remittance_information`, such as `mandatereference:`. */
  remittancePrefix?: string;
};

/** An account of an IBAN in EUR, with defaults. */
export const fakeAccount = (
  iban: string,
  transactions: FakeTransaction[] = [],
  more: Partial<FakeAccount> = {},
): FakeAccount => ({
  shown: { account_id: { iban }, name: 'Ada Example', cash_account_type: 'CACC', currency: 'EUR' },
  balances: [{ name: 'Booked', balance_type: 'CLBD', balance_amount: { currency: 'EUR', amount: '100.00' } }],
  transactions,
  ...more,
});

/** A debit of one euro that is posted on a day (YYYY-MM-DD), with defaults. */
export const fakeTransaction = (
  reference: string,
  day: string,
  more: Partial<FakeTransaction> = {},
): FakeTransaction => ({
  ...{ entry_reference: reference, booking_date: day, status: 'BOOK', credit_debit_indicator: 'DBIT' },
  ...{ transaction_amount: { currency: 'EUR', amount: '1.00' }, creditor: { name: 'Corner Pantry' } },
  remittance_information: [reference],
  ...more,
});
