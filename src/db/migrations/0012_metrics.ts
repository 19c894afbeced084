// How the service is doing, counted by minute: requests by operation and by key, refreshes by institution. And when
// a key was last used.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.createTable('minute_counts', (table) => {
    const column = columns(knex, table);
    column.exact('application_id').notNullable();
    // operation, key or institution
    column.exact('kind').notNullable();
    column.exact('minute').notNullable();
    column.exact('subject').notNullable();
    column.integer('total').notNullable();
    // Client errors of requests; refusals of refreshes.
    column.integer('refused').notNullable();
    // Server errors of requests; refreshes for which the bank could not be asked.
    column.integer('failed').notNullable();
    table.bigInteger('sum_ms').notNullable();
    column.integer('max_ms').notNullable();
    table.primary(['application_id', 'kind', 'minute', 'subject']);
    table.index(['minute']);
  });
  await knex.schema.alterTable('api_keys', (table) => {
    const column = columns(knex, table);
    column.exact('last_used_at');
    column.exact('created_by');
  });
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable('api_keys', (table) => {
    table.dropColumn('last_used_at');
    table.dropColumn('created_by');
  });
  await knex.schema.dropTable('minute_counts');
};
