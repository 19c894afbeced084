// What is read: connections, accounts, transactions. Every row carries the end user's id first in its key, so
// that the tables can be distributed by it. Prints are keyed fingerprints; `sealed` columns open for a Reader only.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.createTable('connections', (table) => {
    const column = columns(knex, table);
    column.exact('end_user_id').notNullable();
    column.exact('id').notNullable();
    column.exact('application_id').notNullable();
    column.exact('institution_id').notNullable();
    column.text('institution_name').notNullable();
    column.exact('created_at').notNullable();
    column.exact('revoked_at');
    // Until the page has acknowledged the result: when the connection is given up.
    column.exact('undelivered_until');
    // Why refreshing has stopped until the user reconnects; null while all is well.
    column.exact('attention');
    // Sealed to the refresh worker; null once they are forgotten.
    column.bytes('credentials');
    column.exact('refreshed_at');
    column.exact('refreshed_fully_at');
    table.primary(['end_user_id', 'id']);
  });
  await knex.schema.createTable('accounts', (table) => {
    const column = columns(knex, table);
    column.exact('end_user_id').notNullable();
    column.exact('id').notNullable();
    column.exact('connection_id').notNullable();
    column.integer('position').notNullable();
    column.bytes('bank_id_print').notNullable();
    column.bytes('number_print').notNullable();
    column.bytes('details_sealed').notNullable();
    column.exact('details_key').notNullable();
    column.bytes('details_print').notNullable();
    column.bytes('balance_sealed').notNullable();
    column.exact('balance_key').notNullable();
    column.bytes('balance_print').notNullable();
    column.exact('last_refresh').notNullable();
    // The `seq` that the next entry gets: entries keep the order in which they came.
    column.integer('next_seq').notNullable();
    // When the bank last showed this account.
    column.exact('seen_at').notNullable();
    table.primary(['end_user_id', 'id']);
    table.index(['end_user_id', 'connection_id', 'position']);
  });
  await knex.schema.createTable('transactions', (table) => {
    const column = columns(knex, table);
    column.exact('end_user_id').notNullable();
    column.exact('account_id').notNullable();
    column.exact('id').notNullable();
    column.exact('date').notNullable();
    column.integer('seq').notNullable();
    column.exact('refresh').notNullable();
    column.exact('status').notNullable();
    column.bytes('sealed').notNullable();
    column.exact('data_key').notNullable();
    column.bytes('entry_print').notNullable();
    column.bytes('bank_id_print');
    // Over amount and currency, while the entry is pending.
    column.bytes('pending_print');
    table.primary(['end_user_id', 'account_id', 'id']);
    // One order in which pages are read, and the bank's id by which a refresh finds an entry again.
    table.index(['end_user_id', 'account_id', 'date', 'seq'], 'transactions_by_date');
    table.index(['end_user_id', 'account_id', 'bank_id_print'], 'transactions_by_bank_id');
  });
  // Knex cannot say DESC for a single column; read oldest refresh first, newest date first within it.
  await knex.raw(
    `create index transactions_by_refresh on transactions (end_user_id, account_id, refresh, date desc, seq desc)`,
  );
};

export const down = async (knex: Knex): Promise<void> => {
  for (const table of ['transactions', 'accounts', 'connections']) await knex.schema.dropTable(table);
};
