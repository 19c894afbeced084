// Knex's types for the tables, so that a query with a wrong column or value does not compile. The rows, with camelCase names
// (clients.ts), are generated from the schema (src/platform/db/migrations).
import type { TableRows } from '../../../generated/tables.ts';

declare module 'knex/types/tables.js' {
  interface Tables extends TableRows {}
}

export type ServiceSecretRow = TableRows['service_secrets'];
export type ProcessRow = TableRows['processes'];
export type ApplicationRow = TableRows['applications'];
export type ApiKeyRow = TableRows['api_keys'];
export type EndUserRow = TableRows['end_users'];
export type ResourceOwnerRow = TableRows['resource_owners'];
export type DataKeyRow = TableRows['data_keys'];
export type ConnectionRow = TableRows['connections'];
export type ConnectionEventRow = TableRows['connection_events'];
export type ConsentRow = TableRows['consents'];
export type AccountRow = TableRows['accounts'];
export type TransactionRow = TableRows['transactions'];
export type TransactionBlockRow = TableRows['transaction_blocks'];
export type JobRow = TableRows['jobs'];
export type BlockDeletionRow = TableRows['block_deletions'];
export type StagedTextRow = TableRows['staged_texts'];
export type LinkSessionRow = TableRows['link_sessions'];
export type SimplefinAccessRow = TableRows['simplefin_accesses'];
export type WebhookEndpointRow = TableRows['webhook_endpoints'];
export type WebhookDeliveryRow = TableRows['webhook_deliveries'];
export type MemberRow = TableRows['members'];
export type MembershipRow = TableRows['memberships'];
export type MemberSessionRow = TableRows['member_sessions'];
export type PasskeyRow = TableRows['passkeys'];
export type SignInChallengeRow = TableRows['sign_in_challenges'];
export type MemberTokenRow = TableRows['member_tokens'];
export type OrganizationTokenRow = TableRows['organization_tokens'];
export type AuditEventRow = TableRows['audit_events'];
export type ConsentRevocationRow = TableRows['consent_revocations'];
export type BankPauseRow = TableRows['bank_pauses'];
export type DirectoryRow = TableRows['directories'];
export type MetricsRow = TableRows['metrics_per_minute'];
export type LoggedRequestRow = TableRows['request_log'];
export type SandboxTransactionRow = TableRows['sandbox_transactions'];

/** A row to insert: columns that can be null may be missing. */
export type NewRow<Row> = Partial<Row> & {
  [Column in keyof Row as null extends Row[Column] ? never : Column]: Row[Column];
};

export type WebhookError = NonNullable<WebhookDeliveryRow['lastError']>;
