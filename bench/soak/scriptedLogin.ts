// The scripted login: a sandbox file whose transactions change between two loads. Some are added, some are removed, and
// some get a different description.
import { writeFile } from 'node:fs/promises';
import type { SeededRandom } from './seededRandom.ts';

export const scriptedUsername = 'scripted-soak';

export type ScriptedLogin = {
  file: string;
  /** Writes the next version, as of a date. */
  change(date: string): Promise<void>;
};

type ScriptedRow = { transaction: string; date: string; amount: string; description: string };

export const makeScriptedLogin = (random: SeededRandom, file: string): ScriptedLogin => {
  const rows: ScriptedRow[] = [];
  let next = 0;
  const add = (date: string): void => {
    const cents = String(random.between(0, 99)).padStart(2, '0');
    const amount = `${random.pick(['-', ''])}${random.between(1, 900)}.${cents}`;
    rows.push({
      transaction: `S${next++}`,
      date,
      amount,
      description: `SCRIPTED ${random.between(1, 9)}`,
    });
  };
  return {
    file,
    change: async (date) => {
      for (let count = random.between(1, 5); count > 0; count--) add(date);
      // Only recent transactions change, because a refresh reads the last two weeks.
      if (rows.length > 10) rows.splice(rows.indexOf(random.pick(rows.slice(-5))), 1);
      random.pick(rows.slice(-4)).description = `REWORDED ${random.between(1, 9)}`;
      const header = 'login,account,date,transaction,amount,balance,description,reference,currency';
      const lines = rows.map(({ transaction, date, amount, description }) =>
        [scriptedUsername, 'A1', date, transaction, amount, '10.00', description, '', 'EUR'].join(','),
      );
      await writeFile(file, `${[header, ...lines].join('\n')}\n`);
    },
  };
};
