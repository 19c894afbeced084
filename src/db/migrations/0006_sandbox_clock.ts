// How far the sandbox's clock is ahead of real time: at most one row, read by every process.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.createTable('sandbox_clock', (table) => {
    const column = columns(knex, table);
    column.integer('id').primary();
    column.integer('offset_seconds').notNullable();
    column.exact('moved_at').notNullable();
  });
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.schema.dropTable('sandbox_clock');
};
