// The rows of all tables (src/db/migrations), with camelCase names (clients.ts). Knex takes its types from here, so that a
// query with a wrong column or value does not compile. Times are ISO 8601 text in UTC, dates YYYY-MM-DD.
import type { webhooks as Webhooks } from '../../generated/api.ts';
import type { components as DashboardApi } from '../../generated/dashboard.ts';
import type { components as WidgetApi } from '../../generated/widget.ts';
import type { Environment } from '../clock.ts';

declare module 'knex/types/tables.js' {
  interface Tables {
    schema_compatibility: { oldestVersion: number };
    service_secrets: ServiceSecretRow;
    processes: ProcessRow;
    organizations: OrganizationRow;
    applications: ApplicationRow;
    application_logos: { applicationId: string; bytes: Buffer };
    api_keys: ApiKeyRow;
    demo_api_key: { id: string };
    end_users: EndUserRow;
    external_users: { applicationId: string; externalUserId: string; endUserId: string };
    resource_owners: ResourceOwnerRow;
    data_keys: DataKeyRow;
    connections: ConnectionRow;
    connection_events: ConnectionEventRow;
    consent_texts: { hash: string; text: string; createdAt: string };
    consents: ConsentRow;
    accounts: AccountRow;
    transactions: TransactionRow;
    transaction_blocks: TransactionBlockRow;
    jobs: JobRow;
    block_deletions: BlockDeletionRow;
    staged_texts: StagedTextRow;
    link_sessions: LinkSessionRow;
    simplefin_accesses: SimplefinAccessRow;
    webhook_endpoints: WebhookEndpointRow;
    webhook_deliveries: WebhookDeliveryRow;
    members: MemberRow;
    memberships: MembershipRow;
    member_sessions: MemberSessionRow;
    passkeys: PasskeyRow;
    sign_in_challenges: SignInChallengeRow;
    member_tokens: MemberTokenRow;
    sign_in_attempts: { key: string; count: number; windowEndsAt: string };
    audit_events: AuditEventRow;
    metrics_per_minute: MetricsRow;
    request_log: LoggedRequestRow;
    rate_limit_counters: { key: string; minute: number; count: number };
    sandbox_keys: { organizationId: string; sealed: Buffer };
    sandbox_kv: { keyFingerprint: Buffer; position: number; sealed: Buffer };
    sandbox_loads: { id: number; organizationId: string; startedAt: string; finishedAt: string | null };
    sandbox_logins: { loginFingerprint: Buffer; loadId: number };
    sandbox_transactions: SandboxTransactionRow;
    sandbox_clocks: { organizationId: string; offsetSeconds: number; changedAt: string };
  }
}

export type ServiceSecretRow = {
  name: string;
  ordinal: number;
  keyId: string;
  publicKeyId: string | null;
  /**
   * `announced`: processes load it. `current`: new things are made with it. `replaced`: things made with it are being made
   * anew. `retiring`: something that cannot be made anew still needs it.
   */
  state: 'announced' | 'current' | 'replaced' | 'retiring';
  createdAt: string;
  changedAt: string;
};

export type ProcessRow = {
  id: string;
  kind: 'serve' | 'serve --no-worker' | 'worker' | 'command';
  host: string;
  startedAt: string;
  seenAt: string;
  /** JSON lists. */
  loadedKeyIds: string;
  usedKeyIds: string;
  /** That it was made for (src/db/migrations). */
  schemaVersion: number;
};

export type OrganizationRow = {
  id: string;
  name: string;
  createdAt: string;
  companyName: string | null;
  companyPrivacyUrl: string | null;
  companyTermsUrl: string | null;
  passkeysRequiredAt: string | null;
};

export type ApplicationRow = {
  id: string;
  organizationId: string;
  name: string;
  environment: Environment;
  /** A JSON list. */
  origins: string;
  /** A JSON list. */
  returnAddresses: string;
  createdAt: string;
  nativeAllowedAt: string | null;
  identityRequiredAt: string | null;
  identitySecretAt: string | null;
  identityServiceSecretId: string | null;
  logoHash: string | null;
  color: string | null;
  archivedAt: string | null;
  firstLinkSessionAt: string | null;
  requestsPerMinute: number | null;
};

export type ApiKeyRow = {
  id: string;
  applicationId: string;
  name: string;
  createdAt: string;
  signingSecretId: string;
  createdBy: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
};

export type EndUserRow = {
  endUserId: string;
  applicationId: string;
  externalUserId: string | null;
  publicKey: Buffer;
  /** The worker's, of the other columns but the time. */
  signature: Buffer;
  createdAt: string;
};

export type ResourceOwnerRow = { id: string; applicationId: string; endUserId: string };

export type DataKeyRow = {
  endUserId: string;
  id: string;
  connectionId: string;
  sealed: Buffer;
  wrapped: Buffer | null;
  createdAt: string;
};

export type ConnectionRow = {
  endUserId: string;
  id: string;
  applicationId: string;
  externalUserId: string | null;
  institutionId: string;
  institutionName: string;
  createdAt: string;
  revokedAt: string | null;
  /** When the connection is discarded (real time); null once the widget has delivered its result. */
  deliveryExpiresAt: string | null;
  linkSessionId: string | null;
  /** The worker's, of the ids and the application's environment. */
  signature: Buffer;
  /** Why refreshes have stopped until the end user reconnects. */
  reconnectReason: string | null;
  /** Sealed to the worker; null once the connection is revoked or discarded. */
  credentials: Buffer | null;
  refreshedAt: string;
  refreshedFullyAt: string | null;
  /** The ids of the accounts for which the bank did not answer then, with spaces between them; null if it did for all. */
  laggingAccountIds: string | null;
  /** Since when its data is being deleted: from then on it is expired for every process, whatever its clock says. */
  purgeStartedAt: string | null;
};

export type ConnectionEventRow = {
  endUserId: string;
  connectionId: string;
  id: string;
  at: string;
  kind: DashboardApi['schemas']['ConnectionEvent']['kind'];
  reason: string | null;
  actor: NonNullable<DashboardApi['schemas']['ConnectionEvent']['actor']> | null;
};

export type ConsentRow = {
  endUserId: string;
  connectionId: string;
  linkSessionId: string;
  acceptedAt: string;
  language: string;
  textHash: string;
  signature: Buffer;
};

export type AccountRow = {
  endUserId: string;
  id: string;
  connectionId: string;
  position: number;
  /** The version of the key of its fingerprints, and those of its transactions; null if it has lost them. */
  fingerprintKeyId: string | null;
  bankIdFingerprint: Buffer | null;
  numberFingerprint: Buffer | null;
  /** How slow fingerprints are computed: memory, passes and salt (vault/slowFingerprint.ts). */
  slowFingerprintParameters: Buffer;
  /** Details and balance. */
  sealed: Buffer;
  /** The key of `sealed`, sealed to the end user; wrapped by its first reader. */
  keySealed: Buffer;
  keyWrapped: Buffer | null;
  /** The account within its end user, in the keys of its transactions. */
  shortId: number;
  /** Its newest refresh that changed transactions, in milliseconds since 1970. */
  lastRefreshTime: number;
  /** The `seq` of the next new transaction. */
  nextSeq: number;
  /** The moment of the stored balance. */
  balanceAsOf: string;
  /** When the bank last listed this account. */
  lastSeenAt: string;
  /** When its transactions were last read, and up to which day (YYYY-MM-DD); null until they have been for the first time. */
  readAt: string | null;
  readTo: string | null;
};

export type TransactionRow = {
  endUserId: string;
  accountShortId: number;
  /** Days since 1970-01-01. */
  date: number;
  /** The order in which the transactions of an account arrived. */
  seq: number;
  /** The 16 bytes that its public id encodes. */
  id: Buffer;
  /** The refresh that last changed it, in milliseconds since 1970. */
  refreshTime: number;
  /** The index in `transactionStatuses` (transactions/transaction.ts). */
  status: number;
  /** The block that contains its text, and the position in it. */
  block: number;
  position: number;
  fingerprint: Buffer | null;
  bankIdFingerprint: Buffer | null;
  /** Over amount and currency, while the transaction is pending. */
  pendingFingerprint: Buffer | null;
};

export type TransactionBlockRow = {
  endUserId: string;
  accountShortId: number;
  /** From the time at which it was sealed: 64 for each millisecond since 1970. */
  block: number;
  dataKeyId: string;
  /** How many transactions refer to it. */
  transactionCount: number;
  sealed: Buffer;
};

export type BlockDeletionRow = {
  endUserId: string;
  accountShortId: number;
  block: number;
  deleteAfter: string;
};

export type JobRow = {
  connectionId: string;
  endUserId: string;
  applicationId: string;
  organizationId: string;
  environment: Environment;
  institutionId: string;
  kind: 'import' | 'reconnect' | 'refresh';
  linkSessionId: string | null;
  dueAt: string;
  /** When the refresh that a reconnect replaced was due: it is scheduled again unless the reconnect succeeds. */
  refreshDueAt: string | null;
  attempts: number;
  leaseToken: string | null;
  leaseExpiresAt: string | null;
  /** Why the last attempt failed, as a code; null once an attempt has succeeded. */
  lastFailure: string | null;
  lastFailedAt: string | null;
};

export type StagedTextRow = {
  endUserId: string;
  refreshId: string;
  accountId: string;
  ordinal: number;
  /** Up to 1,000 texts. */
  sealed: Buffer;
  createdAt: string;
};

export type LinkSessionRow = {
  id: string;
  applicationId: string;
  secretHash: string;
  origin: string;
  externalUserId: string | null;
  reconnectConnectionId: string | null;
  state: WidgetApi['schemas']['LinkSessionView']['state'] | 'ended';
  version: number;
  lockedUntil: string | null;
  stateSealed: Buffer | null;
  returnAddress: string | null;
  returnHash: string | null;
  returnSealed: Buffer | null;
  importRequestSealed: Buffer | null;
  connectionId: string | null;
  endUserId: string | null;
  /** A JSON object of counts. */
  progress: string | null;
  failure: WidgetApi['schemas']['FailedView']['reason'] | null;
  rejections: number;
  resultSealed: Buffer | null;
  deliveredAt: string | null;
  createdAt: string;
  expiresAt: string;
  /** The furthest state; `ended` counts as finished. */
  reached: 'consent' | 'institution' | 'credentials' | 'challenge' | 'accounts' | 'importing' | 'finished';
  institutionId: string | null;
  /** Since when its sealed data is deleted. */
  closedAt: string | null;
};

export type SimplefinAccessRow = {
  endUserId: string;
  id: string;
  applicationId: string;
  externalUserId: string | null;
  label: string;
  createdAt: string;
  /** Until when its setup token can be claimed; null once it has been. */
  claimExpiresAt: string | null;
  lastUsedAt: string | null;
  /** 1 if it never returns pending transactions, else 0. */
  postedOnly: number;
  /**
   * The end user's secret and the ids of the accounts, under a key that only the setup token contains, and after the claim
   * one that only the password contains.
   */
  sealed: Buffer;
};

export type WebhookEndpointRow = {
  id: string;
  applicationId: string;
  url: string;
  createdAt: string;
  /** The signing secret with the URL, sealed to the worker. */
  secret: Buffer;
  /** The secret before that, which also signs until it expires. */
  replacedSecret: Buffer | null;
  replacedSecretExpiresAt: string | null;
  /** The first failed attempt since the last success. */
  failingSince: string | null;
  disabledAt: string | null;
  /** `gone`: it answered 410. `failing`: no success for days. */
  disabledReason: 'gone' | 'failing' | null;
  /** Set if a command listens for the events: until when it does, unless it goes on. */
  listenerExpiresAt: string | null;
};

export type WebhookDeliveryRow = {
  /** Empty for a test event. */
  endUserId: string;
  eventId: string;
  endpointId: string;
  connectionId: string | null;
  type: keyof Webhooks;
  /** The JSON text that is sent and signed. */
  body: string;
  state: 'pending' | 'delivered' | 'failed';
  createdAt: string;
  attempts: number;
  /** When the next attempt is due; null unless it is pending. */
  dueAt: string | null;
  leaseToken: string | null;
  leaseExpiresAt: string | null;
  lastAttemptAt: string | null;
  /** The status of the last response, or why there was none. */
  lastStatus: number | null;
  lastError: WebhookError | null;
};

export type WebhookError = DashboardApi['schemas']['WebhookError'];

export type MemberRow = {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  oidcSubject: string | null;
  createdAt: string;
};

export type MembershipRow = {
  organizationId: string;
  memberId: string;
  role: 'owner' | 'developer' | 'viewer';
  createdAt: string;
};

export type MemberSessionRow = {
  id: string;
  secretHash: string;
  memberId: string;
  method: 'password' | 'passkey' | 'oidc' | 'invitation';
  browser: string;
  address: string;
  createdAt: string;
  lastUsedAt: string;
  expiresAt: string;
};

export type PasskeyRow = {
  id: string;
  memberId: string;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  /** A JSON list of how the browser can reach it. */
  transports: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
};

export type SignInChallengeRow = {
  id: string;
  kind: 'passkey' | 'new_passkey' | 'oidc';
  memberId: string | null;
  value: string;
  expiresAt: string;
};

export type MemberTokenRow = {
  id: string;
  tokenHash: string;
  kind: 'invitation' | 'reset';
  organizationId: string | null;
  email: string;
  role: MembershipRow['role'] | null;
  createdAt: string;
  expiresAt: string;
};

export type AuditEventRow = {
  organizationId: string;
  id: string;
  at: string;
  action: DashboardApi['schemas']['AuditAction'];
  memberId: string | null;
  email: string | null;
  subject: string | null;
  /** A JSON object of texts. */
  details: string;
  address: string | null;
};

export type MetricsRow = {
  applicationId: string;
  kind: 'operation' | 'key' | 'institution' | 'abandoned_link_session' | 'sign_in_over_limit';
  minute: string;
  subject: string;
  total: number;
  refused: number;
  failed: number;
  sumMs: number;
  maxMs: number;
};

export type LoggedRequestRow = {
  applicationId: string;
  /** Sorts by time. */
  id: string;
  requestId: string;
  at: string;
  keyId: string;
  operation: string;
  status: number;
  outcome: 'succeeded' | 'refused' | 'failed';
  code: string | null;
  /** A JSON list of the wrong parameters' names. */
  parameters: string | null;
  milliseconds: number;
};

export type SandboxTransactionRow = {
  loadId: number;
  position: number;
  loginFingerprint: Buffer;
  accountFingerprint: Buffer;
  date: string;
  transactionFingerprint: Buffer | null;
  sealed: Buffer;
};
