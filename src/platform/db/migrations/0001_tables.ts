// All tables, indexes and triggers. Until 0.1.0, edit this file to change the schema, then run `npm run generate`.
import type { Database, DbTransaction } from '../open.ts';
import { isPostgres } from '../queries.ts';

type Dialect = Database['dialect'];

/**
 * PostgreSQL's SQL with two additions, `binary_text` and `without rowid` (`substitutes`). Times are ISO 8601 text in UTC, so
 * they sort chronologically. A comment describes the column on its line, or on the next line if it has its own line. A type in
 * braces at its start becomes the column's type in generated/tables.ts.
 */
export const schemaText = `
create table schema_migrations (
  name binary_text primary key
);

-- The versions of the service that can run on the database. One row.
create table schema_compatibility (
  oldest_version integer not null -- The oldest version of the schema whose processes can run.
);
insert into schema_compatibility values (1);

-- The versions of the service's secrets.
create table service_secrets (
  name binary_text not null,
  ordinal integer not null, -- Counts the versions of a secret, from 1.
  key_id binary_text not null,
  public_key_id binary_text, -- The id of the public half, if the secret is the private half of a pair.
  -- {'announced' | 'current' | 'replaced' | 'retiring'} 'announced': processes load it. 'current': used for new data.
  -- 'replaced': its data is being re-encrypted or re-signed. 'retiring': something that cannot be renewed still needs it.
  state binary_text not null,
  created_at binary_text not null,
  changed_at binary_text not null, -- The time when its state last changed.
  primary key (name, ordinal)
);

-- The running processes.
create table processes (
  id binary_text primary key,
  kind binary_text not null, -- {'serve' | 'serve --no-worker' | 'worker' | 'command'}
  host text not null,
  started_at binary_text not null,
  seen_at binary_text not null,
  loaded_key_ids text not null, -- A JSON list of ids in service_secrets: the versions that it can open and verify with.
  used_key_ids text not null, -- A JSON list of those that it uses for new data.
  schema_version integer not null -- The version of the schema that the process expects.
);

create table organizations (
  id binary_text primary key,
  name text not null,
  created_at binary_text not null,
  company_name text, -- The company that end users see in the consent.
  company_privacy_url text,
  company_terms_url text,
  passkeys_required_at binary_text -- The time when passkeys became required for its members.
);

create table applications (
  id binary_text primary key,
  organization_id binary_text not null references organizations (id),
  name text not null,
  environment binary_text not null, -- {'production' | 'sandbox'}
  origins text not null, -- A JSON list of the origins that may open the widget.
  return_addresses text not null, -- A JSON list of the addresses to which banks' own pages return users of its native apps.
  created_at binary_text not null,
  native_allowed_at binary_text, -- The time when React Native apps were allowed to open the widget.
  identity_required_at binary_text, -- The time when signed external user ids became required.
  identity_secret_at binary_text, -- The creation time of its identity secret.
  identity_service_secret_id binary_text, -- The version of the service's secret that the identity secret derives from.
  logo_hash binary_text, -- The hash by which its logo is found.
  color binary_text, -- The colour of its buttons in the widget, #rrggbb.
  archived_at binary_text,
  first_link_session_at binary_text, -- The time of its first link session, kept here because link sessions are deleted after some weeks.
  requests_per_minute integer -- The owners' limit; null for the operator's maximum.
);
create index applications_organization_id_index on applications (organization_id);
create index applications_logo_hash_index on applications (logo_hash);

create table application_logos (
  application_id binary_text primary key references applications (id),
  bytes bytea not null
);

create table api_keys (
  id binary_text primary key,
  application_id binary_text not null references applications (id),
  name text not null,
  created_at binary_text not null,
  signing_secret_id binary_text not null, -- The version of the service's secret that signs it.
  created_by binary_text, -- The email of the member or the id of the organization token that created it.
  expires_at binary_text,
  revoked_at binary_text,
  last_used_at binary_text -- To the minute.
);
create index api_keys_application_id_index on api_keys (application_id);

-- The key of the demo page: at most one row.
create table demo_api_key (
  id binary_text primary key references api_keys (id)
);

create table end_users (
  end_user_id binary_text primary key,
  application_id binary_text not null,
  external_user_id text,
  public_key bytea not null,
  signature bytea not null, -- The worker's signature of the user, its application and external user id, and the public key.
  created_at binary_text not null
);
create index end_users_application_id_external_user_id_index on end_users (application_id, external_user_id);

-- The current user of an external user id. Read before the user is known.
create table external_users (
  application_id binary_text not null,
  external_user_id binary_text not null,
  end_user_id binary_text not null,
  primary key (application_id, external_user_id)
);

-- The owner of a connection or account id. Read before the user is known.
create table resource_owners (
  id binary_text primary key,
  application_id binary_text not null,
  end_user_id binary_text not null
);

create table data_keys (
  end_user_id binary_text not null,
  id binary_text not null,
  connection_id binary_text not null,
  sealed bytea not null, -- Sealed to the user by the refresh that created it.
  wrapped bytea, -- Wrapped under the token's secret by its first reader.
  created_at binary_text not null,
  primary key (end_user_id, id)
);
create index data_keys_end_user_id_connection_id_index on data_keys (end_user_id, connection_id);

-- From here to simplefin_accesses, each primary key begins with the end user's id, so that Citus can distribute the tables by it.
-- Only EndUserKeys open the columns named sealed. Fingerprints are keyed with the key of their connection.

create table connections (
  end_user_id binary_text not null,
  id binary_text not null,
  application_id binary_text not null,
  external_user_id binary_text, -- Also in end_users; repeated here so that lists read one table only.
  institution_id binary_text not null,
  institution_name text not null,
  created_at binary_text not null,
  revoked_at binary_text,
  delivery_expires_at binary_text, -- The time when it is discarded (real time); null once the page has acknowledged the result.
  link_session_id binary_text, -- The link session that created it.
  reconnect_reason binary_text, -- The reason why refreshes have stopped until the user reconnects.
  consent_expires_at binary_text, -- The end of the user's consent at the bank, if the bank reports it.
  consent_due_at binary_text, -- The time of the next notification of the application; the last one is after the consent has ended.
  signature bytea not null, -- The worker's signature of all ids of this row and the environment.
  credentials bytea, -- {Box<'worker'>} The bank credentials, sealed to the worker; null once the connection is revoked or discarded.
  fingerprint_key bytea, -- {Box<'worker'>} The key of its fingerprints, sealed to the worker; null if the credentials are null.
  fingerprint_key_id binary_text not null, -- The id of that key, so that the signature covers it.
  refreshed_at binary_text not null,
  refreshed_fully_at binary_text,
  lagging_account_ids text, -- The accounts that the last refresh could not read completely, separated by spaces; null if there are none.
  withdrawn_transactions integer not null, -- The number of posted transactions that became void because the bank left them out.
  doubted_readings integer not null, -- The number of readings of an account that left out too many transactions to be trusted.
  -- Fingerprints (16 bytes each) of accounts that the bank lists, the user does not share, and the application knows about.
  offered_fingerprints bytea,
  duplicate_of binary_text, -- The connection of the end user that had one of its accounts when it was linked.
  purge_started_at binary_text, -- The time when its deletion started, which hides it from every process.
  primary key (end_user_id, id)
);
create index connections_consent_due_at_index on connections (consent_due_at) where consent_due_at is not null;
create index connections_by_consent on connections (application_id, consent_expires_at, id) where consent_expires_at is not null;
create index connections_by_user on connections (application_id, external_user_id, id);
create index connections_by_age on connections (application_id, created_at, id);
create index connections_by_institution on connections (application_id, institution_id, created_at, id);
create index connections_by_refresh on connections (application_id, refreshed_at, id);
-- Covers the counts by state.
create index connections_by_state on connections (
  application_id, revoked_at, delivery_expires_at, reconnect_reason, purge_started_at
);
-- Few connections have these columns set: partial indexes find them without reading the others.
create index connections_purging on connections (purge_started_at) where purge_started_at is not null;
create index connections_revoked on connections (revoked_at) where revoked_at is not null;
create index connections_undelivered on connections (delivery_expires_at) where delivery_expires_at is not null;
create index connections_with_reconnect_reason on connections (application_id, created_at, id)
  where reconnect_reason is not null;
create index connections_with_revoked_at on connections (application_id, created_at, id) where revoked_at is not null;
create index connections_lagging on connections (revoked_at) where lagging_account_ids is not null;
create index connections_doubted on connections (withdrawn_transactions, doubted_readings)
  where withdrawn_transactions + doubted_readings > 0;
create index connections_with_delivery_expires_at on connections (application_id, created_at, id)
  where delivery_expires_at is not null;

create table connection_events (
  end_user_id binary_text not null,
  connection_id binary_text not null,
  id binary_text not null, -- Sorts by real time.
  at binary_text not null, -- The application's time.
  kind binary_text not null, -- {DashboardApi['schemas']['ConnectionEvent']['kind']}
  reason binary_text,
  actor binary_text, -- {NonNullable<DashboardApi['schemas']['ConnectionEvent']['actor']>}
  primary key (end_user_id, connection_id, id)
);

-- The consents of the end user: one when the connection was linked, and one for each reconnect that asked again.
create table consents (
  end_user_id binary_text not null,
  connection_id binary_text not null,
  link_session_id binary_text not null, -- The link session in which it was given.
  accepted_at binary_text not null, -- The application's time.
  language binary_text not null, -- A BCP 47 tag.
  text_hash binary_text not null,
  signature bytea not null, -- The worker's signature of all of this.
  primary key (end_user_id, connection_id, link_session_id)
);

create table accounts (
  end_user_id binary_text not null,
  id binary_text not null,
  connection_id binary_text not null,
  position integer not null,
  bank_id_fingerprint bytea not null,
  number_fingerprint bytea not null, -- The fingerprint of number and currency.
  currency_fingerprint bytea not null, -- The fingerprint of the bank's id and currency.
  sealed bytea not null, -- Details and balance; each refresh uses a new key.
  key_sealed bytea not null, -- The key of 'sealed', sealed to the end user.
  key_wrapped bytea, -- The same key, wrapped under the token's secret by its first reader.
  -- Identifies the account among its end user's in the keys of its transactions: random, and shorter than an id.
  short_id integer not null,
  last_refresh_time bigint not null, -- Its newest refresh that changed transactions, as a time in milliseconds.
  next_seq integer not null, -- The 'seq' of the next new transaction, which keeps transactions in the order of their arrival.
  balance_as_of binary_text not null, -- The time of the stored balance.
  last_seen_at binary_text not null, -- The last time that the bank listed this account.
  read_at binary_text, -- The last time that its transactions were read; null if never.
  read_to binary_text, -- The last day (YYYY-MM-DD) that was read then.
  history_from binary_text, -- The day (YYYY-MM-DD) from which they are complete, if the bank reports it.
  missing_from binary_text, -- The first day (YYYY-MM-DD) of the transactions that the bank left out then; null if it left out none.
  -- The first day (YYYY-MM-DD) of an account that continues one in another currency, which keeps the earlier transactions.
  starts_on binary_text,
  replaced_by binary_text, -- The account that continues this one in another currency.
  deselected_at binary_text, -- The time when the user stopped sharing it (the application's time).
  primary key (end_user_id, id)
);
create index accounts_deselected on accounts (deselected_at) where deselected_at is not null;
create index accounts_end_user_id_connection_id_position_index on accounts (end_user_id, connection_id, position);
create unique index accounts_end_user_id_short_id_unique on accounts (end_user_id, short_id);

-- Pages are read in the order of the primary key.
create table transactions (
  end_user_id binary_text not null,
  account_short_id integer not null,
  date integer not null, -- In days since 1970.
  seq integer not null, -- The order of arrival of the account's transactions.
  id bytea not null, -- The 16 bytes that its public id encodes.
  refresh_time bigint not null, -- The refresh that last changed it, as a time in milliseconds.
  status smallint not null, -- 0 is pending, 1 posted, 2 void: the index in 'transactionStatuses'.
  block bigint not null, -- The block that contains its text.
  position smallint not null, -- The position in the block.
  fingerprint bytea not null,
  bank_id_fingerprint bytea,
  amount_fingerprint bytea not null, -- The fingerprint of amount and currency.
  missing_since integer, -- The time when the bank first left it out, in minutes since 1970; null while the bank returns it.
  primary key (end_user_id, account_short_id, date, seq)
) without rowid;
create index transactions_by_id on transactions (id);
-- Read oldest refresh first, newest date first within it. Every row meets the condition, but only a statement that repeats it
-- can use the index: for a page by date, PostgreSQL without statistics might otherwise sort the whole account.
create index transactions_by_refresh on transactions (end_user_id, account_short_id, refresh_time, date desc, seq desc)
  where refresh_time > 0;

-- The texts of up to 64 transactions from one refresh, sealed together. A block never changes.
create table transaction_blocks (
  end_user_id binary_text not null,
  account_short_id integer not null,
  block bigint not null, -- Derived from the time of sealing: 64 numbers for each millisecond since 1970.
  data_key_id binary_text not null,
  transaction_count smallint not null, -- The number of transactions that refer to it.
  sealed bytea not null,
  primary key (end_user_id, account_short_id, block)
);

-- Blocks to delete: those of a refresh that is not published yet, and those that nothing refers to.
create table block_deletions (
  end_user_id binary_text not null,
  account_short_id integer not null,
  block bigint not null,
  delete_after binary_text not null, -- Real time.
  primary key (end_user_id, account_short_id, block)
);
create index block_deletions_delete_after_index on block_deletions (delete_after);

-- The accesses with which applications read over SimpleFIN, including those whose setup token is still unclaimed.
create table simplefin_accesses (
  end_user_id binary_text not null,
  id binary_text not null,
  application_id binary_text not null,
  external_user_id binary_text, -- Also in end_users; repeated here so that lists read one table only.
  label text not null,
  created_at binary_text not null,
  claim_expires_at binary_text, -- The expiry of its setup token; null once the token was claimed.
  last_used_at binary_text,
  posted_only smallint not null, -- 1 if it never returns pending transactions, else 0.
  -- The end user's secret and the ids of the accounts, under a key that only the setup token contains; after the claim, under one
  -- that only the password contains.
  sealed bytea not null,
  primary key (end_user_id, id)
);
create index simplefin_accesses_by_age on simplefin_accesses (application_id, created_at, id);
create index simplefin_accesses_by_user on simplefin_accesses (application_id, external_user_id, created_at, id);
-- Few setup tokens are unclaimed.
create index simplefin_accesses_unclaimed on simplefin_accesses (claim_expires_at) where claim_expires_at is not null;

-- The jobs of the worker, with their leases.
create table jobs (
  connection_id binary_text primary key,
  end_user_id binary_text not null,
  application_id binary_text not null,
  organization_id binary_text not null, -- Refreshes in the Sandbox follow its clock; everything else follows real time.
  environment binary_text not null, -- {'production' | 'sandbox'}
  institution_id binary_text not null,
  kind binary_text not null, -- {'import' | 'reconnect' | 'refresh'}
  link_session_id binary_text, -- The link session of an import or a reconnect.
  due_at binary_text not null,
  not_before binary_text, -- The time until which the bank allows no refresh, even on request.
  full_at binary_text, -- The due time of the next refresh of all accounts; an earlier one reads only lagging accounts.
  asked text, -- The unattended requests to the bank in the last 24 hours: time and subject, one line each.
  refresh_due_at binary_text, -- The due time of the refresh that a reconnect replaced, for rescheduling unless it succeeds.
  attempts integer not null,
  lease_token binary_text,
  lease_expires_at binary_text,
  last_failure binary_text, -- The code of the last attempt's failure; null after a success.
  last_failed_at binary_text
);
create index jobs_environment_kind_due_at_index on jobs (environment, kind, due_at);
-- Finds the refreshes that are due by one organization's sandbox clock; Production needs no such index.
create index jobs_of_sandboxes on jobs (organization_id, due_at) where environment = 'sandbox' and kind = 'refresh';

-- Texts of transactions that may be stored already, kept until the last text has arrived.
create table staged_texts (
  end_user_id binary_text not null,
  refresh_id binary_text not null,
  account_id binary_text not null,
  ordinal integer not null,
  sealed bytea not null, -- Up to 1,000 texts.
  created_at binary_text not null,
  primary key (end_user_id, refresh_id, account_id, ordinal)
);
create index staged_texts_created_at_index on staged_texts (created_at);

-- Found by its own id, before any end user exists.
create table link_sessions (
  id binary_text primary key,
  application_id binary_text not null,
  secret_hash binary_text not null,
  origin binary_text not null,
  external_user_id text,
  reconnect_connection_id binary_text,
  state binary_text not null, -- {WidgetApi['schemas']['LinkSessionView']['state'] | 'ended'}
  version integer not null,
  locked_until binary_text, -- The time until which other steps must wait; set while a step runs.
  -- The result of the steps so far. Only the session's secret opens it, and only while the ids above are unchanged.
  state_sealed bytea,
  return_address text, -- The address to which the bank's own page returns the user of a native app.
  -- While the user is on the bank's own page: the hash of the state of their return, then of the request that accepted it.
  return_hash binary_text,
  return_sealed bytea, -- {Box<'page'>} The query of their return. Only the session's secret opens it.
  import_request_sealed bytea, -- {Box<'worker'>} The worker's input for the import. Only the worker's key opens it.
  connection_id binary_text,
  end_user_id binary_text,
  progress text, -- The progress of the import: a JSON object of counts.
  failure binary_text, -- {WidgetApi['schemas']['FailedView']['reason']}
  rejections integer not null, -- The number of credentials and answers that the institution has rejected.
  -- {Box<'page'>} The argument of onSuccess, or the sign-in of a failed import, for another attempt. Only the session's secret opens it.
  result_sealed bytea,
  delivered_at binary_text,
  created_at binary_text not null,
  expires_at binary_text not null,
  -- {'consent' | 'institution' | 'credentials' | 'challenge' | 'accounts' | 'importing' | 'finished'} The furthest state, for
  -- statistics; 'ended' counts as finished.
  reached binary_text not null,
  institution_id binary_text, -- The institution that the user selected last.
  closed_at binary_text -- The time when its sealed data was deleted; the rest is kept for some weeks.
);
create index link_sessions_by_connection on link_sessions (connection_id);
create index link_sessions_by_age on link_sessions (application_id, created_at, id);
-- The sweep closes sessions that have expired, and deletes those that were closed long ago.
create index link_sessions_open on link_sessions (expires_at) where closed_at is null;
create index link_sessions_closed on link_sessions (closed_at) where closed_at is not null;

create table webhook_endpoints (
  id binary_text primary key,
  application_id binary_text not null references applications (id),
  url text not null,
  created_at binary_text not null,
  secret bytea not null, -- {Box<'worker'>} The signing secret with the URL, sealed to the worker.
  replaced_secret bytea, -- {Box<'worker'>} The secret before that, which also signs until it expires.
  replaced_secret_expires_at binary_text,
  failing_since binary_text, -- The first failed attempt since the last success.
  disabled_at binary_text,
  disabled_reason binary_text, -- {'gone' | 'failing'} 'gone': it responded with 410. 'failing': no success for days.
  listener_expires_at binary_text -- Set while a command listens for the events: the time when it ends unless the command renews it.
);
create index webhook_endpoints_application_id_index on webhook_endpoints (application_id);

-- One event for one endpoint, written in the transaction of the change that it reports.
create table webhook_deliveries (
  end_user_id binary_text not null, -- Empty for a test event, which has no end user.
  event_id binary_text not null,
  endpoint_id binary_text not null,
  connection_id binary_text,
  type binary_text not null, -- {keyof webhooks}
  body text not null, -- The JSON text that is sent and signed.
  state binary_text not null, -- {'pending' | 'delivered' | 'failed'}
  created_at binary_text not null,
  attempts integer not null,
  due_at binary_text, -- The time of the next attempt; null unless it is pending.
  lease_token binary_text,
  lease_expires_at binary_text,
  last_attempt_at binary_text,
  last_status smallint, -- The status of the last response.
  last_error binary_text, -- {DashboardApi['schemas']['WebhookError']} The reason for having no response.
  primary key (end_user_id, event_id, endpoint_id)
);
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, created_at, event_id);
create index webhook_deliveries_by_state on webhook_deliveries (endpoint_id, state, created_at, event_id);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
-- Few deliveries are pending.
create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null;

create table members (
  id binary_text primary key,
  email binary_text not null, -- In lower case.
  name text not null,
  password_hash binary_text,
  oidc_subject binary_text, -- The issuer and the subject at the OpenID provider, with a line break between them.
  created_at binary_text not null
);
create unique index members_email_unique on members (email);
create unique index members_oidc_subject_unique on members (oidc_subject);

create table memberships (
  organization_id binary_text not null references organizations (id),
  member_id binary_text not null references members (id),
  role binary_text not null, -- {'owner' | 'developer' | 'viewer'}
  created_at binary_text not null,
  primary key (organization_id, member_id)
);
create index memberships_member_id_index on memberships (member_id);

create table member_sessions (
  id binary_text primary key,
  secret_hash binary_text not null,
  member_id binary_text not null references members (id),
  method binary_text not null, -- {'password' | 'passkey' | 'oidc' | 'invitation'}
  browser text not null,
  address text not null,
  created_at binary_text not null,
  last_used_at binary_text not null,
  expires_at binary_text not null
);
create unique index member_sessions_secret_hash_unique on member_sessions (secret_hash);
create index member_sessions_member_id_index on member_sessions (member_id);
create index member_sessions_expires_at_index on member_sessions (expires_at);

create table passkeys (
  id binary_text primary key,
  member_id binary_text not null references members (id),
  credential_id binary_text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text not null, -- A JSON list of the ways in which the browser can reach it.
  name text not null,
  created_at binary_text not null,
  last_used_at binary_text
);
create index passkeys_member_id_index on passkeys (member_id);
create unique index passkeys_credential_id_unique on passkeys (credential_id);

-- State between the two requests of a sign-in; used once.
create table sign_in_challenges (
  id binary_text primary key,
  kind binary_text not null, -- {'passkey' | 'new_passkey' | 'oidc'}
  member_id binary_text,
  value text not null,
  expires_at binary_text not null
);
create index sign_in_challenges_expires_at_index on sign_in_challenges (expires_at);

-- The one-time links of invitations and password resets.
create table member_tokens (
  id binary_text primary key,
  token_hash binary_text not null,
  kind binary_text not null, -- {'invitation' | 'reset'}
  organization_id binary_text,
  email binary_text not null,
  role binary_text, -- {'owner' | 'developer' | 'viewer'}
  created_at binary_text not null,
  expires_at binary_text not null
);
create unique index member_tokens_token_hash_unique on member_tokens (token_hash);
create index member_tokens_expires_at_index on member_tokens (expires_at);
create index member_tokens_organization_id_email_index on member_tokens (organization_id, email);
create index member_tokens_email_index on member_tokens (email);

-- Tokens with which programs use the management API.
create table organization_tokens (
  id binary_text primary key,
  organization_id binary_text not null references organizations (id),
  name text not null,
  role binary_text not null, -- {'owner' | 'developer' | 'viewer'}
  scopes binary_text not null, -- Separated by spaces.
  expires_at binary_text not null,
  hash bytea not null, -- The keyed hash of the secret and of all columns before it except the name.
  signing_secret_id binary_text not null, -- The version of the service's secret that the key of the hash derives from.
  created_at binary_text not null,
  created_by binary_text not null, -- The email of the owner who created it.
  revoked_at binary_text,
  last_used_at binary_text -- To the minute.
);
create index organization_tokens_organization_id_index on organization_tokens (organization_id);

-- Attempts to sign in with a password. The key is hashed.
create table sign_in_attempts (
  key binary_text primary key,
  count integer not null,
  window_ends_at binary_text not null
);
create index sign_in_attempts_window_ends_at_index on sign_in_attempts (window_ends_at);

-- Changes and their authors. Append-only: triggers refuse updates and deletions.
create table audit_events (
  organization_id binary_text not null,
  id binary_text not null, -- Sorts by time.
  at binary_text not null,
  action binary_text not null, -- {DashboardApi['schemas']['AuditAction']}
  member_id binary_text,
  token_id binary_text, -- The organization token that made the request.
  email text,
  subject binary_text,
  details text not null, -- A JSON object of texts.
  address text,
  primary key (organization_id, id)
);
create index audit_events_organization_id_member_id_id_index on audit_events (organization_id, member_id, id);
create index audit_events_organization_id_action_id_index on audit_events (organization_id, action, id);

-- The texts of consents that end users have read. Append-only: triggers refuse updates and deletions.
create table consent_texts (
  hash binary_text primary key, -- The SHA-256 hash of 'text' in base64url.
  text text not null, -- A JSON object, with the language.
  created_at binary_text not null
);

-- Requests by operation and by API key, refreshes by institution, and others, counted by minute.
create table metrics_per_minute (
  application_id binary_text not null,
  kind binary_text not null, -- {'operation' | 'key' | 'institution' | 'abandoned_link_session' | 'sign_in_over_limit'}
  minute binary_text not null,
  subject binary_text not null,
  total integer not null,
  refused integer not null, -- Requests: client errors. Refreshes: refused by the institution.
  failed integer not null, -- Requests: server errors. Refreshes: the institution could not be reached.
  sum_ms bigint not null,
  max_ms integer not null,
  primary key (application_id, kind, minute, subject)
);
create index metrics_per_minute_minute_index on metrics_per_minute (minute);

-- The latest requests with a valid API key.
create table request_log (
  application_id binary_text not null,
  id binary_text not null, -- Sorts by time.
  request_id binary_text not null,
  at binary_text not null,
  key_id binary_text not null,
  operation binary_text not null,
  status smallint not null,
  outcome binary_text not null, -- {'succeeded' | 'refused' | 'failed'}
  code binary_text, -- The code of the problem.
  parameters text, -- A JSON list of the names of wrong parameters.
  milliseconds integer not null,
  primary key (application_id, id)
);
create index request_log_application_id_outcome_id_index on request_log (application_id, outcome, id);
create index request_log_application_id_request_id_index on request_log (application_id, request_id);
create index request_log_at_index on request_log (at);

-- Consents to revoke at banks: of connections that were revoked or have a newer consent, and of link sessions that may never be
-- completed. Deleted once the bank has revoked the consent, or once the connection is kept.
create table consent_revocations (
  id binary_text primary key, -- The connection's id, if it was revoked.
  application_id binary_text not null,
  organization_id binary_text not null,
  environment binary_text not null, -- {'production' | 'sandbox'}
  institution_id binary_text not null,
  link_session_id binary_text, -- The link session of a sign-in: the consent is kept if its connection is delivered.
  connection_id binary_text, -- Its connection, once that is linked.
  credentials bytea not null, -- {Box<'worker'>} The connector's input, sealed to the worker.
  created_at binary_text not null,
  due_at binary_text not null
);
create index consent_revocations_due_at_index on consent_revocations (due_at);

-- Institutions and connectors that no process calls until a time, because they have limited requests.
create table bank_pauses (
  key binary_text primary key, -- The environment, or the organization of the Sandbox; the kind of the paused object; its name.
  until binary_text not null,
  pauses integer not null -- The number of consecutive pauses.
);

-- The list in the directory of each connector. Each process reads all of it when it starts or sees another version.
create table directories (
  connector binary_text primary key, -- Its name in the setting CONNECTORS.
  version integer not null, -- The number of times that the list was stored.
  due_at binary_text not null, -- The time of the next request, including after a process was killed during one.
  institutions text, -- A JSON list; null until the first response.
  signature bytea -- The worker's signature of the name and the list.
);

-- The logos whose addresses a directory lists.
create table institution_logos (
  hash binary_text primary key,
  bytes bytea not null
);

-- The number of requests in a minute, counted by all processes together. The key is hashed.
create table rate_limit_counters (
  key binary_text not null,
  minute integer not null, -- Minutes since 1970.
  count integer not null,
  primary key (key, minute)
);
create index rate_limit_counters_minute_index on rate_limit_counters (minute);

-- From here on: the sandbox bank's data for each organization, its state and the logins that were loaded from files. Texts are
-- sealed with the service's sandbox secret. Fingerprints that are keyed with this secret include the organization.

-- A single value has position 0; the items of a list count from 1.
create table sandbox_kv (
  organization_id binary_text not null,
  fingerprint bytea not null, -- The fingerprint of the key, which is sealed together with the value.
  position integer not null,
  sealed bytea not null,
  primary key (fingerprint, position)
);

-- One load of one file. Its transactions are visible once it is finished.
create table sandbox_loads (
  id serial primary key,
  organization_id binary_text not null references organizations (id),
  started_at binary_text not null,
  finished_at binary_text
);
create index sandbox_loads_organization_id_index on sandbox_loads (organization_id);

-- The load that a login's data comes from.
create table sandbox_logins (
  organization_id binary_text not null,
  fingerprint bytea primary key, -- The fingerprint of the login, which is sealed.
  load_id integer not null,
  login_fingerprint bytea not null, -- The fingerprint of the login within the load.
  sealed bytea not null
);
create unique index sandbox_logins_by_load on sandbox_logins (load_id, login_fingerprint);

-- The position is the line of the file. The fingerprints only distinguish rows of one load: they are keyed with a random key that
-- is stored nowhere.
create table sandbox_transactions (
  load_id integer not null,
  position integer not null,
  login_fingerprint bytea not null,
  account_fingerprint bytea not null,
  date binary_text not null,
  transaction_fingerprint bytea, -- The fingerprint of the account and the bank's own id; null if the file has no id.
  sealed bytea not null,
  primary key (load_id, position)
);
create index sandbox_transactions_by_date on sandbox_transactions (load_id, login_fingerprint, account_fingerprint, date, position);
create unique index sandbox_transactions_by_fingerprint on sandbox_transactions (load_id, transaction_fingerprint);

-- The time by which an organization's sandbox clock is ahead of real time; no row while it shows real time.
create table sandbox_clocks (
  organization_id binary_text primary key references organizations (id),
  offset_seconds integer not null,
  changed_at binary_text not null
);
`;

/** The SQL of each word for SQLite and for PostgreSQL. */
const substitutes: Record<string, Record<Dialect, string>> = {
  // Text compared byte by byte: ids, dates, cursors, times. PostgreSQL would otherwise sort by language.
  binary_text: { sqlite: 'text', postgres: 'text collate "C"' },
  // SQLite then stores the rows in the order of the primary key, without a separate index.
  'without rowid': { sqlite: 'without rowid', postgres: '' },
  bytea: { sqlite: 'blob', postgres: 'bytea' },
  smallint: { sqlite: 'integer', postgres: 'smallint' },
  'serial primary key': {
    sqlite: 'integer not null primary key autoincrement',
    postgres: 'serial primary key',
  },
};

const appendOnlyTables = { audit_events: 'Audit events', consent_texts: 'Consent texts' };

const triggers: Record<Dialect, (table: string, rows: string) => string> = {
  sqlite: (table, rows) =>
    ['update', 'delete']
      .map(
        (change) => `
          create trigger ${table}_no_${change} before ${change} on ${table}
          begin select raise(abort, '${rows} cannot be changed or deleted.'); end;`,
      )
      .join('\n'),
  postgres: (table, rows) => `
    create function ${table}_append_only() returns trigger language plpgsql
    as $$ begin raise exception '${rows} cannot be changed or deleted.'; end $$;
    create trigger ${table}_append_only before update or delete or truncate on ${table}
    for each statement execute function ${table}_append_only();`,
};

/** The statements that create all tables, indexes and triggers. */
export const schemaStatements = (dialect: Dialect): string[] => {
  const words = new RegExp(`\\b(${Object.keys(substitutes).join('|')})\\b`, 'g');
  const tables = schemaText.replace(/ *--.*/g, '').replace(words, (word) => substitutes[word]![dialect]);
  const all = Object.entries(appendOnlyTables).map(([table, rows]) => triggers[dialect](table, rows));
  return [tables, ...all]
    .join('\n')
    .split(/;\s*$/m)
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
};

export const up = async (trx: DbTransaction): Promise<void> => {
  for (const text of schemaStatements(isPostgres(trx) ? 'postgres' : 'sqlite')) await trx.run({ text }, []);
};
