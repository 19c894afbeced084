// migrate: the database brought to this version's tables, as every start does by itself; and, where it is to be
// spread over several nodes, its tables declared distributed.
import { distributeTables } from '../db/citus.ts';
import { migrate as bringUpToDate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { defineCommand } from './command.ts';
import { pluralize } from './format.ts';
import { makeDataDirectory } from './withService.ts';

export const migrate = defineCommand({
  summary: 'bring the database to this version’s tables; every start does so by itself',
  options: (command) =>
    command.option('--distributed', 'then distribute the tables over the nodes of a PostgreSQL with Citus'),
  run: async ({ config }, { distributed = false }: { distributed?: boolean }) => {
    makeDataDirectory(config);
    const db = await openDatabase(config.databaseUrl);
    try {
      const migrations = await bringUpToDate(db);
      const tables = distributed ? await distributeTables(db) : undefined;
      const migrated = `${pluralize(migrations.length, 'migration')} done: ${migrations.join(', ')}.`;
      const spread = tables && `${pluralize(tables.length, 'table')} distributed: ${tables.join(', ')}.`;
      return {
        json: { migrations, ...(tables && { distributed: tables }) },
        text: [
          migrations.length === 0 ? 'The database is up to date.' : migrated,
          ...(spread ? [tables.length === 0 ? 'All tables are distributed already.' : spread] : []),
        ],
      };
    } finally {
      await db.close();
    }
  },
});
