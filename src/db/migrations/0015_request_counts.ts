// How many requests of whom the processes together have answered in a minute, where limits apply: written about
// once a second by whoever answers many, and forgotten after the minute. Whose they are is kept as a hash.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.createTable('request_counts', (table) => {
    const column = columns(knex, table);
    column.exact('key').notNullable();
    // Minutes since 1970.
    column.integer('minute').notNullable();
    column.integer('count').notNullable();
    table.primary(['key', 'minute']);
    table.index(['minute']);
  });
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.schema.dropTable('request_counts');
};
