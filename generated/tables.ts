// Generated from src/platform/db/migrations/0001_tables.ts by `npm run generate`. Do not edit.

import type { Box } from '../src/platform/values/box.ts';
import type { webhooks } from './api.ts';
import type { components as DashboardApi } from './management.ts';
import type { components as WidgetApi } from './widget.ts';

/** A row of each table. */
export interface TableRows {
  schema_migrations: {
    name: string;
  };
  schema_compatibility: {
    /** Of the schema: the oldest one whose processes can run. */
    oldestVersion: number;
  };
  service_secrets: {
    name: string;
    /** Counts the versions of a secret, from 1. */
    ordinal: number;
    keyId: string;
    /** Of the public half, if the secret is the private half of a pair. */
    publicKeyId: string | null;
    /** 'announced': processes load it. 'current': new things are made with it. 'replaced': things made with it are being re-made. 'retiring': something that cannot be re-made still needs it. */
    state: 'announced' | 'current' | 'replaced' | 'retiring';
    createdAt: string;
    /** Since when it has its state. */
    changedAt: string;
  };
  processes: {
    id: string;
    kind: 'serve' | 'serve --no-worker' | 'worker' | 'command';
    host: string;
    startedAt: string;
    seenAt: string;
    /** A JSON list of ids in service_secrets: all that it can open and verify with. */
    loadedKeyIds: string;
    /** A JSON list of those that it makes things with. */
    usedKeyIds: string;
    /** The version of the schema that the process was made for. */
    schemaVersion: number;
  };
  organizations: {
    id: string;
    name: string;
    createdAt: string;
    /** The company that end users see in the consent. */
    companyName: string | null;
    companyPrivacyUrl: string | null;
    companyTermsUrl: string | null;
    /** Since when its members need a passkey. */
    passkeysRequiredAt: string | null;
  };
  applications: {
    id: string;
    organizationId: string;
    name: string;
    environment: 'production' | 'sandbox';
    /** A JSON list of the origins that may open the widget. */
    origins: string;
    /** A JSON list of the addresses at which its native apps get users back from banks' own pages. */
    returnAddresses: string;
    createdAt: string;
    /** Since when React Native apps may open the widget. */
    nativeAllowedAt: string | null;
    /** Since when external user ids must be signed. */
    identityRequiredAt: string | null;
    /** When its identity secret was created. */
    identitySecretAt: string | null;
    /** The version of the service's secret that the identity secret derives from. */
    identityServiceSecretId: string | null;
    /** The hash of its logo, by which the logo is found. */
    logoHash: string | null;
    /** The colour of its buttons in the widget, #rrggbb. */
    color: string | null;
    archivedAt: string | null;
    /** When its first link session was opened: link sessions are deleted after some weeks. */
    firstLinkSessionAt: string | null;
    /** The owners' limit; null is as many as the operator allows. */
    requestsPerMinute: number | null;
  };
  application_logos: {
    applicationId: string;
    bytes: Buffer;
  };
  api_keys: {
    id: string;
    applicationId: string;
    name: string;
    createdAt: string;
    /** The version of the service's secret that signs it. */
    signingSecretId: string;
    /** The email of the member, or the id of the organization token, that created it. */
    createdBy: string | null;
    expiresAt: string | null;
    revokedAt: string | null;
    /** To the minute. */
    lastUsedAt: string | null;
  };
  demo_api_key: {
    id: string;
  };
  end_users: {
    endUserId: string;
    applicationId: string;
    externalUserId: string | null;
    publicKey: Buffer;
    /** The worker's, over the user, its application and external user id, and the public key. */
    signature: Buffer;
    createdAt: string;
  };
  external_users: {
    applicationId: string;
    externalUserId: string;
    endUserId: string;
  };
  resource_owners: {
    id: string;
    applicationId: string;
    endUserId: string;
  };
  data_keys: {
    endUserId: string;
    id: string;
    connectionId: string;
    /** To the user, by the refresh that made it. */
    sealed: Buffer;
    /** Under the token's secret, by its first reader. */
    wrapped: Buffer | null;
    createdAt: string;
  };
  connections: {
    endUserId: string;
    id: string;
    applicationId: string;
    /** Also in end_users; repeated here so that lists read one table only. */
    externalUserId: string | null;
    institutionId: string;
    institutionName: string;
    createdAt: string;
    revokedAt: string | null;
    /** Until the page has acknowledged the result: when the connection is discarded (real time). */
    deliveryExpiresAt: string | null;
    /** The one that created it. */
    linkSessionId: string | null;
    /** Why refreshes have stopped until the user reconnects. */
    reconnectReason: string | null;
    /** When the user's consent at the bank ends, if the bank says it. */
    consentExpiresAt: string | null;
    /** When the application is told of it next; at last when the consent has ended. */
    consentDueAt: string | null;
    /** The worker's, over all ids of this row and the environment. */
    signature: Buffer;
    /** The bank credentials, sealed to the worker; null once the connection is revoked or discarded. */
    credentials: Box<'worker'> | null;
    /** The key of its fingerprints, sealed to the worker; null when the credentials are. */
    fingerprintKey: Box<'worker'> | null;
    /** Of that key, so that the signature covers it. */
    fingerprintKeyId: string;
    refreshedAt: string;
    refreshedFullyAt: string | null;
    /** Those for which the bank did not answer completely then, with spaces between; null if for none. */
    laggingAccountIds: string | null;
    /** How many posted ones became void because the bank left them out. */
    withdrawnTransactions: number;
    /** How many readings of an account left out too much to be believed. */
    doubtedReadings: number;
    /** Fingerprints, 16 bytes each, of accounts that the bank lists and the user does not share, of which the application knows. */
    offeredFingerprints: Buffer | null;
    /** The connection of the end user that had one of its accounts when it was linked. */
    duplicateOf: string | null;
    /** Since when its data is being deleted; hidden from every process from then on. */
    purgeStartedAt: string | null;
  };
  connection_events: {
    endUserId: string;
    connectionId: string;
    /** Sorts by real time. */
    id: string;
    /** The application's time. */
    at: string;
    kind: DashboardApi['schemas']['ConnectionEvent']['kind'];
    reason: string | null;
    actor: NonNullable<DashboardApi['schemas']['ConnectionEvent']['actor']> | null;
  };
  consents: {
    endUserId: string;
    connectionId: string;
    /** The one in which it was given. */
    linkSessionId: string;
    /** The application's time. */
    acceptedAt: string;
    /** A BCP 47 tag. */
    language: string;
    textHash: string;
    /** The worker's, over all of this. */
    signature: Buffer;
  };
  accounts: {
    endUserId: string;
    id: string;
    connectionId: string;
    position: number;
    bankIdFingerprint: Buffer;
    /** Over number and currency. */
    numberFingerprint: Buffer;
    /** Over the bank's id and currency. */
    currencyFingerprint: Buffer;
    /** Details and balance, by each refresh under a new key. */
    sealed: Buffer;
    /** The key of 'sealed', sealed to the end user. */
    keySealed: Buffer;
    /** The same key under the token's secret, by its first reader. */
    keyWrapped: Buffer | null;
    /** The account within its end user, in the keys of its transactions: random, because 4 bytes take less than an id. */
    shortId: number;
    /** Its newest refresh that changed transactions, as a time in milliseconds. */
    lastRefreshTime: number;
    /** The 'seq' of the next new transaction: transactions keep the order in which they arrived. */
    nextSeq: number;
    /** The moment of the stored balance. */
    balanceAsOf: string;
    /** When the bank last listed this account. */
    lastSeenAt: string;
    /** When its transactions were last read; null until then. */
    readAt: string | null;
    /** Up to which day (YYYY-MM-DD) they were read then. */
    readTo: string | null;
    /** From which day (YYYY-MM-DD) they are complete, if the bank says it. */
    historyFrom: string | null;
    /** The first day (YYYY-MM-DD) of those that the bank left out then; null if it left out none. */
    missingFrom: string | null;
    /** Where it continues an account of another currency: its first day (YYYY-MM-DD); earlier transactions stay in that account. */
    startsOn: string | null;
    /** The account that continues this one in another currency. */
    replacedBy: string | null;
    /** Since when the user does not share it any more (the application's time). */
    deselectedAt: string | null;
  };
  transactions: {
    endUserId: string;
    accountShortId: number;
    /** In days since 1970. */
    date: number;
    /** The order in which the transactions of an account arrived. */
    seq: number;
    /** The 16 bytes that its public id encodes. */
    id: Buffer;
    /** The refresh that last changed it, as a time in milliseconds. */
    refreshTime: number;
    /** 0 is pending, 1 posted, 2 void: the index in 'transactionStatuses'. */
    status: number;
    /** The block that contains its text. */
    block: number;
    /** In the block. */
    position: number;
    fingerprint: Buffer;
    bankIdFingerprint: Buffer | null;
    /** Over amount and currency. */
    amountFingerprint: Buffer;
    /** Since when the bank leaves it out, in minutes since 1970; null while it does not. */
    missingSince: number | null;
  };
  transaction_blocks: {
    endUserId: string;
    accountShortId: number;
    /** From the time at which it was sealed: 64 for each millisecond since 1970. */
    block: number;
    dataKeyId: string;
    /** How many transactions refer to it. */
    transactionCount: number;
    sealed: Buffer;
  };
  block_deletions: {
    endUserId: string;
    accountShortId: number;
    block: number;
    /** Real time. */
    deleteAfter: string;
  };
  simplefin_accesses: {
    endUserId: string;
    id: string;
    applicationId: string;
    /** Also in end_users; repeated here so that lists read one table only. */
    externalUserId: string | null;
    label: string;
    createdAt: string;
    /** Of its setup token; null once that was claimed. */
    claimExpiresAt: string | null;
    lastUsedAt: string | null;
    /** 1 if it never returns pending transactions, else 0. */
    postedOnly: number;
    /** The end user's secret and the ids of the accounts, under a key that only the setup token contains, and after the claim one that only the password contains. */
    sealed: Buffer;
  };
  jobs: {
    connectionId: string;
    endUserId: string;
    applicationId: string;
    /** Refreshes in the Sandbox follow its clock; all else follows real time. */
    organizationId: string;
    environment: 'production' | 'sandbox';
    institutionId: string;
    kind: 'import' | 'reconnect' | 'refresh';
    /** Of an import or a reconnect. */
    linkSessionId: string | null;
    dueAt: string;
    /** Until when the bank allows no refresh, even on request. */
    notBefore: string | null;
    /** When the next refresh of all accounts is due; an earlier one asks about lagging accounts only. */
    fullAt: string | null;
    /** When and about what the bank was asked without the end user in the last 24 hours, one line each. */
    asked: string | null;
    /** When the refresh that a reconnect replaced was due: scheduled again unless it succeeds. */
    refreshDueAt: string | null;
    attempts: number;
    leaseToken: string | null;
    leaseExpiresAt: string | null;
    /** Why the last attempt failed, as a code; null again once an attempt has succeeded. */
    lastFailure: string | null;
    lastFailedAt: string | null;
  };
  staged_texts: {
    endUserId: string;
    refreshId: string;
    accountId: string;
    ordinal: number;
    /** Up to 1,000 texts. */
    sealed: Buffer;
    createdAt: string;
  };
  link_sessions: {
    id: string;
    applicationId: string;
    secretHash: string;
    origin: string;
    externalUserId: string | null;
    reconnectConnectionId: string | null;
    state: WidgetApi['schemas']['LinkSessionView']['state'] | 'ended';
    version: number;
    /** While a step is running: until when other steps must wait. */
    lockedUntil: string | null;
    /** What the steps so far have left: opens with the session's secret only, and while the ids above are unchanged. */
    stateSealed: Buffer | null;
    /** Where a native app gets the user back from the bank's own page. */
    returnAddress: string | null;
    /** While the user is on the bank's own page: the hash of the state with which they return, then of the request that accepted it. */
    returnHash: string | null;
    /** What they returned with: opens with the session's secret only. */
    returnSealed: Box<'page'> | null;
    /** What the worker needs for the import: opens with the worker's key only. */
    importRequestSealed: Box<'worker'> | null;
    connectionId: string | null;
    endUserId: string | null;
    /** How far the import is: a JSON object of counts. */
    progress: string | null;
    failure: WidgetApi['schemas']['FailedView']['reason'] | null;
    /** How many credentials and answers the institution has rejected. */
    rejections: number;
    /** The argument of onSuccess, or after a failed import its sign-in, to go on with: opens with the session's secret only. */
    resultSealed: Box<'page'> | null;
    deliveredAt: string | null;
    createdAt: string;
    expiresAt: string;
    /** The furthest state, for statistics; 'ended' counts as finished. */
    reached: 'consent' | 'institution' | 'credentials' | 'challenge' | 'accounts' | 'importing' | 'finished';
    /** The one that the user selected last. */
    institutionId: string | null;
    /** Since when its sealed data is deleted; the rest is kept for some weeks. */
    closedAt: string | null;
  };
  webhook_endpoints: {
    id: string;
    applicationId: string;
    url: string;
    createdAt: string;
    /** The signing secret with the URL, sealed to the worker. */
    secret: Box<'worker'>;
    /** The secret before that, which also signs until it expires. */
    replacedSecret: Box<'worker'> | null;
    replacedSecretExpiresAt: string | null;
    /** The first failed attempt since the last success. */
    failingSince: string | null;
    disabledAt: string | null;
    /** 'gone': it answered 410. 'failing': no success for days. */
    disabledReason: 'gone' | 'failing' | null;
    /** Set if a command listens for the events: until when it does, unless it goes on. */
    listenerExpiresAt: string | null;
  };
  webhook_deliveries: {
    /** Empty for a test event, which is about nobody. */
    endUserId: string;
    eventId: string;
    endpointId: string;
    connectionId: string | null;
    type: keyof webhooks;
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
    /** Of the last response. */
    lastStatus: number | null;
    /** Why there was no response. */
    lastError: DashboardApi['schemas']['WebhookError'] | null;
  };
  members: {
    id: string;
    /** In lower case. */
    email: string;
    name: string;
    passwordHash: string | null;
    /** The issuer and the subject at the OpenID provider, with a line break between them. */
    oidcSubject: string | null;
    createdAt: string;
  };
  memberships: {
    organizationId: string;
    memberId: string;
    role: 'owner' | 'developer' | 'viewer';
    createdAt: string;
  };
  member_sessions: {
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
  passkeys: {
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
  sign_in_challenges: {
    id: string;
    kind: 'passkey' | 'new_passkey' | 'oidc';
    memberId: string | null;
    value: string;
    expiresAt: string;
  };
  member_tokens: {
    id: string;
    tokenHash: string;
    kind: 'invitation' | 'reset';
    organizationId: string | null;
    email: string;
    role: 'owner' | 'developer' | 'viewer' | null;
    createdAt: string;
    expiresAt: string;
  };
  organization_tokens: {
    id: string;
    organizationId: string;
    name: string;
    role: 'owner' | 'developer' | 'viewer';
    /** With spaces between. */
    scopes: string;
    expiresAt: string;
    /** Keyed, of the secret and all columns before it but the name. */
    hash: Buffer;
    /** The version of the service's secret that the key of the hash derives from. */
    signingSecretId: string;
    createdAt: string;
    /** The email of the owner who created it. */
    createdBy: string;
    revokedAt: string | null;
    /** To the minute. */
    lastUsedAt: string | null;
  };
  sign_in_attempts: {
    key: string;
    count: number;
    windowEndsAt: string;
  };
  audit_events: {
    organizationId: string;
    /** Sorts by time. */
    id: string;
    at: string;
    action: DashboardApi['schemas']['AuditAction'];
    memberId: string | null;
    /** Of the organization token that made the request. */
    tokenId: string | null;
    email: string | null;
    subject: string | null;
    /** A JSON object of texts. */
    details: string;
    address: string | null;
  };
  consent_texts: {
    /** Of 'text': SHA-256 in base64url. */
    hash: string;
    /** A JSON object, with the language. */
    text: string;
    createdAt: string;
  };
  metrics_per_minute: {
    applicationId: string;
    kind: 'operation' | 'key' | 'institution' | 'abandoned_link_session' | 'sign_in_over_limit';
    minute: string;
    subject: string;
    total: number;
    /** Requests: client errors. Refreshes: refused by the institution. */
    refused: number;
    /** Requests: server errors. Refreshes: the institution could not be reached. */
    failed: number;
    sumMs: number;
    maxMs: number;
  };
  request_log: {
    applicationId: string;
    /** Sorts by time. */
    id: string;
    requestId: string;
    at: string;
    keyId: string;
    operation: string;
    status: number;
    outcome: 'succeeded' | 'refused' | 'failed';
    /** Of the problem. */
    code: string | null;
    /** A JSON list of the wrong parameters' names. */
    parameters: string | null;
    milliseconds: number;
  };
  consent_revocations: {
    /** That of the connection that was revoked. */
    id: string;
    applicationId: string;
    organizationId: string;
    environment: 'production' | 'sandbox';
    institutionId: string;
    /** Of a sign-in: the consent is kept if its connection is delivered. */
    linkSessionId: string | null;
    /** Its connection, once that is linked. */
    connectionId: string | null;
    /** What the connector needs, sealed to the worker. */
    credentials: Box<'worker'>;
    createdAt: string;
    dueAt: string;
  };
  bank_pauses: {
    /** The environment, or the organization whose Sandbox it is; what is paused; its name. */
    key: string;
    until: string;
    /** How many pauses have followed each other. */
    pauses: number;
  };
  directories: {
    /** Its name in the setting CONNECTORS. */
    connector: string;
    /** How often the list has been stored. */
    version: number;
    /** When it is to be asked again, also if the process that asks is killed. */
    dueAt: string;
    /** A JSON list; null until the first answer. */
    institutions: string | null;
    /** Of the name and the list. */
    signature: Buffer | null;
  };
  institution_logos: {
    hash: string;
    bytes: Buffer;
  };
  rate_limit_counters: {
    key: string;
    /** Minutes since 1970. */
    minute: number;
    count: number;
  };
  sandbox_kv: {
    organizationId: string;
    /** Of the key, which is sealed together with the value. */
    fingerprint: Buffer;
    position: number;
    sealed: Buffer;
  };
  sandbox_loads: {
    id: number;
    organizationId: string;
    startedAt: string;
    finishedAt: string | null;
  };
  sandbox_logins: {
    organizationId: string;
    /** Of the login, which is sealed. */
    fingerprint: Buffer;
    loadId: number;
    /** That of the load. */
    loginFingerprint: Buffer;
    sealed: Buffer;
  };
  sandbox_transactions: {
    loadId: number;
    position: number;
    loginFingerprint: Buffer;
    accountFingerprint: Buffer;
    date: string;
    /** Over the account and the bank's own id; null where the file has none. */
    transactionFingerprint: Buffer | null;
    sealed: Buffer;
  };
  sandbox_clocks: {
    organizationId: string;
    offsetSeconds: number;
    changedAt: string;
  };
}
