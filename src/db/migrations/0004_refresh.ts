// What is under way: due work with its leases, entries staged by a refresh, and linking sessions. A session is
// found by its own id, before any user exists; what it remembers is sealed to the page that holds its secret.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

export const up = async (knex: Knex): Promise<void> => {
  await createDueWork(knex);
  await createStagedEntries(knex);
  await createLinkingSessions(knex);
};

const createDueWork = async (knex: Knex): Promise<void> => {
  await knex.schema.createTable('due_work', (table) => {
    const column = columns(knex, table);
    column.exact('connection_id').primary();
    column.exact('end_user_id').notNullable();
    column.exact('application_id').notNullable();
    // Whose clock `due_at` follows; leases always keep real time.
    column.exact('environment').notNullable();
    column.exact('institution_id').notNullable();
    // import, reconnect or refresh; the first two belong to a linking session.
    column.exact('kind').notNullable();
    column.exact('session_id');
    column.exact('due_at').notNullable();
    column.integer('attempts').notNullable();
    column.exact('lease');
    column.exact('leased_until');
    table.index(['environment', 'kind', 'due_at']);
  });
};

const createStagedEntries = async (knex: Knex): Promise<void> => {
  await knex.schema.createTable('staged_entries', (table) => {
    const column = columns(knex, table);
    column.exact('end_user_id').notNullable();
    column.exact('refresh_id').notNullable();
    column.exact('account_id').notNullable();
    column.integer('n').notNullable();
    // How the merge decided: changed, renumbered or unchanged; null is new. A held entry that the bank no
    // longer shows stands here too, as missing, with an `n` below zero.
    column.exact('verdict');
    // The new transaction's id, or the one of the entry that this is.
    column.exact('transaction_id').notNullable();
    column.exact('date').notNullable();
    column.exact('status').notNullable();
    column.bytes('sealed').notNullable();
    column.bytes('entry_print').notNullable();
    column.bytes('bank_id_print');
    // Over amount and currency; kept with the transaction only while that is pending.
    column.bytes('amount_print').notNullable();
    column.exact('created_at').notNullable();
    table.primary(['end_user_id', 'refresh_id', 'account_id', 'n']);
    table.index(['end_user_id', 'refresh_id', 'account_id', 'date', 'n'], 'staged_by_date');
    table.index(['end_user_id', 'refresh_id', 'transaction_id'], 'staged_by_transaction');
    table.index(['created_at']);
  });
};

const createLinkingSessions = async (knex: Knex): Promise<void> => {
  await knex.schema.createTable('linking_sessions', (table) => {
    const column = columns(knex, table);
    column.exact('id').primary();
    column.exact('application_id').notNullable();
    column.exact('secret_hash').notNullable();
    column.bytes('public_key').notNullable();
    column.exact('origin').notNullable();
    column.text('external_user_id');
    column.exact('reconnect_id');
    column.exact('state').notNullable();
    column.integer('version').notNullable();
    // While a step is under way: until when others must wait for it.
    column.exact('busy_until');
    // What the steps so far have left: opens with the session's secret only.
    column.bytes('memory_sealed');
    // What the worker needs for the import: opens with the worker's key only.
    column.bytes('order_sealed');
    column.exact('connection_id');
    column.exact('end_user_id');
    // How far the import is, as JSON of counts; and why the session failed.
    column.text('progress');
    column.exact('failure');
    // What onSuccess gets: opens with the session's secret only.
    column.bytes('result_sealed');
    column.exact('delivered_at');
    column.exact('created_at').notNullable();
    column.exact('expires_at').notNullable();
    table.index(['expires_at']);
  });
};

export const down = async (knex: Knex): Promise<void> => {
  for (const table of ['linking_sessions', 'staged_entries', 'due_work']) await knex.schema.dropTable(table);
};
