// All tables. Until 0.1.0 each change of the schema edits this file, which changes the hash in the migration's name.
import type { Knex } from 'knex';
import { isPostgres } from '../clients.ts';
import { columns } from '../columns.ts';

type Column = ReturnType<typeof columns>;

/** The statements that make all tables, indexes and triggers, for the dialect of `knex`. */
export const schemaStatements = (knex: Knex): string[] => {
  const createTable = (name: string, define: (column: Column, table: Knex.CreateTableBuilder) => void) =>
    toStatements(knex.schema.createTable(name, (table) => define(columns(knex, table), table)));
  return [
    ...compatibilityTable(createTable),
    ...secretTables(createTable),
    ...applicationTables(createTable),
    ...endUserTables(createTable),
    ...readTables(createTable, isPostgres(knex) ? (statements) => statements : withoutRowId),
    ...workTables(createTable),
    ...webhookTables(createTable),
    ...memberTables(createTable),
    ...auditTables(createTable),
    ...consentTextTables(createTable),
    ...(isPostgres(knex) ? appendOnlyOnPostgres : appendOnlyOnSqlite),
    ...metricTables(createTable),
    ...sandboxTables(createTable),
    ...indexesOfConnections,
    indexOfRefreshTimes,
    indexOfSandboxRefreshes,
    indexOfDueDeliveries,
    indexOfUnclaimedAccesses,
    ...indexesOfLinkSessions,
  ];
};

export const up = async (knex: Knex): Promise<void> => {
  for (const statement of schemaStatements(knex)) await knex.raw(statement);
};

type CreateTable = (
  name: string,
  define: (column: Column, table: Knex.CreateTableBuilder) => void,
) => string[];

const toStatements = (builder: Knex.SchemaBuilder): string[] =>
  (builder.toSQL() as unknown as { sql: string }[]).map(({ sql }) => sql);

// SQLite then keeps the rows in the order of the primary key, instead of the rows and an index.
const withoutRowId = ([create, ...rest]: string[]): string[] => [`${create} without rowid`, ...rest];

/** Which versions of the service can run on the database. */
const compatibilityTable = (createTable: CreateTable): string[] => [
  ...createTable('schema_compatibility', (column) => {
    // The number of the oldest version of the schema whose processes can still run. One row.
    column.integer('oldest_version').notNullable();
  }),
  'insert into schema_compatibility values (1)',
];

/** The versions of the service's secrets, and the running processes with the versions that they have. */
const secretTables = (createTable: CreateTable): string[] => [
  ...createTable('service_secrets', (column, table) => {
    column.binaryText('name').notNullable();
    // Counts the versions of a secret, from 1.
    column.integer('ordinal').notNullable();
    column.binaryText('key_id').notNullable();
    // Of the public half, if the secret is the private half of a pair.
    column.binaryText('public_key_id');
    // announced, current, replaced or retiring
    column.binaryText('state').notNullable();
    column.binaryText('created_at').notNullable();
    // Since when it has its state.
    column.binaryText('changed_at').notNullable();
    table.primary(['name', 'ordinal']);
  }),
  ...createTable('processes', (column) => {
    column.binaryText('id').primary();
    // serve, serve --no-worker, worker or command
    column.binaryText('kind').notNullable();
    column.text('host').notNullable();
    column.binaryText('started_at').notNullable();
    column.binaryText('seen_at').notNullable();
    // JSON lists of ids in service_secrets: all that it can open and verify with, and those that it makes things with.
    column.text('loaded_key_ids').notNullable();
    column.text('used_key_ids').notNullable();
    // The version of the schema that the process was made for.
    column.integer('schema_version').notNullable();
  }),
];

/** Organizations, their applications and API keys. */
const applicationTables = (createTable: CreateTable): string[] => [
  ...createTable('organizations', (column) => {
    column.binaryText('id').primary();
    column.text('name').notNullable();
    column.binaryText('created_at').notNullable();
    // The company that end users see in the consent, and the addresses of its policies.
    column.text('company_name');
    column.text('company_privacy_url');
    column.text('company_terms_url');
    // Since when its members need a passkey.
    column.binaryText('passkeys_required_at');
  }),
  ...createTable('applications', (column) => {
    column.binaryText('id').primary();
    column
      .binaryText('organization_id')
      .notNullable()
      .references('organizations.id')
      .withKeyName('applications_organization_id_fkey')
      .index();
    column.text('name').notNullable();
    column.binaryText('environment').notNullable();
    // A JSON list of the origins that may open the widget.
    column.text('origins').notNullable();
    // A JSON list of the addresses at which its native apps get users back from banks' own pages.
    column.text('return_addresses').notNullable();
    column.binaryText('created_at').notNullable();
    // Since when React Native apps may open the widget, and external user ids must be signed.
    column.binaryText('native_allowed_at');
    column.binaryText('identity_required_at');
    // When its identity secret was created, and the version of the service's secret that it derives from.
    column.binaryText('identity_secret_at');
    column.binaryText('identity_service_secret_id');
    // The hash of its logo, by which the logo is found.
    column.binaryText('logo_hash').index();
    // The colour of its buttons in the widget, #rrggbb.
    column.binaryText('color');
    // Since when it is archived.
    column.binaryText('archived_at');
    // When its first link session was opened: link sessions are deleted after some weeks.
    column.binaryText('first_link_session_at');
    // Requests per minute that its owners allow; null is as many as the operator allows.
    column.integer('requests_per_minute');
  }),
  ...createTable('application_logos', (column) => {
    column
      .binaryText('application_id')
      .primary()
      .references('applications.id')
      .withKeyName('application_logos_application_id_fkey');
    column.bytes('bytes').notNullable();
  }),
  ...createTable('api_keys', (column) => {
    column.binaryText('id').primary();
    column
      .binaryText('application_id')
      .notNullable()
      .references('applications.id')
      .withKeyName('api_keys_application_id_fkey')
      .index();
    column.text('name').notNullable();
    column.binaryText('created_at').notNullable();
    // The version of the service's secret that signs it.
    column.binaryText('signing_secret_id').notNullable();
    // The email of the member who created it.
    column.binaryText('created_by');
    column.binaryText('expires_at');
    column.binaryText('revoked_at');
    // To the minute.
    column.binaryText('last_used_at');
  }),
  // The key of the demo page: at most one row.
  ...createTable('demo_api_key', (column) => {
    column.binaryText('id').primary().references('api_keys.id').withKeyName('demo_api_key_id_fkey');
  }),
];

/**
 * End users with their public key, and their data keys. Two small tables are read before the user is known: which
 * user owns a connection or account id, and which user is current for an external user id.
 */
const endUserTables = (createTable: CreateTable): string[] => [
  ...createTable('end_users', (column, table) => {
    column.binaryText('end_user_id').primary();
    column.binaryText('application_id').notNullable();
    column.text('external_user_id');
    column.bytes('public_key').notNullable();
    // The worker's, over the user, its application and external user id, and the public key.
    column.bytes('signature').notNullable();
    column.binaryText('created_at').notNullable();
    table.index(['application_id', 'external_user_id']);
  }),
  ...createTable('external_users', (column, table) => {
    column.binaryText('application_id').notNullable();
    column.binaryText('external_user_id').notNullable();
    column.binaryText('end_user_id').notNullable();
    table.primary(['application_id', 'external_user_id']);
  }),
  ...createTable('resource_owners', (column) => {
    column.binaryText('id').primary();
    column.binaryText('application_id').notNullable();
    column.binaryText('end_user_id').notNullable();
  }),
  ...createTable('data_keys', (column, table) => {
    column.binaryText('end_user_id').notNullable();
    column.binaryText('id').notNullable();
    column.binaryText('connection_id').notNullable();
    // Sealed to the user by the refresh that made it; wrapped under the token's secret by its first reader.
    column.bytes('sealed').notNullable();
    column.bytes('wrapped');
    column.binaryText('created_at').notNullable();
    table.primary(['end_user_id', 'id']);
    table.index(['end_user_id', 'connection_id']);
  }),
];

/**
 * Connections, their events, accounts and transactions. Each key begins with the end user's id, so that Citus can
 * distribute the tables by it. `sealed` columns open for a Reader only; fingerprints are keyed.
 */
const readTables = (
  createTable: CreateTable,
  clusteredByKey: (statements: string[]) => string[],
): string[] => [
  ...createTable('connections', (column, table) => {
    column.binaryText('end_user_id').notNullable();
    column.binaryText('id').notNullable();
    column.binaryText('application_id').notNullable();
    // Also in end_users; repeated here so that lists read one table only.
    column.binaryText('external_user_id');
    column.binaryText('institution_id').notNullable();
    column.text('institution_name').notNullable();
    column.binaryText('created_at').notNullable();
    column.binaryText('revoked_at');
    // Until the page has acknowledged the result: when the connection is discarded (real time).
    column.binaryText('delivery_expires_at');
    // The link session that created it.
    column.binaryText('link_session_id');
    // Why refreshes have stopped until the user reconnects.
    column.binaryText('reconnect_reason');
    // The worker's, over the connection, its user, application and institution, and the environment.
    column.bytes('signature').notNullable();
    // The bank credentials, sealed to the worker; null once the connection is revoked or discarded.
    column.bytes('credentials');
    column.binaryText('refreshed_at').notNullable();
    column.binaryText('refreshed_fully_at');
    // The accounts for which the bank did not answer then.
    column.text('lagging_account_ids');
    // Since when its data is being deleted; hidden from every process from then on.
    column.binaryText('purge_started_at');
    table.primary(['end_user_id', 'id']);
    table.index(['application_id', 'external_user_id', 'id'], 'connections_by_user');
    table.index(['application_id', 'created_at', 'id'], 'connections_by_age');
    table.index(['application_id', 'institution_id', 'created_at', 'id'], 'connections_by_institution');
    table.index(['application_id', 'refreshed_at', 'id'], 'connections_by_refresh');
    // Covers the counts by state.
    table.index(
      ['application_id', 'revoked_at', 'delivery_expires_at', 'reconnect_reason', 'purge_started_at'],
      'connections_by_state',
    );
  }),
  ...createTable('connection_events', (column, table) => {
    column.binaryText('end_user_id').notNullable();
    column.binaryText('connection_id').notNullable();
    // Sorts by real time; `at` is the application's time.
    column.binaryText('id').notNullable();
    column.binaryText('at').notNullable();
    column.binaryText('kind').notNullable();
    column.binaryText('reason');
    column.binaryText('actor');
    table.primary(['end_user_id', 'connection_id', 'id']);
  }),
  // What the end user has agreed to: once when the connection was linked, and again when a reconnect asked.
  ...createTable('consents', (column, table) => {
    column.binaryText('end_user_id').notNullable();
    column.binaryText('connection_id').notNullable();
    // The link session in which it was given.
    column.binaryText('link_session_id').notNullable();
    // The application's time.
    column.binaryText('accepted_at').notNullable();
    // A BCP 47 tag.
    column.binaryText('language').notNullable();
    column.binaryText('text_hash').notNullable();
    // The worker's, over all of this.
    column.bytes('signature').notNullable();
    table.primary(['end_user_id', 'connection_id', 'link_session_id']);
  }),
  ...createTable('accounts', (column, table) => {
    column.binaryText('end_user_id').notNullable();
    column.binaryText('id').notNullable();
    column.binaryText('connection_id').notNullable();
    column.integer('position').notNullable();
    // The version of the service's secret that keys the fingerprints of the account and its transactions. All three are null
    // once the secret was rotated and the bank has not listed the account for a long time.
    column.binaryText('fingerprint_key_id');
    column.bytes('bank_id_fingerprint');
    column.bytes('number_fingerprint');
    // How the slow fingerprints of the account and its transactions are computed, and their salt.
    column.bytes('slow_fingerprint_parameters').notNullable();
    // Details and balance, sealed anew by each refresh under a key of its own. That is sealed to the user; wrapped under the
    // token's secret by its first reader.
    column.bytes('sealed').notNullable();
    column.bytes('key_sealed').notNullable();
    column.bytes('key_wrapped');
    // The account within its end user, in the keys of its transactions: random, because 4 bytes take less than an id.
    column.integer('short_id').notNullable();
    // Its newest refresh that changed transactions, as a time in milliseconds.
    column.bigInteger('last_refresh_time').notNullable();
    // The `seq` of the next new transaction: transactions keep the order in which they arrived.
    column.integer('next_seq').notNullable();
    // The moment of the stored balance.
    column.binaryText('balance_as_of').notNullable();
    // When the bank last listed this account.
    column.binaryText('last_seen_at').notNullable();
    // When its transactions were last read, and up to which day; null until they have been for the first time.
    column.binaryText('read_at');
    column.binaryText('read_to');
    table.primary(['end_user_id', 'id']);
    table.index(['end_user_id', 'connection_id', 'position']);
    table.unique(['end_user_id', 'short_id'], { useConstraint: false });
  }),
  // Pages are read in the order of the primary key.
  ...clusteredByKey(
    createTable('transactions', (column, table) => {
      column.binaryText('end_user_id').notNullable();
      column.integer('account_short_id').notNullable();
      // In days since 1970.
      column.integer('date').notNullable();
      column.integer('seq').notNullable();
      // The 16 bytes that its public id encodes.
      column.bytes('id').notNullable();
      // The refresh that last changed it, as a time in milliseconds.
      column.bigInteger('refresh_time').notNullable();
      // 0 is pending, 1 posted, 2 void.
      column.smallInteger('status').notNullable();
      // Where its text is: the block, and the position in it.
      column.bigInteger('block').notNullable();
      column.smallInteger('position').notNullable();
      // Null if the secret of fingerprints was rotated and the bank no longer showed the transaction.
      column.bytes('fingerprint');
      column.bytes('bank_id_fingerprint');
      // Over amount and currency, while the transaction is pending.
      column.bytes('pending_fingerprint');
      table.primary(['end_user_id', 'account_short_id', 'date', 'seq']);
      table.index(['id'], 'transactions_by_id');
    }),
  ),
  // The texts of up to 64 transactions that one refresh brought, sealed together. A block never changes.
  ...createTable('transaction_blocks', (column, table) => {
    column.binaryText('end_user_id').notNullable();
    column.integer('account_short_id').notNullable();
    // From the time at which it was sealed: 64 for each millisecond since 1970.
    column.bigInteger('block').notNullable();
    column.binaryText('data_key_id').notNullable();
    // How many transactions refer to it.
    column.smallInteger('transaction_count').notNullable();
    column.bytes('sealed').notNullable();
    table.primary(['end_user_id', 'account_short_id', 'block']);
  }),
  // Blocks to delete: those that a refresh stores before it is published, until it is, and those that nothing refers to.
  ...createTable('block_deletions', (column, table) => {
    column.binaryText('end_user_id').notNullable();
    column.integer('account_short_id').notNullable();
    column.bigInteger('block').notNullable();
    // Real time.
    column.binaryText('delete_after').notNullable();
    table.primary(['end_user_id', 'account_short_id', 'block']);
    table.index(['delete_after']);
  }),
  // The accesses with which applications read over SimpleFIN, and those whose setup token nobody has claimed yet.
  ...createTable('simplefin_accesses', (column, table) => {
    column.binaryText('end_user_id').notNullable();
    column.binaryText('id').notNullable();
    column.binaryText('application_id').notNullable();
    // Also in end_users; repeated here so that lists read one table only.
    column.binaryText('external_user_id');
    column.text('label').notNullable();
    column.binaryText('created_at').notNullable();
    // Null once the setup token was claimed.
    column.binaryText('claim_expires_at');
    column.binaryText('last_used_at');
    // 1 if it never returns pending transactions, else 0.
    column.smallInteger('posted_only').notNullable();
    // Under a key that only the setup token contains, and after the claim one that only the password contains.
    column.bytes('sealed').notNullable();
    table.primary(['end_user_id', 'id']);
    table.index(['application_id', 'created_at', 'id'], 'simplefin_accesses_by_age');
    table.index(['application_id', 'external_user_id', 'created_at', 'id'], 'simplefin_accesses_by_user');
  }),
];

// Knex cannot declare DESC for a single column. Read oldest refresh first, newest date first within it.
const indexOfRefreshTimes =
  'create index transactions_by_refresh on transactions (end_user_id, account_short_id, refresh_time, date desc, seq desc)';

// Finds the due refreshes of one organization's sandbox clock; those of Production need no such index.
const indexOfSandboxRefreshes =
  "create index jobs_of_sandboxes on jobs (organization_id, due_at) where environment = 'sandbox' and kind = 'refresh'";

// The sweep closes sessions that have expired, and deletes those that were closed long ago.
const indexesOfLinkSessions = [
  'create index link_sessions_open on link_sessions (expires_at) where closed_at is null',
  'create index link_sessions_closed on link_sessions (closed_at) where closed_at is not null',
];

// Few setup tokens wait to be claimed.
const indexOfUnclaimedAccesses =
  'create index simplefin_accesses_unclaimed on simplefin_accesses (claim_expires_at) where claim_expires_at is not null';

// Few deliveries wait.
const indexOfDueDeliveries =
  'create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null';

// Partial indexes: few connections have these columns set, and they are found without reading the others.
const indexesOfConnections = [
  'create index connections_purging on connections (purge_started_at) where purge_started_at is not null',
  'create index connections_revoked on connections (revoked_at) where revoked_at is not null',
  'create index connections_undelivered on connections (delivery_expires_at) where delivery_expires_at is not null',
  ...['reconnect_reason', 'revoked_at', 'delivery_expires_at'].map(
    (column) =>
      `create index connections_with_${column} on connections (application_id, created_at, id) where ${column} is not null`,
  ),
];

/** Jobs with their leases, texts staged by a refresh, and link sessions. */
const workTables = (createTable: CreateTable): string[] => [
  ...createTable('jobs', (column, table) => {
    column.binaryText('connection_id').primary();
    column.binaryText('end_user_id').notNullable();
    column.binaryText('application_id').notNullable();
    // The clock that a refresh follows: real time in Production, the organization's in the Sandbox. Imports, reconnects
    // and leases follow real time.
    column.binaryText('organization_id').notNullable();
    column.binaryText('environment').notNullable();
    column.binaryText('institution_id').notNullable();
    // import, reconnect or refresh; the first two belong to a link session.
    column.binaryText('kind').notNullable();
    column.binaryText('link_session_id');
    column.binaryText('due_at').notNullable();
    // When the refresh that a reconnect replaced was due.
    column.binaryText('refresh_due_at');
    column.integer('attempts').notNullable();
    column.binaryText('lease_token');
    column.binaryText('lease_expires_at');
    // Why the last attempt failed, as a code; null again once an attempt has succeeded.
    column.binaryText('last_failure');
    column.binaryText('last_failed_at');
    table.index(['environment', 'kind', 'due_at']);
  }),
  // Texts of transactions that may be stored already, until the last one has arrived.
  ...createTable('staged_texts', (column, table) => {
    column.binaryText('end_user_id').notNullable();
    column.binaryText('refresh_id').notNullable();
    column.binaryText('account_id').notNullable();
    column.integer('ordinal').notNullable();
    column.bytes('sealed').notNullable();
    column.binaryText('created_at').notNullable();
    table.primary(['end_user_id', 'refresh_id', 'account_id', 'ordinal']);
    table.index(['created_at']);
  }),
  // Found by its own id, before any end user exists.
  ...createTable('link_sessions', (column, table) => {
    column.binaryText('id').primary();
    column.binaryText('application_id').notNullable();
    column.binaryText('secret_hash').notNullable();
    column.binaryText('origin').notNullable();
    column.text('external_user_id');
    column.binaryText('reconnect_connection_id');
    column.binaryText('state').notNullable();
    column.integer('version').notNullable();
    // While a step is running: until when other steps must wait.
    column.binaryText('locked_until');
    // What the steps so far have left: opens with the session's secret only, and while the ids above are unchanged.
    column.bytes('state_sealed');
    // Where a native app gets the user back from the bank's own page.
    column.text('return_address');
    // While the user is on the bank's own page: the hash of the state with which they return, and then of the request that
    // accepted it. And what they returned with: opens with the session's secret only.
    column.binaryText('return_hash');
    column.bytes('return_sealed');
    // What the worker needs for the import: opens with the worker's key only.
    column.bytes('import_request_sealed');
    column.binaryText('connection_id');
    column.binaryText('end_user_id');
    // How far the import is, as JSON of counts; and why the session failed.
    column.text('progress');
    column.binaryText('failure');
    // How many credentials and answers the institution has rejected.
    column.integer('rejections').notNullable();
    // The argument of onSuccess: opens with the session's secret only.
    column.bytes('result_sealed');
    column.binaryText('delivered_at');
    column.binaryText('created_at').notNullable();
    column.binaryText('expires_at').notNullable();
    // Where the user has come, and the institution that they selected last: for statistics.
    column.binaryText('reached').notNullable();
    column.binaryText('institution_id');
    // Since when its sealed data is deleted. The rest is kept for some weeks.
    column.binaryText('closed_at');
    table.index(['connection_id'], 'link_sessions_by_connection');
    table.index(['application_id', 'created_at', 'id'], 'link_sessions_by_age');
  }),
];

/** The endpoints of applications, and the events to deliver or delivered to them. */
const webhookTables = (createTable: CreateTable): string[] => [
  ...createTable('webhook_endpoints', (column) => {
    column.binaryText('id').primary();
    column
      .binaryText('application_id')
      .notNullable()
      .references('applications.id')
      .withKeyName('webhook_endpoints_application_id_fkey')
      .index();
    column.text('url').notNullable();
    column.binaryText('created_at').notNullable();
    // The signing secret with the URL, sealed to the worker; and the secret that it replaced, while that still signs.
    column.bytes('secret').notNullable();
    column.bytes('replaced_secret');
    column.binaryText('replaced_secret_expires_at');
    // The first failed attempt since the last success.
    column.binaryText('failing_since');
    column.binaryText('disabled_at');
    // gone or failing
    column.binaryText('disabled_reason');
    // Set if a command listens for the events: until when it does, unless it goes on.
    column.binaryText('listener_expires_at');
  }),
  // One event for one endpoint. It is written in the transaction that changes what the event tells.
  ...createTable('webhook_deliveries', (column, table) => {
    // Empty for a test event, which is about nobody.
    column.binaryText('end_user_id').notNullable();
    column.binaryText('event_id').notNullable();
    column.binaryText('endpoint_id').notNullable();
    column.binaryText('connection_id');
    column.binaryText('type').notNullable();
    // The JSON text that is sent and signed.
    column.text('body').notNullable();
    // pending, delivered or failed
    column.binaryText('state').notNullable();
    column.binaryText('created_at').notNullable();
    column.integer('attempts').notNullable();
    // When the next attempt is due; null unless it is pending.
    column.binaryText('due_at');
    column.binaryText('lease_token');
    column.binaryText('lease_expires_at');
    column.binaryText('last_attempt_at');
    // The status of the last response, or why there was none.
    column.smallInteger('last_status');
    column.binaryText('last_error');
    table.primary(['end_user_id', 'event_id', 'endpoint_id']);
    table.index(['endpoint_id', 'created_at', 'event_id'], 'webhook_deliveries_by_endpoint');
    table.index(['endpoint_id', 'state', 'created_at', 'event_id'], 'webhook_deliveries_by_state');
    table.index(['created_at'], 'webhook_deliveries_by_age');
  }),
];

/** Members of organizations: roles, sign-in methods, sessions, one-time links and attempts. Secrets are hashed. */
const memberTables = (createTable: CreateTable): string[] => [
  ...createTable('members', (column, table) => {
    column.binaryText('id').primary();
    // In lower case.
    column.binaryText('email').notNullable();
    table.unique(['email'], { useConstraint: false });
    column.text('name').notNullable();
    column.binaryText('password_hash');
    // The issuer and the subject at the OpenID provider, with a line break between them.
    column.binaryText('oidc_subject');
    table.unique(['oidc_subject'], { useConstraint: false });
    column.binaryText('created_at').notNullable();
  }),
  ...createTable('memberships', (column, table) => {
    column
      .binaryText('organization_id')
      .notNullable()
      .references('organizations.id')
      .withKeyName('memberships_organization_id_fkey');
    column
      .binaryText('member_id')
      .notNullable()
      .references('members.id')
      .withKeyName('memberships_member_id_fkey')
      .index();
    column.binaryText('role').notNullable();
    column.binaryText('created_at').notNullable();
    table.primary(['organization_id', 'member_id']);
  }),
  ...createTable('member_sessions', (column, table) => {
    column.binaryText('id').primary();
    column.binaryText('secret_hash').notNullable();
    table.unique(['secret_hash'], { useConstraint: false });
    column
      .binaryText('member_id')
      .notNullable()
      .references('members.id')
      .withKeyName('member_sessions_member_id_fkey')
      .index();
    column.binaryText('method').notNullable();
    column.text('browser').notNullable();
    column.text('address').notNullable();
    column.binaryText('created_at').notNullable();
    column.binaryText('last_used_at').notNullable();
    column.binaryText('expires_at').notNullable().index();
  }),
  ...createTable('passkeys', (column, table) => {
    column.binaryText('id').primary();
    column
      .binaryText('member_id')
      .notNullable()
      .references('members.id')
      .withKeyName('passkeys_member_id_fkey')
      .index();
    column.binaryText('credential_id').notNullable();
    table.unique(['credential_id'], { useConstraint: false });
    column.bytes('public_key').notNullable();
    table.bigInteger('counter').notNullable();
    // A JSON list of how the browser can reach it.
    column.text('transports').notNullable();
    column.text('name').notNullable();
    column.binaryText('created_at').notNullable();
    column.binaryText('last_used_at');
  }),
  // State between the two requests of a sign-in; used once.
  ...createTable('sign_in_challenges', (column) => {
    column.binaryText('id').primary();
    // passkey, new_passkey or oidc
    column.binaryText('kind').notNullable();
    column.binaryText('member_id');
    column.text('value').notNullable();
    column.binaryText('expires_at').notNullable().index();
  }),
  ...createTable('member_tokens', (column, table) => {
    column.binaryText('id').primary();
    column.binaryText('token_hash').notNullable();
    table.unique(['token_hash'], { useConstraint: false });
    // invitation or reset
    column.binaryText('kind').notNullable();
    column.binaryText('organization_id');
    column.binaryText('email').notNullable();
    column.binaryText('role');
    column.binaryText('created_at').notNullable();
    column.binaryText('expires_at').notNullable().index();
    table.index(['organization_id', 'email']);
    table.index(['email']);
  }),
  ...createTable('sign_in_attempts', (column) => {
    column.binaryText('key').primary();
    column.integer('count').notNullable();
    column.binaryText('window_ends_at').notNullable().index();
  }),
];

/** Who changed what. Rows are only added: triggers refuse to change or delete one. */
const auditTables = (createTable: CreateTable): string[] =>
  createTable('audit_events', (column, table) => {
    column.binaryText('organization_id').notNullable();
    // Sorts by time.
    column.binaryText('id').notNullable();
    column.binaryText('at').notNullable();
    column.binaryText('action').notNullable();
    column.binaryText('member_id');
    column.text('email');
    column.binaryText('subject');
    // A JSON object of texts.
    column.text('details').notNullable();
    column.text('address');
    table.primary(['organization_id', 'id']);
    table.index(['organization_id', 'member_id', 'id']);
    table.index(['organization_id', 'action', 'id']);
  });

/** The texts of consents, which end users have read. Rows are only added: triggers refuse to change or delete one. */
const consentTextTables = (createTable: CreateTable): string[] =>
  createTable('consent_texts', (column) => {
    // Of `text`: SHA-256 in base64url.
    column.binaryText('hash').primary();
    // A JSON object, with the language.
    column.text('text').notNullable();
    column.binaryText('created_at').notNullable();
  });

const appendOnlyTables = { audit_events: 'Audit events', consent_texts: 'Consent texts' };

const appendOnlyOnSqlite = Object.entries(appendOnlyTables).flatMap(([table, rows]) =>
  ['update', 'delete'].map(
    (change) =>
      `create trigger ${table}_no_${change} before ${change} on ${table}
       begin select raise(abort, '${rows} cannot be changed or deleted.'); end`,
  ),
);

const appendOnlyOnPostgres = Object.entries(appendOnlyTables).flatMap(([table, rows]) => [
  `create function ${table}_append_only() returns trigger language plpgsql
   as $$ begin raise exception '${rows} cannot be changed or deleted.'; end $$`,
  `create trigger ${table}_append_only before update or delete or truncate on ${table}
   for each statement execute function ${table}_append_only()`,
]);

/** Requests by operation and by API key, refreshes by institution, counted by minute; and rate limits. */
const metricTables = (createTable: CreateTable): string[] => [
  ...createTable('metrics_per_minute', (column, table) => {
    column.binaryText('application_id').notNullable();
    // operation, key or institution
    column.binaryText('kind').notNullable();
    column.binaryText('minute').notNullable();
    column.binaryText('subject').notNullable();
    column.integer('total').notNullable();
    // Requests: client errors. Refreshes: refused by the institution.
    column.integer('refused').notNullable();
    // Requests: server errors. Refreshes: the institution could not be reached.
    column.integer('failed').notNullable();
    table.bigInteger('sum_ms').notNullable();
    column.integer('max_ms').notNullable();
    table.primary(['application_id', 'kind', 'minute', 'subject']);
    table.index(['minute']);
  }),
  // The latest requests with a valid API key.
  ...createTable('request_log', (column, table) => {
    column.binaryText('application_id').notNullable();
    // Sorts by time.
    column.binaryText('id').notNullable();
    column.binaryText('request_id').notNullable();
    column.binaryText('at').notNullable();
    column.binaryText('key_id').notNullable();
    column.binaryText('operation').notNullable();
    column.smallInteger('status').notNullable();
    // succeeded, refused or failed
    column.binaryText('outcome').notNullable();
    // The code of the problem, and a JSON list of the wrong parameters' names.
    column.binaryText('code');
    column.text('parameters');
    column.integer('milliseconds').notNullable();
    table.primary(['application_id', 'id']);
    table.index(['application_id', 'outcome', 'id']);
    table.index(['application_id', 'request_id']);
    table.index(['at']);
  }),
  // How many requests all processes together have counted in a minute. The key is hashed.
  ...createTable('rate_limit_counters', (column, table) => {
    column.binaryText('key').notNullable();
    // Minutes since 1970.
    column.integer('minute').notNullable();
    column.integer('count').notNullable();
    table.primary(['key', 'minute']);
    table.index(['minute']);
  }),
];

/**
 * What the sandbox bank stores for each organization: its state, and the logins that were loaded from files. Keys are
 * hashed together with the organization, values sealed.
 */
const sandboxTables = (createTable: CreateTable): string[] => [
  // The key of the organization's other rows, sealed with the service's sandbox secret.
  ...createTable('sandbox_keys', (column) => {
    column.binaryText('organization_id').primary();
    column.bytes('sealed').notNullable();
  }),
  // A single value has position 0; the items of a list count from 1.
  ...createTable('sandbox_kv', (column, table) => {
    column.bytes('key_fingerprint').notNullable();
    column.integer('position').notNullable();
    column.bytes('sealed').notNullable();
    table.primary(['key_fingerprint', 'position']);
  }),
  // One load of one file. Its transactions are visible once it is finished.
  ...createTable('sandbox_loads', (column, table) => {
    table.increments('id');
    column
      .binaryText('organization_id')
      .notNullable()
      .references('organizations.id')
      .withKeyName('sandbox_loads_organization_id_fkey')
      .index();
    column.binaryText('started_at').notNullable();
    column.binaryText('finished_at');
  }),
  // Which load a login's data comes from.
  ...createTable('sandbox_logins', (column) => {
    column.bytes('login_fingerprint').primary();
    column.integer('load_id').notNullable();
  }),
  // The position is the line of the file.
  ...createTable('sandbox_transactions', (column, table) => {
    column.integer('load_id').notNullable();
    column.integer('position').notNullable();
    column.bytes('login_fingerprint').notNullable();
    column.bytes('account_fingerprint').notNullable();
    column.binaryText('date').notNullable();
    // Over the account and the bank's own id; null where the file has none.
    column.bytes('transaction_fingerprint');
    column.bytes('sealed').notNullable();
    table.primary(['load_id', 'position']);
    table.index(
      ['load_id', 'login_fingerprint', 'account_fingerprint', 'date', 'position'],
      'sandbox_transactions_by_date',
    );
    table.unique(['load_id', 'transaction_fingerprint'], {
      indexName: 'sandbox_transactions_by_fingerprint',
      useConstraint: false,
    });
  }),
  // How far an organization's sandbox clock is ahead of real time; no row while it shows real time.
  ...createTable('sandbox_clocks', (column) => {
    column
      .binaryText('organization_id')
      .primary()
      .references('organizations.id')
      .withKeyName('sandbox_clocks_organization_id_fkey');
    column.integer('offset_seconds').notNullable();
    column.binaryText('changed_at').notNullable();
  }),
];
