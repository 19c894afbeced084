// Who did what in the dashboard. The log only grows: the database itself refuses to change or delete a line of it.
import type { Knex } from 'knex';
import { columns, isPostgres } from '../columns.ts';

export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.createTable('audit_events', (table) => {
    const column = columns(knex, table);
    column.exact('organization_id').notNullable();
    // Sorts as time does.
    column.exact('id').notNullable();
    column.exact('at').notNullable();
    column.exact('action').notNullable();
    column.exact('member_id');
    column.text('email');
    column.exact('subject');
    // A JSON object of texts.
    column.text('details').notNullable();
    column.text('address');
    table.primary(['organization_id', 'id']);
    table.index(['organization_id', 'member_id', 'id']);
    table.index(['organization_id', 'action', 'id']);
  });
  if (isPostgres(knex)) await guardPostgres(knex);
  else await guardSqlite(knex);
};

const guardSqlite = async (knex: Knex): Promise<void> => {
  for (const change of ['update', 'delete']) {
    await knex.raw(
      `create trigger audit_events_no_${change} before ${change} on audit_events
       begin select raise(abort, 'The audit log only grows.'); end`,
    );
  }
};

const guardPostgres = async (knex: Knex): Promise<void> => {
  await knex.raw(
    `create function audit_events_only_grow() returns trigger language plpgsql
     as $$ begin raise exception 'The audit log only grows.'; end $$`,
  );
  await knex.raw(
    `create trigger audit_events_only_grow before update or delete or truncate on audit_events
     for each statement execute function audit_events_only_grow()`,
  );
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.schema.dropTable('audit_events');
  if (isPostgres(knex)) await knex.raw('drop function audit_events_only_grow()');
};
