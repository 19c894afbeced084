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
    /** The oldest version of the schema whose processes can run. */
    oldestVersion: number;
  };
  service_secrets: {
    name: string;
    /** Counts the versions of a secret, from 1. */
    ordinal: number;
    keyId: string;
    /** The id of the public half, if the secret is the private half of a pair. */
    publicKeyId: string | null;
    /** 'announced': processes load it. 'current': used for new data. 'replaced': its data is being re-encrypted or re-signed. 'retiring': something that cannot be renewed still needs it. */
    state: 'announced' | 'current' | 'replaced' | 'retiring';
    createdAt: string;
    /** The time when its state last changed. */
    changedAt: string;
  };
  processes: {
    id: string;
    kind: 'serve' | 'serve --no-worker' | 'worker' | 'command';
    host: string;
    startedAt: string;
    seenAt: string;
    /** A JSON list of ids in service_secrets: the versions that it can open and verify with. */
    loadedKeyIds: string;
    /** A JSON list of those that it uses for new data. */
    usedKeyIds: string;
    /** The version of the schema that the process expects. */
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
    /** The time when passkeys became required for its members. */
    passkeysRequiredAt: string | null;
  };
  applications: {
    id: string;
    organizationId: string;
    name: string;
    environment: 'production' | 'sandbox';
    /** A JSON list of the origins that may open the widget. */
    origins: string;
    /** A JSON list of the addresses to which banks' own pages return users of its native apps. */
    returnAddresses: string;
    createdAt: string;
    /** The time when React Native apps were allowed to open the widget. */
    nativeAllowedAt: string | null;
    /** The time when signed external user ids became required. */
    identityRequiredAt: string | null;
    /** The creation time of its identity secret. */
    identitySecretAt: string | null;
    /** The version of the service's secret that the identity secret derives from. */
    identityServiceSecretId: string | null;
    /** The hash by which its logo is found. */
    logoHash: string | null;
    /** The colour of its buttons in the widget, #rrggbb. */
    color: string | null;
    archivedAt: string | null;
    /** The time of its first link session, kept here because link sessions are deleted after some weeks. */
    firstLinkSessionAt: string | null;
    /** The owners' limit; null for the operator's maximum. */
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
    /** The email of the member or the id of the organization token that created it. */
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
    /** The worker's signature of the user, its application and external user id, and the public key. */
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
    /** Sealed to the user by the refresh that created it. */
    sealed: Buffer;
    /** Wrapped under the token's secret by its first reader. */
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
    /** The time when it is discarded (real time); null once the page has acknowledged the result. */
    deliveryExpiresAt: string | null;
    /** The link session that created it. */
    linkSessionId: string | null;
    /** The reason why refreshes have stopped until the user reconnects. */
    reconnectReason: string | null;
    /** The end of the user's consent at the bank, if the bank reports it. */
    consentExpiresAt: string | null;
    /** The time of the next notification of the application; the last one is after the consent has ended. */
    consentDueAt: string | null;
    /** The worker's signature of all ids of this row and the environment. */
    signature: Buffer;
    /** The bank credentials, sealed to the worker; null once the connection is revoked or discarded. */
    credentials: Box<'worker'> | null;
    /** The key of its fingerprints, sealed to the worker; null if the credentials are null. */
    fingerprintKey: Box<'worker'> | null;
    /** The id of that key, so that the signature covers it. */
    fingerprintKeyId: string;
    refreshedAt: string;
    refreshedFullyAt: string | null;
    /** The accounts that the last refresh could not read completely, separated by spaces; null if there are none. */
    laggingAccountIds: string | null;
    /** The number of posted transactions that became void because the bank left them out. */
    withdrawnTransactions: number;
    /** The number of readings of an account that left out too many transactions to be trusted. */
    doubtedReadings: number;
    /** Fingerprints (16 bytes each) of accounts that the bank lists, the user does not share, and the application knows about. */
    offeredFingerprints: Buffer | null;
    /** The connection of the end user that had one of its accounts when it was linked. */
    duplicateOf: string | null;
    /** The time when its deletion started, which hides it from every process. */
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
    /** The link session in which it was given. */
    linkSessionId: string;
    /** The application's time. */
    acceptedAt: string;
    /** A BCP 47 tag. */
    language: string;
    textHash: string;
    /** The worker's signature of all of this. */
    signature: Buffer;
  };
  accounts: {
    endUserId: string;
    id: string;
    connectionId: string;
    position: number;
    bankIdFingerprint: Buffer;
    /** The fingerprint of number and currency. */
    numberFingerprint: Buffer;
    /** The fingerprint of the bank's id and currency. */
    currencyFingerprint: Buffer;
    /** Details and balance; each refresh uses a new key. */
    sealed: Buffer;
    /** The key of 'sealed', sealed to the end user. */
    keySealed: Buffer;
    /** The same key, wrapped under the token's secret by its first reader. */
    keyWrapped: Buffer | null;
    /** Identifies the account among its end user's in the keys of its transactions: random, and shorter than an id. */
    shortId: number;
    /** Its newest refresh that changed transactions, as a time in milliseconds. */
    lastRefreshTime: number;
    /** The 'seq' of the next new transaction, which keeps transactions in the order of their arrival. */
    nextSeq: number;
    /** The time of the stored balance. */
    balanceAsOf: string;
    /** The last time that the bank listed this account. */
    lastSeenAt: string;
    /** The last time that its transactions were read; null if never. */
    readAt: string | null;
    /** The last day (YYYY-MM-DD) that was read then. */
    readTo: string | null;
    /** The day (YYYY-MM-DD) from which they are complete, if the bank reports it. */
    historyFrom: string | null;
    /** The first day (YYYY-MM-DD) of the transactions that the bank left out then; null if it left out none. */
    missingFrom: string | null;
    /** The first day (YYYY-MM-DD) of an account that continues one in another currency, which keeps the earlier transactions. */
    startsOn: string | null;
    /** The account that continues this one in another currency. */
    replacedBy: string | null;
    /** The time when the user stopped sharing it (the application's time). */
    deselectedAt: string | null;
  };
  transactions: {
    endUserId: string;
    accountShortId: number;
    /** In days since 1970. */
    date: number;
    /** The order of arrival of the account's transactions. */
    seq: number;
    /** The 16 bytes that its public id encodes. */
    id: Buffer;
    /** The refresh that last changed it, as a time in milliseconds. */
    refreshTime: number;
    /** 0 is pending, 1 posted, 2 void: the index in 'transactionStatuses'. */
    status: number;
    /** The block that contains its text. */
    block: number;
    /** The position in the block. */
    position: number;
    fingerprint: Buffer;
    bankIdFingerprint: Buffer | null;
    /** The fingerprint of amount and currency. */
    amountFingerprint: Buffer;
    /** The time when the bank first left it out, in minutes since 1970; null while the bank returns it. */
    missingSince: number | null;
  };
  transaction_blocks: {
    endUserId: string;
    accountShortId: number;
    /** Derived from the time of sealing: 64 numbers for each millisecond since 1970. */
    block: number;
    dataKeyId: string;
    /** The number of transactions that refer to it. */
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
    /** The expiry of its setup token; null once the token was claimed. */
    claimExpiresAt: string | null;
    lastUsedAt: string | null;
    /** 1 if it never returns pending transactions, else 0. */
    postedOnly: number;
    /** The end user's secret and the ids of the accounts, under a key that only the setup token contains; after the claim, under one that only the password contains. */
    sealed: Buffer;
  };
  jobs: {
    connectionId: string;
    endUserId: string;
    applicationId: string;
    /** Refreshes in the Sandbox follow its clock; everything else follows real time. */
    organizationId: string;
    environment: 'production' | 'sandbox';
    institutionId: string;
    kind: 'import' | 'reconnect' | 'refresh';
    /** The link session of an import or a reconnect. */
    linkSessionId: string | null;
    dueAt: string;
    /** The time until which the bank allows no refresh, even on request. */
    notBefore: string | null;
    /** The due time of the next refresh of all accounts; an earlier one reads only lagging accounts. */
    fullAt: string | null;
    /** The unattended requests to the bank in the last 24 hours: time and subject, one line each. */
    asked: string | null;
    /** The due time of the refresh that a reconnect replaced, for rescheduling unless it succeeds. */
    refreshDueAt: string | null;
    attempts: number;
    leaseToken: string | null;
    leaseExpiresAt: string | null;
    /** The code of the last attempt's failure; null after a success. */
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
    /** The time until which other steps must wait; set while a step runs. */
    lockedUntil: string | null;
    /** The result of the steps so far. Only the session's secret opens it, and only while the ids above are unchanged. */
    stateSealed: Buffer | null;
    /** The address to which the bank's own page returns the user of a native app. */
    returnAddress: string | null;
    /** While the user is on the bank's own page: the hash of the state of their return, then of the request that accepted it. */
    returnHash: string | null;
    /** The query of their return. Only the session's secret opens it. */
    returnSealed: Box<'page'> | null;
    /** The worker's input for the import. Only the worker's key opens it. */
    importRequestSealed: Box<'worker'> | null;
    connectionId: string | null;
    endUserId: string | null;
    /** The progress of the import: a JSON object of counts. */
    progress: string | null;
    failure: WidgetApi['schemas']['FailedView']['reason'] | null;
    /** The number of credentials and answers that the institution has rejected. */
    rejections: number;
    /** The argument of onSuccess, or the sign-in of a failed import, for another attempt. Only the session's secret opens it. */
    resultSealed: Box<'page'> | null;
    deliveredAt: string | null;
    createdAt: string;
    expiresAt: string;
    /** The furthest state, for statistics; 'ended' counts as finished. */
    reached: 'consent' | 'institution' | 'credentials' | 'challenge' | 'accounts' | 'importing' | 'finished';
    /** The institution that the user selected last. */
    institutionId: string | null;
    /** The time when its sealed data was deleted; the rest is kept for some weeks. */
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
    /** 'gone': it responded with 410. 'failing': no success for days. */
    disabledReason: 'gone' | 'failing' | null;
    /** Set while a command listens for the events: the time when it ends unless the command renews it. */
    listenerExpiresAt: string | null;
  };
  webhook_deliveries: {
    /** Empty for a test event, which has no end user. */
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
    /** The time of the next attempt; null unless it is pending. */
    dueAt: string | null;
    leaseToken: string | null;
    leaseExpiresAt: string | null;
    lastAttemptAt: string | null;
    /** The status of the last response. */
    lastStatus: number | null;
    /** The reason for having no response. */
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
    /** A JSON list of the ways in which the browser can reach it. */
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
    /** Separated by spaces. */
    scopes: string;
    expiresAt: string;
    /** The keyed hash of the secret and of all columns before it except the name. */
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
    /** The organization token that made the request. */
    tokenId: string | null;
    email: string | null;
    subject: string | null;
    /** A JSON object of texts. */
    details: string;
    address: string | null;
  };
  consent_texts: {
    /** The SHA-256 hash of 'text' in base64url. */
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
    /** The code of the problem. */
    code: string | null;
    /** A JSON list of the names of wrong parameters. */
    parameters: string | null;
    milliseconds: number;
  };
  consent_revocations: {
    /** The connection's id, if it was revoked. */
    id: string;
    applicationId: string;
    organizationId: string;
    environment: 'production' | 'sandbox';
    institutionId: string;
    /** The link session of a sign-in: the consent is kept if its connection is delivered. */
    linkSessionId: string | null;
    /** Its connection, once that is linked. */
    connectionId: string | null;
    /** The connector's input, sealed to the worker. */
    credentials: Box<'worker'>;
    createdAt: string;
    dueAt: string;
  };
  bank_pauses: {
    /** The environment, or the organization of the Sandbox; the kind of the paused object; its name. */
    key: string;
    until: string;
    /** The number of consecutive pauses. */
    pauses: number;
  };
  directories: {
    /** Its name in the setting CONNECTORS. */
    connector: string;
    /** The number of times that the list was stored. */
    version: number;
    /** The time of the next request, including after a process was killed during one. */
    dueAt: string;
    /** A JSON list; null until the first response. */
    institutions: string | null;
    /** The worker's signature of the name and the list. */
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
    /** The fingerprint of the key, which is sealed together with the value. */
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
    /** The fingerprint of the login, which is sealed. */
    fingerprint: Buffer;
    loadId: number;
    /** The fingerprint of the login within the load. */
    loginFingerprint: Buffer;
    sealed: Buffer;
  };
  sandbox_transactions: {
    loadId: number;
    position: number;
    loginFingerprint: Buffer;
    accountFingerprint: Buffer;
    date: string;
    /** The fingerprint of the account and the bank's own id; null if the file has no id. */
    transactionFingerprint: Buffer | null;
    sealed: Buffer;
  };
  sandbox_clocks: {
    organizationId: string;
    offsetSeconds: number;
    changedAt: string;
  };
}
