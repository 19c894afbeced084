// The rows of an account's ledger that a bank delivers at a given time, with the fields that this bank sends.
import type { operations } from '../../../../generated/enableBanking.ts';
import type { FakeAccount, FakeTransaction } from './account.ts';
import { daySeconds } from './bank.ts';
import type { Schemas } from './contract.ts';

type Row = Schemas['Transaction'];
export type Asked = NonNullable<operations['getTransactions']['parameters']['query']>;

/** The number of deliveries per account, and the delivered rows, for as long as the test keeps them. */
const deliveries = new WeakMap<FakeAccount, number>();
const deliveredBefore = new WeakSet<FakeTransaction>();

const dayOf = ({ booking_date, value_date, transaction_date }: FakeTransaction): string =>
  booking_date ?? value_date ?? transaction_date ?? '';

/** The matching rows, newest first. Rows without a date always match. */
export const deliver = (account: FakeAccount, asked: Asked, now: Date): Row[] => {
  const delivery = (deliveries.get(account) ?? 0) + 1;
  deliveries.set(account, delivery);
  const positions = new Map<string, number>();
  const rows = knownAt(account, asked, now)
    .toReversed()
    .toSorted((left, right) => dayOf(right).localeCompare(dayOf(left)))
    .filter((source) => isAsked(source, asked));
  return rows.flatMap((source, index) => {
    const day = dayOf(source);
    const position = positions.get(day) ?? 0;
    positions.set(day, position + 1);
    const row = toRow(account, source, {
      entry_reference: referenceOf(account, source, { delivery, index, position }),
      // Neither unique nor stable, like the provider's.
      transaction_id: `${delivery}-${day}`,
    });
    deliveredBefore.add(source);
    const reference = row.entry_reference && `${row.entry_reference}-again`;
    const isTwice = account.sendsTwice && source.status === 'BOOK';
    return isTwice ? [row, { ...row, entry_reference: reference }] : [row];
  });
};

const knownAt = (
  { transactions, longestLagsDays = 0 }: FakeAccount,
  { strategy }: Asked,
  now: Date,
): FakeTransaction[] => {
  const lagDays = strategy === 'longest' ? longestLagsDays : 0;
  const at = new Date(now.getTime() - lagDays * daySeconds * 1000).toISOString();
  return transactions.filter(
    (row) => (row.deliveredFrom ?? dayOf(row)) <= at && at < (row.deliveredUntil ?? '9999'),
  );
};

const isAsked = (row: FakeTransaction, { date_from = '', date_to = '9999', transaction_status }: Asked) => {
  const day = dayOf(row);
  const isStatus = transaction_status === undefined || transaction_status === row.status;
  return isStatus && (day === '' || (day >= date_from && day <= date_to));
};

const referenceOf = (
  { references, referencePrefix = '' }: FakeAccount,
  source: FakeTransaction,
  at: { delivery: number; index: number; position: number },
): string | null => {
  const own = source.entry_reference ?? null;
  const made = {
    own,
    zero: '0',
    positional: `${dayOf(source)}.${at.position}`,
    missingAtFirst: deliveredBefore.has(source) ? own : null,
    newEachTime: `${at.delivery}-${at.index}`,
  }[references ?? 'own'];
  return made && referencePrefix + made;
};

const inAddress = <Party extends Row['creditor']>(party: Party) =>
  party && { name: '', postal_address: { address_line: [party.name ?? ''] } };

const toRow = (
  account: FakeAccount,
  { deliveredFrom: _from, deliveredUntil: _until, ...source }: FakeTransaction,
  ids: Pick<Row, 'entry_reference' | 'transaction_id'>,
): Row => {
  const { amount, currency } = source.transaction_amount;
  const isSigned = account.signsDebits && source.credit_debit_indicator === 'DBIT';
  const { creditor, debtor, remittance_information: lines } = source;
  const row: Row = {
    ...{ ...source, ...ids },
    ...(isSigned && { transaction_amount: { currency, amount: `-${amount}` } }),
    ...(account.namesInAddress && { creditor: inAddress(creditor), debtor: inAddress(debtor) }),
    ...(lines && { remittance_information: lines.map((line) => (account.remittancePrefix ?? '') + line) }),
  };
  for (const field of account.leavesOut ?? []) delete row[field];
  return row;
};
