// What an application may choose for its widget: native use, and that external user ids are signed.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

const added = ['native_allowed_at', 'identity_required_at', 'identity_secret_at'];

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable('applications', (table) => {
    const column = columns(knex, table);
    for (const name of added) column.exact(name);
  });
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable('applications', (table) => {
    for (const name of added) table.dropColumn(name);
  });
};
