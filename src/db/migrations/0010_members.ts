// Who may open the dashboard: members with a role in each of their organizations, how they sign in, their sessions,
// the links that invite or reset, and how often somebody tried. Proofs are kept as hashes.
import type { Knex } from 'knex';
import { columns } from '../columns.ts';

export const up = async (knex: Knex): Promise<void> => {
  await people(knex);
  await waysIn(knex);
};

const people = async (knex: Knex): Promise<void> => {
  await knex.schema.createTable('members', (table) => {
    const column = columns(knex, table);
    column.exact('id').primary();
    // In lower case.
    column.exact('email').notNullable().unique();
    column.text('name').notNullable();
    column.exact('password_hash');
    // The subject at the OpenID provider, with its issuer before a line break.
    column.exact('openid_subject').unique();
    column.exact('created_at').notNullable();
  });
  await knex.schema.createTable('memberships', (table) => {
    const column = columns(knex, table);
    column.exact('organization_id').notNullable().references('organizations.id');
    column.exact('member_id').notNullable().references('members.id').index();
    column.exact('role').notNullable();
    column.exact('created_at').notNullable();
    table.primary(['organization_id', 'member_id']);
  });
  await knex.schema.createTable('member_sessions', (table) => {
    const column = columns(knex, table);
    column.exact('id').primary();
    column.exact('secret_hash').notNullable().unique();
    column.exact('member_id').notNullable().references('members.id').index();
    column.exact('method').notNullable();
    column.text('browser').notNullable();
    column.text('address').notNullable();
    column.exact('created_at').notNullable();
    column.exact('last_used_at').notNullable();
    column.exact('expires_at').notNullable().index();
  });
  await knex.schema.createTable('passkeys', (table) => {
    const column = columns(knex, table);
    column.exact('id').primary();
    column.exact('member_id').notNullable().references('members.id').index();
    column.exact('credential_id').notNullable().unique();
    column.bytes('public_key').notNullable();
    table.bigInteger('counter').notNullable();
    // A JSON list of how the browser can reach it.
    column.text('transports').notNullable();
    column.text('name').notNullable();
    column.exact('created_at').notNullable();
    column.exact('last_used_at');
  });
};

/** How somebody comes in: challenges, links, and how often it was tried. */
const waysIn = async (knex: Knex): Promise<void> => {
  // What a sign-in remembers between its two halves; taken once.
  await knex.schema.createTable('sign_in_challenges', (table) => {
    const column = columns(knex, table);
    column.exact('id').primary();
    // passkey, new_passkey or openid
    column.exact('kind').notNullable();
    column.exact('member_id');
    column.text('value').notNullable();
    column.exact('expires_at').notNullable().index();
  });
  await knex.schema.createTable('member_links', (table) => {
    const column = columns(knex, table);
    column.exact('id').primary();
    column.exact('token_hash').notNullable().unique();
    // invitation or reset
    column.exact('kind').notNullable();
    column.exact('organization_id');
    column.exact('email').notNullable();
    column.exact('role');
    column.exact('created_at').notNullable();
    column.exact('expires_at').notNullable().index();
    table.index(['organization_id', 'email']);
    table.index(['email']);
  });
  await knex.schema.createTable('sign_in_tries', (table) => {
    const column = columns(knex, table);
    column.exact('key').primary();
    column.integer('count').notNullable();
    column.exact('until').notNullable().index();
  });
};

const tables = [
  'sign_in_tries',
  'member_links',
  'sign_in_challenges',
  'passkeys',
  'member_sessions',
  'memberships',
  'members',
];

export const down = async (knex: Knex): Promise<void> => {
  for (const table of tables) await knex.schema.dropTable(table);
};
