// What deleting needs: a mark that a connection is gone for every process, whatever its clock says, and indexes
// by which the few connections and sessions that are over are found among the many that are not.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

const indexes = {
  connections_gone: 'gone_at',
  connections_revoked: 'revoked_at',
  connections_undelivered: 'undelivered_until',
};

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable('connections', (table) => {
    columns(knex, table).exact('gone_at');
  });
  for (const [index, column] of Object.entries(indexes)) {
    await knex.raw(`create index ${index} on connections (${column}) where ${column} is not null`);
  }
  await knex.schema.alterTable('linking_sessions', (table) => {
    table.index(['connection_id'], 'sessions_of_connection');
  });
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable('linking_sessions', (table) => {
    table.dropIndex(['connection_id'], 'sessions_of_connection');
  });
  for (const index of Object.keys(indexes)) {
    await knex.raw(`drop index ${index}`);
  }
  await knex.schema.alterTable('connections', (table) => table.dropColumn('gone_at'));
};
