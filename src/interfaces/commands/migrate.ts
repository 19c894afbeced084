// Migrates the database, as every start does, and optionally distributes its tables with Citus.
import { distributeTables } from '../../platform/db/citus.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { withDatabase } from '../../platform/db/open.ts';
import { defineCommand, pluralize } from './command.ts';
import { makeDataDirectory } from './service.ts';

export const migrateCommand = defineCommand({
  summary: 'migrate the database to the schema of this version; also runs on every start',
  options: (command) =>
    command.option('--distributed', 'also distribute the tables across the nodes of a Citus cluster'),
  run: async ({ config }, { distributed = false }: { distributed?: boolean }) => {
    makeDataDirectory(config);
    return withDatabase(config.databaseUrl, async (db) => {
      const { migrations, ...schema } = await migrate(db, config);
      const tables = distributed ? await distributeTables(db) : undefined;
      return {
        json: { migrations, ...schema, ...(tables && { distributed: tables }) },
        text: [
          migrations.length === 0
            ? 'The database is up to date.'
            : `Applied ${pluralize(migrations.length, 'migration')}: ${migrations.join(', ')}.`,
          `The schema version is ${schema.schemaVersion}. Processes with schema version ${schema.oldestCompatible} or later can use it.`,
          ...(tables?.length === 0 ? ['All tables are already distributed.'] : []),
          ...(tables?.length
            ? [`${pluralize(tables.length, 'table')} distributed: ${tables.join(', ')}.`]
            : []),
        ],
      };
    });
  },
});
