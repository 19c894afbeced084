// Which linking session a connection came from: a session is found by its own id, wherever it lies, while its result
// waits to be delivered.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable('connections', (table) => {
    columns(knex, table).exact('session_id');
  });
  await knex.raw(
    `update connections set session_id =
     (select max(id) from linking_sessions where connection_id = connections.id and reconnect_id is null)
     where undelivered_until is not null`,
  );
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable('connections', (table) => table.dropColumn('session_id'));
};
