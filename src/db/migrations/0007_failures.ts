// Why the last try of due work failed, as a code, so that the operator sees what is failing and not only that
// something is late. Both are null again once a try has succeeded.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable('due_work', (table) => {
    const column = columns(knex, table);
    column.exact('last_failure');
    column.exact('last_failed_at');
  });
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable('due_work', (table) => table.dropColumns('last_failure', 'last_failed_at'));
};
