// End users with the public half of their key, their data keys, and the two small tables that answer questions
// asked before the user is known: whose is this id, and who is current for this external user id.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.createTable('end_users', (table) => {
    const column = columns(knex, table);
    column.exact('end_user_id').primary();
    column.exact('application_id').notNullable();
    column.text('external_user_id');
    column.bytes('public_key').notNullable();
    column.exact('created_at').notNullable();
    table.index(['application_id', 'external_user_id']);
  });
  await knex.schema.createTable('external_users', (table) => {
    const column = columns(knex, table);
    column.exact('application_id').notNullable();
    column.exact('external_user_id').notNullable();
    column.exact('end_user_id').notNullable();
    table.primary(['application_id', 'external_user_id']);
  });
  await knex.schema.createTable('owners', (table) => {
    const column = columns(knex, table);
    column.exact('id').primary();
    column.exact('application_id').notNullable();
    column.exact('end_user_id').notNullable();
  });
  await knex.schema.createTable('data_keys', (table) => {
    const column = columns(knex, table);
    column.exact('end_user_id').notNullable();
    column.exact('id').notNullable();
    column.exact('connection_id').notNullable();
    // Sealed to the user by the refresh that made it; wrapped under the token's secret by its first reader.
    column.bytes('sealed').notNullable();
    column.bytes('wrapped');
    column.exact('created_at').notNullable();
    table.primary(['end_user_id', 'id']);
    table.index(['end_user_id', 'connection_id']);
  });
};

export const down = async (knex: Knex): Promise<void> => {
  for (const table of ['data_keys', 'owners', 'external_users', 'end_users']) {
    await knex.schema.dropTable(table);
  }
};
