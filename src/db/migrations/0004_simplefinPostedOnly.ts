// A SimpleFIN access can leave out pending transactions.
import type { Knex } from 'knex';

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable('simplefin_accesses', (table) => {
    // 1 if it never returns pending transactions.
    table.smallint('posted_only').notNullable().defaultTo(0);
  });
};
