// What the dashboard shows of connections: what happened to each, and the indexes that keep its lists quick with
// 100,000 of them. The external user id stands with the connection too, so that a list asks one table only.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

const byUser = ['application_id', 'external_user_id', 'id'];
const byAge = ['application_id', 'created_at', 'id'];
const byState = ['application_id', 'revoked_at', 'undelivered_until', 'attention', 'gone_at'];

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.createTable('connection_events', (table) => {
    const column = columns(knex, table);
    column.exact('end_user_id').notNullable();
    column.exact('connection_id').notNullable();
    // Sorts as real time does; `at` is the application's time.
    column.exact('id').notNullable();
    column.exact('at').notNullable();
    column.exact('kind').notNullable();
    column.exact('reason');
    column.exact('by');
    table.primary(['end_user_id', 'connection_id', 'id']);
  });
  await knex.schema.alterTable('connections', (table) => {
    columns(knex, table).exact('external_user_id');
    table.index(byUser, 'connections_by_user');
    table.index(byAge, 'connections_by_age');
    table.index(['application_id', 'institution_id', 'created_at', 'id'], 'connections_by_institution');
    table.index(['application_id', 'refreshed_at', 'id'], 'connections_by_refresh');
    // Enough to count all of them by state without looking at one.
    table.index(byState, 'connections_by_state');
  });
  await knex.raw(
    `update connections set external_user_id =
     (select external_user_id from end_users where end_users.end_user_id = connections.end_user_id)`,
  );
  for (const column of ['attention', 'revoked_at', 'undelivered_until']) {
    await knex.raw(
      `create index connections_with_${column} on connections (${byAge.join(', ')}) where ${column} is not null`,
    );
  }
};

export const down = async (knex: Knex): Promise<void> => {
  for (const column of ['attention', 'revoked_at', 'undelivered_until']) {
    await knex.raw(`drop index connections_with_${column}`);
  }
  await knex.schema.alterTable('connections', (table) => {
    for (const name of ['user', 'age', 'institution', 'refresh', 'state'])
      table.dropIndex([], `connections_by_${name}`);
    table.dropColumn('external_user_id');
  });
  await knex.schema.dropTable('connection_events');
};
