// The accounts at the fake provider's banks, and how a bank may respond to requests for them.
import type { Schemas } from './contract.ts';

/** An account of one user. Each session gives it a new `uid`. */
export type FakeAccount = {
  /**
   * As in `/sessions`. The hash is computed from the IBAN alone, so accounts in several currencies under one IBAN share it;
   * without an IBAN, it is computed from `other`.
   */
  shown: Omit<Schemas['Account'], 'uid' | 'identification_hash' | 'identification_hashes'>;
  /** The primary hash is computed from `other` despite the IBAN; both are among `identification_hashes`. */
  hasOtherPrimaryHash?: true;
  /** Listed without a `uid`, so it cannot be read. */
  hasNoUid?: true;
  /** Every read of this account is refused; the other accounts of the session are unaffected. */
  refusedWith?: 401 | 404;
  /** Every read gets 429, without `Retry-After`. */
  isLimited?: true;
  /** Sent as they are: none, several types, or an available balance that includes the overdraft. */
  balances: Schemas['Balance'][];
  /** Every request for balances gets 400; requests for transactions succeed. */
  failsBalances?: true;
  /** Oldest first. They are delivered newest first. */
  transactions: FakeTransaction[];
} & PageOptions &
  HistoryOptions &
  RowOptions;

/**
 * A row of the ledger. A pending row that posts, or a posted row that returns with a different reference, text, code or amount,
 * is two rows: one ends when the other begins.
 */
export type FakeTransaction = Schemas['Transaction'] & {
  /** The bank delivers the row from this time on (ISO 8601); by default from the start of its day. */
  deliveredFrom?: string;
  /** The bank no longer delivers the row from this time on. */
  deliveredUntil?: string;
};

type PageOptions = {
  /** The number of transactions per page; by default 100. */
  pageSize?: number;
  /** The number of empty first pages, each with a key, while the bank prepares the history. */
  emptyPages?: number;
  /** The first page is repeated indefinitely, under the same key. */
  repeatsFirstPage?: true;
  /** Every page after the first gets 422 WRONG_REQUEST_PARAMETERS, although all parameters match the first request. */
  refusesNextPages?: true;
};

type HistoryOptions = {
  /** The number of days, including today, that are returned more than five minutes after the consent; by default 90. */
  historyDays?: number;
  /** The days are limited even in the first five minutes. */
  limitsFirstHistory?: true;
  /**
   * The response to an earlier `date_from`: 422 WRONG_TRANSACTIONS_PERIOD with the earliest day in `detail.date_from` (the
   * default), with a different `detail`, or with a string as `detail`; 422 with the bank's own object, which the contract does not
   * describe; or 400 ASPSP_ERROR, as for any other error.
   */
  refusesPeriod?: 'withDate' | 'withoutDate' | 'withText' | 'byOwnError' | 'asUnknownError';
  /** Requests with `transaction_status=PDNG` get 422 WRONG_REQUEST_PARAMETERS or 400 ASPSP_ERROR. */
  refusesPendingFilter?: 422 | 400;
  /** With `strategy=longest`, the account is returned as it was this many days ago. */
  longestLagsDays?: number;
};

type RowOptions = {
  /**
   * The form of `entry_reference`: always 0; the day and the position in it, such as 2026-11-24.0 for the newest; missing at the
   * first delivery, and the row's own later; or new at every delivery. By default, the row's own.
   */
  references?: 'zero' | 'positional' | 'missingAtFirst' | 'newEachTime';
  /** A prefix of every reference. A test renumbers the whole history by changing it. */
  referencePrefix?: string;
  /** Each posted row is sent twice: the copy has a different reference, but the same `balance_after_transaction`, if any. */
  sendsTwice?: true;
  /** Fields that the bank never sends, such as all dates or all except `transaction_date`. */
  leavesOut?: (keyof Schemas['Transaction'])[];
  /** Debit amounts are negative, in addition to the indicator. */
  signsDebits?: true;
  /** The name of a party is empty; the first line of its address contains it. */
  namesInAddress?: true;
  /** A prefix of each line of `remittance_information`, such as `mandatereference:`. */
  remittancePrefix?: string;
};

/** An account in EUR with this IBAN, and defaults for the rest. */
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

/** A debit of one euro, posted on this day (YYYY-MM-DD), and defaults for the rest. */
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
