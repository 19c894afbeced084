// All tables, indexes and triggers. Until 0.1.0 each change of the schema edits this file; then run `npm run generate`.
import type { Database, DbTransaction } from '../open.ts';
import { isPostgres } from '../queries.ts';

type Dialect = Database['dialect'];

/**
 * PostgreSQL's SQL with two additions, `binary_text` and `without rowid` (`substitutes`). Times are ISO 8601 text in UTC, which
 * sorts as time does. A comment describes the column in its line, or in the next line if it stands alone. A type in braces at
 * its start becomes the column's type in generated/tables.ts.
 */
export const schemaText = `
create table schema_migrations (
  name binary_text primary key
);

-- Which versions of the service can run on the database. One row.
create table schema_compatibility (
  oldest_version integer not null -- Of the schema: the oldest one whose processes can run.
);
insert into schema_compatibility values (1);

-- The versions of the service's secrets.
create table service_secrets (
  name binary_text not null,
  ordinal integer not null, -- Counts the versions of a secret, from 1.
  key_id binary_text not null,
  public_key_id binary_text, -- Of the public half, if the secret is the private half of a pair.
  -- {'announced' | 'current' | 'replaced' | 'retiring'} 'announced': processes load it. 'current': new things are made with it.
  -- 'replaced': things made with it are being re-made. 'retiring': something that cannot be re-made still needs it.
  state binary_text not null,
  created_at binary_text not null,
  changed_at binary_text not null, -- Since when it has its state.
  primary key (name, ordinal)
);

-- The running processes.
create table processes (
  id binary_text primary key,
  kind binary_text not null, -- {'serve' | 'serve --no-worker' | 'worker' | 'command'}
  host text not null,
  started_at binary_text not null,
  seen_at binary_text not null,
  loaded_key_ids text not null, -- A JSON list of ids in service_secrets: all that it can open and verify with.
  used_key_ids text not null, -- A JSON list of those that it makes things with.
  schema_version integer not null -- The version of the schema that the process was made for.
);

create table organizations (
  id binary_text primary key,
  name text not null,
  created_at binary_text not null,
  company_name text, -- The company that end users see in the consent.
  company_privacy_url text,
  company_terms_url text,
  passkeys_required_at binary_text -- Since when its members need a passkey.
);

create table applications (
  id binary_text primary key,
  organization_id binary_text not null references organizations (id),
  name text not null,
  environment binary_text not null, -- {'production' | 'sandbox'}
  origins text not null, -- A JSON list of the origins that may open the widget.
  return_addresses text not null, -- A JSON list of the addresses at which its native apps get users back from banks' own pages.
  created_at binary_text not null,
  native_allowed_at binary_text, -- Since when React Native apps may open the widget.
  identity_required_at binary_text, -- Since when external user ids must be signed.
  identity_secret_at binary_text, -- When its identity secret was created.
  identity_service_secret_id binary_text, -- The version of the service's secret that the identity secret derives from.
  logo_hash binary_text, -- The hash of its logo, by which the logo is found.
  color binary_text, -- The colour of its buttons in the widget, #rrggbb.
  archived_at binary_text,
  first_link_session_at binary_text, -- When its first link session was opened: link sessions are deleted after some weeks.
  requests_per_minute integer -- The owners' limit; null is as many as the operator allows.
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
  created_by binary_text, -- The email of the member, or the id of the organization token, that created it.
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
  signature bytea not null, -- The worker's, over the user, its application and external user id, and the public key.
  created_at binary_text not null
);
create index end_users_application_id_external_user_id_index on end_users (application_id, external_user_id);

-- Which user is current for an external user id. Read before the user is known.
create table external_users (
  application_id binary_text not null,
  external_user_id binary_text not null,
  end_user_id binary_text not null,
  primary key (application_id, external_user_id)
);

-- Which user owns a connection or account id. Read before the user is known.
create table resource_owners (
  id binary_text primary key,
  application_id binary_text not null,
  end_user_id binary_text not null
);

create table data_keys (
  end_user_id binary_text not null,
  id binary_text not null,
  connection_id binary_text not null,
  sealed bytea not null, -- To the user, by the refresh that made it.
  wrapped bytea, -- Under the token's secret, by its first reader.
  created_at binary_text not null,
  primary key (end_user_id, id)
);
create index data_keys_end_user_id_connection_id_index on data_keys (end_user_id, connection_id);

-- From here to simplefin_accesses each key begins with the end user's id, so that Citus can distribute the tables by it. Columns
-- named sealed open with EndUserKeys only; fingerprints are by their connection's key.

create table connections (
  end_user_id binary_text not null,
  id binary_text not null,
  application_id binary_text not null,
  external_user_id binary_text, -- Also in end_users; repeated here so that lists read one table only.
  institution_id binary_text not null,
  institution_name text not null,
  created_at binary_text not null,
  revoked_at binary_text,
  delivery_expires_at binary_text, -- Until the page has acknowledged the result: when the connection is discarded (real time).
  link_session_id binary_text, -- The one that created it.
  reconnect_reason binary_text, -- Why refreshes have stopped until the user reconnects.
  consent_expires_at binary_text, -- When the user's consent at the bank ends, if the bank says it.
  consent_due_at binary_text, -- When the application is told of it next; at last when the consent has ended.
  signature bytea not null, -- The worker's, over all ids of this row and the environment.
  credentials bytea, -- {Box<'worker'>} The bank credentials, sealed to the worker; null once the connection is revoked or discarded.
  fingerprint_key bytea, -- {Box<'worker'>} The key of its fingerprints, sealed to the worker; null when the credentials are.
  fingerprint_key_id binary_text not null, -- Of that key, so that the signature covers it.
  refreshed_at binary_text not null,
  refreshed_fully_at binary_text,
  lagging_account_ids text, -- Those for which the bank did not answer completely then, with spaces between; null if for none.
  withdrawn_transactions integer not null, -- How many posted ones became void because the bank left them out.
  doubted_readings integer not null, -- How many readings of an account left out too much to be believed.
  -- Fingerprints, 16 bytes each, of accounts that the bank lists and the user does not share, of which the application knows.
  offered_fingerprints bytea,
  duplicate_of binary_text, -- The connection of the end user that had one of its accounts when it was linked.
  purge_started_at binary_text, -- Since when its data is being deleted; hidden from every process from then on.
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
-- Few connections have the columns of these partial indexes set; they are found without reading the others.
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

-- What the end user has agreed to: once when the connection was linked, and again when a reconnect asked.
create table consents (
  end_user_id binary_text not null,
  connection_id binary_text not null,
  link_session_id binary_text not null, -- The one in which it was given.
  accepted_at binary_text not null, -- The application's time.
  language binary_text not null, -- A BCP 47 tag.
  text_hash binary_text not null,
  signature bytea not null, -- The worker's, over all of this.
  primary key (end_user_id, connection_id, link_session_id)
);

create table accounts (
  end_user_id binary_text not null,
  id binary_text not null,
  connection_id binary_text not null,
  position integer not null,
  bank_id_fingerprint bytea not null,
  number_fingerprint bytea not null, -- Over number and currency.
  currency_fingerprint bytea not null, -- Over the bank's id and currency.
  sealed bytea not null, -- Details and balance, by each refresh under a new key.
  key_sealed bytea not null, -- The key of 'sealed', sealed to the end user.
  key_wrapped bytea, -- The same key under the token's secret, by its first reader.
  -- The account within its end user, in the keys of its transactions: random, because 4 bytes take less than an id.
  short_id integer not null,
  last_refresh_time bigint not null, -- Its newest refresh that changed transactions, as a time in milliseconds.
  next_seq integer not null, -- The 'seq' of the next new transaction: transactions keep the order in which they arrived.
  balance_as_of binary_text not null, -- The moment of the stored balance.
  last_seen_at binary_text not null, -- When the bank last listed this account.
  read_at binary_text, -- When its transactions were last read; null until then.
  read_to binary_text, -- Up to which day (YYYY-MM-DD) they were read then.
  history_from binary_text, -- From which day (YYYY-MM-DD) they are complete, if the bank says it.
  missing_from binary_text, -- The first day (YYYY-MM-DD) of those that the bank left out then; null if it left out none.
  -- Where it continues an account of another currency: its first day (YYYY-MM-DD); earlier transactions stay in that account.
  starts_on binary_text,
  replaced_by binary_text, -- The account that continues this one in another currency.
  deselected_at binary_text, -- Since when the user does not share it any more (the application's time).
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
  seq integer not null, -- The order in which the transactions of an account arrived.
  id bytea not null, -- The 16 bytes that its public id encodes.
  refresh_time bigint not null, -- The refresh that last changed it, as a time in milliseconds.
  status smallint not null, -- 0 is pending, 1 posted, 2 void: the index in 'transactionStatuses'.
  block bigint not null, -- The block that contains its text.
  position smallint not null, -- In the block.
  fingerprint bytea not null,
  bank_id_fingerprint bytea,
  amount_fingerprint bytea not null, -- Over amount and currency.
  missing_since integer, -- Since when the bank leaves it out, in minutes since 1970; null while it does not.
  primary key (end_user_id, account_short_id, date, seq)
) without rowid;
create index transactions_by_id on transactions (id);
-- Read oldest refresh first, newest date first within it. Every row fulfils the condition, but only a statement that repeats
-- it can use the index: for a page by date, PostgreSQL without statistics might sort the whole account.
create index transactions_by_refresh on transactions (end_user_id, account_short_id, refresh_time, date desc, seq desc)
  where refresh_time > 0;

-- The texts of up to 64 transactions that one refresh brought, sealed together. A block never changes.
create table transaction_blocks (
  end_user_id binary_text not null,
  account_short_id integer not null,
  block bigint not null, -- From the time at which it was sealed: 64 for each millisecond since 1970.
  data_key_id binary_text not null,
  transaction_count smallint not null, -- How many transactions refer to it.
  sealed bytea not null,
  primary key (end_user_id, account_short_id, block)
);

-- Blocks to delete: those that a refresh stores before it is published, until it is, and those that nothing refers to.
create table block_deletions (
  end_user_id binary_text not null,
  account_short_id integer not null,
  block bigint not null,
  delete_after binary_text not null, -- Real time.
  primary key (end_user_id, account_short_id, block)
);
create index block_deletions_delete_after_index on block_deletions (delete_after);

-- The accesses with which applications read over SimpleFIN, and those whose setup token nobody has claimed yet.
create table simplefin_accesses (
  end_user_id binary_text not null,
  id binary_text not null,
  application_id binary_text not null,
  external_user_id binary_text, -- Also in end_users; repeated here so that lists read one table only.
  label text not null,
  created_at binary_text not null,
  claim_expires_at binary_text, -- Of its setup token; null once that was claimed.
  last_used_at binary_text,
  posted_only smallint not null, -- 1 if it never returns pending transactions, else 0.
  -- The end user's secret and the ids of the accounts, under a key that only the setup token contains, and after the claim one that
  -- only the password contains.
  sealed bytea not null,
  primary key (end_user_id, id)
);
create index simplefin_accesses_by_age on simplefin_accesses (application_id, created_at, id);
create index simplefin_accesses_by_user on simplefin_accesses (application_id, external_user_id, created_at, id);
-- Few setup tokens wait to be claimed.
create index simplefin_accesses_unclaimed on simplefin_accesses (claim_expires_at) where claim_expires_at is not null;

-- What the worker does, with its lease.
create table jobs (
  connection_id binary_text primary key,
  end_user_id binary_text not null,
  application_id binary_text not null,
  organization_id binary_text not null, -- Refreshes in the Sandbox follow its clock; all else follows real time.
  environment binary_text not null, -- {'production' | 'sandbox'}
  institution_id binary_text not null,
  kind binary_text not null, -- {'import' | 'reconnect' | 'refresh'}
  link_session_id binary_text, -- Of an import or a reconnect.
  due_at binary_text not null,
  not_before binary_text, -- Until when the bank allows no refresh, even on request.
  full_at binary_text, -- When the next refresh of all accounts is due; an earlier one asks about lagging accounts only.
  asked text, -- When and about what the bank was asked without the end user in the last 24 hours, one line each.
  refresh_due_at binary_text, -- When the refresh that a reconnect replaced was due: scheduled again unless it succeeds.
  attempts integer not null,
  lease_token binary_text,
  lease_expires_at binary_text,
  last_failure binary_text, -- Why the last attempt failed, as a code; null again once an attempt has succeeded.
  last_failed_at binary_text
);
create index jobs_environment_kind_due_at_index on jobs (environment, kind, due_at);
-- Finds the due refreshes of one organization's sandbox clock; those of Production need no such index.
create index jobs_of_sandboxes on jobs (organization_id, due_at) where environment = 'sandbox' and kind = 'refresh';

-- Texts of transactions that may be stored already, until the last one has arrived.
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
  locked_until binary_text, -- While a step is running: until when other steps must wait.
  -- What the steps so far have left: opens with the session's secret only, and while the ids above are unchanged.
  state_sealed bytea,
  return_address text, -- Where a native app gets the user back from the bank's own page.
  -- While the user is on the bank's own page: the hash of the state with which they return, then of the request that accepted it.
  return_hash binary_text,
  return_sealed bytea, -- {Box<'page'>} What they returned with: opens with the session's secret only.
  import_request_sealed bytea, -- {Box<'worker'>} What the worker needs for the import: opens with the worker's key only.
  connection_id binary_text,
  end_user_id binary_text,
  progress text, -- How far the import is: a JSON object of counts.
  failure binary_text, -- {WidgetApi['schemas']['FailedView']['reason']}
  rejections integer not null, -- How many credentials and answers the institution has rejected.
  -- {Box<'page'>} The argument of onSuccess, or after a failed import its sign-in, to go on with: opens with the session's secret only.
  result_sealed bytea,
  delivered_at binary_text,
  created_at binary_text not null,
  expires_at binary_text not null,
  -- {'consent' | 'institution' | 'credentials' | 'challenge' | 'accounts' | 'importing' | 'finished'} The furthest state, for
  -- statistics; 'ended' counts as finished.
  reached binary_text not null,
  institution_id binary_text, -- The one that the user selected last.
  closed_at binary_text -- Since when its sealed data is deleted; the rest is kept for some weeks.
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
  disabled_reason binary_text, -- {'gone' | 'failing'} 'gone': it answered 410. 'failing': no success for days.
  listener_expires_at binary_text -- Set if a command listens for the events: until when it does, unless it goes on.
);
create index webhook_endpoints_application_id_index on webhook_endpoints (application_id);

-- One event for one endpoint. It is written in the transaction that changes what the event tells.
create table webhook_deliveries (
  end_user_id binary_text not null, -- Empty for a test event, which is about nobody.
  event_id binary_text not null,
  endpoint_id binary_text not null,
  connection_id binary_text,
  type binary_text not null, -- {keyof webhooks}
  body text not null, -- The JSON text that is sent and signed.
  state binary_text not null, -- {'pending' | 'delivered' | 'failed'}
  created_at binary_text not null,
  attempts integer not null,
  due_at binary_text, -- When the next attempt is due; null unless it is pending.
  lease_token binary_text,
  lease_expires_at binary_text,
  last_attempt_at binary_text,
  last_status smallint, -- Of the last response.
  last_error binary_text, -- {DashboardApi['schemas']['WebhookError']} Why there was no response.
  primary key (end_user_id, event_id, endpoint_id)
);
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, created_at, event_id);
create index webhook_deliveries_by_state on webhook_deliveries (endpoint_id, state, created_at, event_id);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
-- Few deliveries wait.
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
  transports text not null, -- A JSON list of how the browser can reach it.
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

-- With these, programs use the management API.
create table organization_tokens (
  id binary_text primary key,
  organization_id binary_text not null references organizations (id),
  name text not null,
  role binary_text not null, -- {'owner' | 'developer' | 'viewer'}
  scopes binary_text not null, -- With spaces between.
  expires_at binary_text not null,
  hash bytea not null, -- Keyed, of the secret and all columns before it but the name.
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

-- Who changed what. Rows are only added: triggers refuse to change or delete one.
create table audit_events (
  organization_id binary_text not null,
  id binary_text not null, -- Sorts by time.
  at binary_text not null,
  action binary_text not null, -- {DashboardApi['schemas']['AuditAction']}
  member_id binary_text,
  token_id binary_text, -- Of the organization token that made the request.
  email text,
  subject binary_text,
  details text not null, -- A JSON object of texts.
  address text,
  primary key (organization_id, id)
);
create index audit_events_organization_id_member_id_id_index on audit_events (organization_id, member_id, id);
create index audit_events_organization_id_action_id_index on audit_events (organization_id, action, id);

-- The texts of consents, which end users have read. Rows are only added: triggers refuse to change or delete one.
create table consent_texts (
  hash binary_text primary key, -- Of 'text': SHA-256 in base64url.
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
  code binary_text, -- Of the problem.
  parameters text, -- A JSON list of the wrong parameters' names.
  milliseconds integer not null,
  primary key (application_id, id)
);
create index request_log_application_id_outcome_id_index on request_log (application_id, outcome, id);
create index request_log_application_id_request_id_index on request_log (application_id, request_id);
create index request_log_at_index on request_log (at);

-- Consents at banks that are to be given back: of connections that were revoked or have got another one, and of link sessions that
-- nobody may complete. Deleted once the bank knows, or the connection is kept.
create table consent_revocations (
  id binary_text primary key, -- That of the connection that was revoked.
  application_id binary_text not null,
  organization_id binary_text not null,
  environment binary_text not null, -- {'production' | 'sandbox'}
  institution_id binary_text not null,
  link_session_id binary_text, -- Of a sign-in: the consent is kept if its connection is delivered.
  connection_id binary_text, -- Its connection, once that is linked.
  credentials bytea not null, -- {Box<'worker'>} What the connector needs, sealed to the worker.
  created_at binary_text not null,
  due_at binary_text not null
);
create index consent_revocations_due_at_index on consent_revocations (due_at);

-- Institutions and connectors that no process asks until a time, because they were asked too often.
create table bank_pauses (
  key binary_text primary key, -- The environment, or the organization whose Sandbox it is; what is paused; its name.
  until binary_text not null,
  pauses integer not null -- How many pauses have followed each other.
);

-- What the directory of each connector has listed. Read whole by a process that starts or sees another version.
create table directories (
  connector binary_text primary key, -- Its name in the setting CONNECTORS.
  version integer not null, -- How often the list has been stored.
  due_at binary_text not null, -- When it is to be asked again, also if the process that asks is killed.
  institutions text, -- A JSON list; null until the first answer.
  signature bytea -- Of the name and the list.
);

-- The logos whose addresses a directory has named.
create table institution_logos (
  hash binary_text primary key,
  bytes bytea not null
);

-- How many requests all processes together have counted in a minute. The key is hashed.
create table rate_limit_counters (
  key binary_text not null,
  minute integer not null, -- Minutes since 1970.
  count integer not null,
  primary key (key, minute)
);
create index rate_limit_counters_minute_index on rate_limit_counters (minute);

-- From here on: what the sandbox bank stores for each organization, its state and the logins that were loaded from files. Texts are
-- sealed with the service's sandbox secret. A fingerprint that is keyed with it contains the organization.

-- A single value has position 0; the items of a list count from 1.
create table sandbox_kv (
  organization_id binary_text not null,
  fingerprint bytea not null, -- Of the key, which is sealed together with the value.
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

-- Which load a login's data comes from.
create table sandbox_logins (
  organization_id binary_text not null,
  fingerprint bytea primary key, -- Of the login, which is sealed.
  load_id integer not null,
  login_fingerprint bytea not null, -- That of the load.
  sealed bytea not null
);
create unique index sandbox_logins_by_load on sandbox_logins (load_id, login_fingerprint);

-- The position is the line of the file. The fingerprints only tell rows of one load apart: they are keyed with a random key that is
-- stored nowhere.
create table sandbox_transactions (
  load_id integer not null,
  position integer not null,
  login_fingerprint bytea not null,
  account_fingerprint bytea not null,
  date binary_text not null,
  transaction_fingerprint bytea, -- Over the account and the bank's own id; null where the file has none.
  sealed bytea not null,
  primary key (load_id, position)
);
create index sandbox_transactions_by_date on sandbox_transactions (load_id, login_fingerprint, account_fingerprint, date, position);
create unique index sandbox_transactions_by_fingerprint on sandbox_transactions (load_id, transaction_fingerprint);

-- How far an organization's sandbox clock is ahead of real time; no row while it shows real time.
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
  // SQLite then keeps the rows in the order of the primary key, instead of the rows and an index.
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

/** The statements that make all tables, indexes and triggers. */
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
