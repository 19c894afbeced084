// migrate: the database brought to this version's tables, as every start does by itself.
import { migrate as bringUpToDate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { operatorCommand } from './command.ts';
import { count } from './lines.ts';
import { makeDataDirectory } from './withService.ts';

export const migrate = operatorCommand({
  summary: 'bring the database to this version’s tables; every start does so by itself',
  run: async ({ config }) => {
    makeDataDirectory(config);
    const db = await openDatabase(config.databaseUrl);
    try {
      const migrations = await bringUpToDate(db);
      const done = `${count(migrations.length, 'migration')} done: ${migrations.join(', ')}.`;
      return {
        json: { migrations },
        text: [migrations.length === 0 ? 'The database is up to date.' : done],
      };
    } finally {
      await db.close();
    }
  },
});
