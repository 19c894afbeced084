// Users whose bank returns an incorrect history every other day: `forgetful` and `edits`.
import { type BankTransaction, fromDayNumber, toDayNumber } from '@bank-connection/connector-kit';
import { byDate } from './mutatingAccount.ts';
import { forgottenOnKey, type SandboxStorage } from './storage.ts';

const isOddDay = (day: number): boolean => day % 2 === 1;

/**
 * The first day that `forgetful`'s bank returns for an account. Every other day, at the first refresh, most of the history is
 * missing although the bank calls it complete.
 */
export const firstRememberedDay = async (
  storage: SandboxStorage,
  account: { device: string; id: string },
  { from, today }: { from: number; today: number },
): Promise<number> => {
  const key = forgottenOnKey(account.device, account.id);
  if (!isOddDay(today) || (await storage.get(key)) === String(today)) return from;
  await storage.put(key, String(today));
  return today - Math.floor((today - from) / 4);
};

const editedDays = 7;

/** User `edits`: every other day, last week's posted transactions have a different text and the next day's date. */
export const withEdits = (transactions: Iterable<BankTransaction>, today: number): BankTransaction[] =>
  [...transactions]
    .map((transaction) => {
      const day = toDayNumber(transaction.date);
      const isEdited = transaction.status === 'posted' && day < today && day >= today - editedDays;
      if (!isOddDay(today) || !isEdited) return transaction;
      return {
        ...transaction,
        date: fromDayNumber(day + 1),
        description: `${transaction.description} BOOKED`,
      };
    })
    .sort(byDate);
