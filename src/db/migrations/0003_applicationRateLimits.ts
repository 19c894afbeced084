// Owners limit the requests of an application.
import type { Knex } from 'knex';

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable('applications', (table) => {
    // Requests per minute that its owners allow; null is as many as the operator allows.
    table.integer('requests_per_minute');
  });
};
