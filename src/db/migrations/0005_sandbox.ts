// What the sandbox bank knows beyond its rules: what it remembers, and the logins that an operator loaded. All
// of it is found by keyed fingerprint and sealed, so that a byte search of the database stays honest.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

export const up = async (knex: Knex): Promise<void> => {
  // A value is the one at position 0; a list counts from 1.
  await knex.schema.createTable('sandbox_memory', (table) => {
    const column = columns(knex, table);
    column.bytes('key_print').notNullable();
    column.integer('position').notNullable();
    column.bytes('sealed').notNullable();
    table.primary(['key_print', 'position']);
  });
  // One load of one file. Nobody sees its entries before it is finished.
  await knex.schema.createTable('sandbox_loads', (table) => {
    const column = columns(knex, table);
    table.increments('id');
    column.exact('started_at').notNullable();
    column.exact('finished_at');
  });
  // Which load a login's data come from.
  await knex.schema.createTable('sandbox_logins', (table) => {
    const column = columns(knex, table);
    column.bytes('login_print').primary();
    column.integer('load_id').notNullable();
  });
  // Position is the line of the file.
  await knex.schema.createTable('sandbox_entries', (table) => {
    const column = columns(knex, table);
    column.integer('load_id').notNullable();
    column.integer('position').notNullable();
    column.bytes('login_print').notNullable();
    column.bytes('account_print').notNullable();
    column.exact('date').notNullable();
    // Over account and the bank's own id; null where the file gives none.
    column.bytes('entry_print');
    column.bytes('sealed').notNullable();
    table.primary(['load_id', 'position']);
    table.index(['load_id', 'login_print', 'account_print', 'date', 'position'], 'sandbox_entries_by_date');
    table.unique(['load_id', 'entry_print'], { indexName: 'sandbox_entries_by_print' });
  });
};

export const down = async (knex: Knex): Promise<void> => {
  for (const table of ['sandbox_entries', 'sandbox_logins', 'sandbox_loads', 'sandbox_memory']) {
    await knex.schema.dropTable(table);
  }
};
