// Queries for the pauses that banks demand.
import type { Queries } from '../../platform/db/open.ts';
import type { BankPauseRow } from '../../platform/db/tables.ts';

export const findPauses = (db: Queries): Promise<BankPauseRow[]> => db('bank_pauses').select('*');

export const putPause = async (db: Queries, row: BankPauseRow): Promise<void> => {
  await db('bank_pauses').insert(row).onConflict('key').merge();
};
