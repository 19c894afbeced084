// A thousand readings of a bank that renumbers, repeats, delays and drops rows, through the connector and the merge of the service.
import type { BankTransaction } from '@bank-connection/connector-kit';
import { expect, test } from 'vitest';
import {
  type FakeTransaction,
  fakeAccount,
} from '../../../connectors/enable-banking/test/fakeProvider/account.ts';
import { historyOf, iban, read, startLinked } from '../../../connectors/enable-banking/test/fixture.ts';
import {
  type SeededReading,
  seededReadings,
} from '../../../connectors/enable-banking/test/seededReadings.ts';
import { statusPosted, statusVoid, transactionStatuses } from '../../../src/domain/codec/transaction.ts';
import {
  amountFingerprint,
  bankIdFingerprint,
  contentFingerprint,
} from '../../../src/flows/merge/fingerprints.ts';
import { planMerge } from '../../../src/flows/merge/planMerge.ts';
import { type ComparedRow, indexRows, Rows } from '../../../src/flows/merge/rows.ts';
import { toDayNumber, toMinutes } from '../../../src/platform/values/clock.ts';

type Stored = { transaction: BankTransaction; row: ComparedRow; missingSince: number };

const target = { accountId: 'acc_1', currency: 'EUR', fingerprintKey: Buffer.alloc(32) };
const toStored = (transaction: BankTransaction): Stored => ({
  ...{ transaction, missingSince: 0 },
  row: {
    date: toDayNumber(transaction.date),
    status: transactionStatuses.indexOf(transaction.status),
    fingerprint: contentFingerprint(transaction, target),
    bankIdFingerprint: bankIdFingerprint(transaction, target),
    amountFingerprint: amountFingerprint(transaction, target),
  },
});

const windowDays = 14;

/** Stores a reading as the service does, comparing it with the stored transactions of its days and the two weeks before. */
const store = async (all: Stored[], sent: readonly Stored[], since: string, at: Date): Promise<void> => {
  const [from, now] = [toDayNumber(since), toMinutes(at)];
  const stored = all.filter(({ row }) => row.date >= from - windowDays);
  const rows = { incoming: new Rows('incoming'), stored: new Rows('stored') };
  for (const { row } of sent) rows.incoming.add(row);
  for (const [seq, { row, missingSince }] of stored.entries()) rows.stored.add({ ...row, seq, missingSince });
  const to = toDayNumber(at.toISOString().slice(0, 10));
  const plan = await planMerge({
    ...{ ...rows, findStored: await indexRows(rows.stored, 'fingerprint') },
    ...{ unchanged: new Uint8Array(stored.length), windowFrom: from - windowDays, windowDays },
    ...{ complete: { from, to, pendingTo: to }, now },
  });
  for (const row of plan.found) stored[row]!.missingSince = 0;
  for (const row of plan.missing) stored[row]!.missingSince = now;
  for (const row of plan.voided) stored[row]!.row.status = statusVoid;
  for (const row of [...plan.changed, ...plan.renumbered])
    Object.assign(stored[row]!, sent[plan.incomingOf[row]!]);
  for (const row of plan.added) all.push(sent[row]!);
};

/** The day, the amount and the last word of the text, of a row or a transaction. */
const toPayment = (date: string, amount: string, text: string): string =>
  `${date} ${amount} ${text.split(' ').at(-1)}`;
const paymentOf = ({ booking_date, transaction_amount, remittance_information, ...row }: FakeTransaction) => {
  const sign = row.credit_debit_indicator === 'DBIT' ? '-' : '';
  return toPayment(booking_date!, `${sign}${transaction_amount.amount}`, remittance_information![0]!);
};

const countEqual = (payments: readonly string[]): Map<string, number> =>
  new Map([...Map.groupBy(payments, (one) => one)].map(([one, { length }]) => [one, length]));

/** The number of copies of each posted payment that a reading from this day on lacks. Copies have the same balance after them. */
const lackOf = ({ transactions, posted }: SeededReading, since: string): Map<string, number> => {
  const sent = transactions.filter(({ status }) => status === 'BOOK');
  const bookings = sent.map((row) => `${paymentOf(row)} / ${row.balance_after_transaction!.amount}`);
  const delivered = countEqual([...new Set(bookings)].map((booking) => booking.split(' / ')[0]!));
  const all = countEqual(posted.filter(({ booking_date }) => booking_date! >= since).map(paymentOf));
  return new Map([...all].map(([payment, count]) => [payment, count - (delivered.get(payment) ?? 0)]));
};

/** The payments that are not stored as often as they were posted. Fewer copies are right if two readings lack a payment. */
const findWrong = (
  stored: readonly Stored[],
  { posted }: SeededReading,
  [lack, lackBefore]: readonly [Map<string, number>, Map<string, number>],
): string[] => {
  const kept = stored.filter(({ row }) => row.status === statusPosted);
  const have = countEqual(
    kept.map(({ transaction: { date, amount, description } }) => toPayment(date, amount, description)),
  );
  const want = countEqual(posted.map(paymentOf));
  return [...new Set([...have.keys(), ...want.keys()])].filter((payment) => {
    const [found = 0, expected = 0] = [have.get(payment), want.get(payment)];
    const mayBeVoid = Math.min(lack.get(payment) ?? 0, lackBefore.get(payment) ?? 0);
    return found > expected || found < expected - mayBeVoid;
  });
};

const days = 86_400_000;

test('a thousand readings repeat no id, and each posted payment is stored once, even while one reading lacks it', async () => {
  const account = fakeAccount(iban, [], { limitsFirstHistory: true });
  const aspsp = { name: 'First Bank', country: 'DE', maximum_consent_validity: 10 * 366 * 86_400 };
  const service = await startLinked([account], { aspsp });
  const stored: Stored[] = [];
  const problems: string[] = [];
  let lackBefore = new Map<string, number>();
  for (const reading of seededReadings(7, 1000)) {
    const { at, transactions } = reading;
    account.transactions = transactions;
    service.clock.now = at.getTime();
    const since = new Date(at.getTime() - 89 * days).toISOString().slice(0, 10);
    const history = await historyOf(await read(service, { since }));
    const ids = history.transactions.flatMap(({ id }) => id ?? []);
    if (new Set(ids).size !== ids.length) problems.push(`${since}: an id twice`);
    await store(stored, history.transactions.map(toStored), since, at);
    const lack = lackOf(reading, since);
    for (const payment of findWrong(stored, reading, [lack, lackBefore]))
      problems.push(`${since}: ${payment}`);
    lackBefore = lack;
  }
  expect(stored.length).toBeGreaterThan(1000);
  expect(problems).toEqual([]);
}, 120_000);
