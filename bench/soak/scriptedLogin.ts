// The scripted login: a file of entries that changes between two loads, as an operator's would. Some entries come,
// some go, and some get other words.
import { writeFile } from 'node:fs/promises';
import type { SeededRandom } from './seededRandom.ts';

export const scriptedLogin = 'scripted-soak';

type ScriptedRow = { transaction: string; date: string; amount: string; description: string };

export const makeScript = (dice: SeededRandom, file: string) => {
  const entries: ScriptedRow[] = [];
  let next = 0;
  const add = (date: string): void => {
    const amount = `${dice.pick(['-', ''])}${dice.between(1, 900)}.${String(dice.between(0, 99)).padStart(2, '0')}`;
    entries.push({ transaction: `S${next++}`, date, amount, description: `SCRIPTED ${dice.between(1, 9)}` });
  };
  return {
    /** Writes the next version, as of a date. */
    write: async (date: string): Promise<void> => {
      for (let times = dice.between(1, 5); times > 0; times--) add(date);
      // Only what is recent changes: a refresh looks back two weeks.
      const recent = entries.slice(-5);
      if (entries.length > 10) entries.splice(entries.indexOf(dice.pick(recent)), 1);
      dice.pick(entries.slice(-4)).description = `REWORDED ${dice.between(1, 9)}`;
      const head = 'login,account,date,transaction,amount,balance,description,reference,currency';
      const rows = entries.map(({ transaction, date, amount, description }) =>
        [scriptedLogin, 'A1', date, transaction, amount, '10.00', description, '', 'EUR'].join(','),
      );
      await writeFile(file, `${[head, ...rows].join('\n')}\n`);
    },
  };
};
