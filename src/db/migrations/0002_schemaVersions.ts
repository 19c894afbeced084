// The database says which versions of the service can run on it, and processes say which one they are. It replaces the hash by
// which a database of another edition of the first migration was recognized.
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { OperatorError } from '../../errors.ts';
import { schemaStatements } from './0001_schema.ts';

export const up = async (knex: Knex): Promise<void> => {
  await refuseOtherEdition(knex);
  await knex.schema.dropTableIfExists('schema_hash');
  await knex.schema.createTable('schema_compatibility', (table) => {
    // The number of the oldest version of the schema whose processes can still run. One row.
    table.integer('oldest_version').notNullable();
  });
  await knex('schema_compatibility').insert({ oldestVersion: 1 });
  await knex.schema.alterTable('processes', (table) => {
    // The version of the schema that the process was made for; null is 1.
    table.integer('schema_version');
  });
};

const refuseOtherEdition = async (knex: Knex): Promise<void> => {
  if (!(await knex.schema.hasTable('schema_hash'))) return;
  const row = await knex('schema_hash').first('hash');
  const expected = createHash('sha256').update(schemaStatements(knex).join(';\n')).digest('hex').slice(0, 16);
  if (row?.hash === expected) return;
  throw new OperatorError(
    'This database was made before the first release, by another version of the service: use a new database.',
  );
};
