// Who uses the service: organizations, their applications and API keys; and which secrets this database knows.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.createTable('service_secrets', (table) => {
    const column = columns(knex, table);
    column.exact('name').primary();
    column.exact('key_id').notNullable();
    column.exact('created_at').notNullable();
  });
  await knex.schema.createTable('organizations', (table) => {
    const column = columns(knex, table);
    column.exact('id').primary();
    column.text('name').notNullable();
    column.exact('created_at').notNullable();
  });
  await knex.schema.createTable('applications', (table) => {
    const column = columns(knex, table);
    column.exact('id').primary();
    column.exact('organization_id').notNullable().references('organizations.id').index();
    column.text('name').notNullable();
    column.exact('environment').notNullable();
    // A JSON list of the origins that may open the widget.
    column.text('origins').notNullable();
    column.exact('created_at').notNullable();
  });
  await knex.schema.createTable('api_keys', (table) => {
    const column = columns(knex, table);
    column.exact('id').primary();
    column.exact('application_id').notNullable().references('applications.id').index();
    column.text('name').notNullable();
    column.exact('created_at').notNullable();
    column.exact('expires_at');
    column.exact('revoked_at');
  });
};

export const down = async (knex: Knex): Promise<void> => {
  for (const table of ['api_keys', 'applications', 'organizations', 'service_secrets']) {
    await knex.schema.dropTable(table);
  }
};
