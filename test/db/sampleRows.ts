// A database with rows in every table: the rows of a link in the sandbox, and others derived from them, in states that a
// link passes through only briefly.
import type { Tables } from 'knex/types/tables.js';
import { type Database, openDatabase } from '../../src/platform/db/open.ts';
import { afterFile } from '../support/cleanups.ts';
import type { DatabaseKind } from '../support/databases.ts';
import { link, startService } from '../support/testService.ts';

/** One row of each table. */
export type SampleRows = { [Table in keyof Tables]: Tables[Table] };
type Linked = Omit<SampleRows, keyof ReturnType<typeof makeLists>>;

export const past = '2001-01-01T00:00:00.000Z';
export const future = '2999-01-01T00:00:00.000Z';
export const bytes = Buffer.alloc(16, 1);

const linkedTables = [
  ...(['organizations', 'applications', 'api_keys', 'service_secrets', 'audit_events'] as const),
  ...(['end_users', 'external_users', 'resource_owners', 'data_keys', 'consent_texts', 'consents'] as const),
  ...(['connections', 'connection_events', 'accounts', 'transactions', 'transaction_blocks'] as const),
  ...(['link_sessions', 'jobs'] as const),
];

export const makeSampleDatabase = async (kind: DatabaseKind) => {
  const { url, drop } = await kind.create();
  afterFile(drop);
  await linkSandboxUser(url);
  const db = await openDatabase(url);
  afterFile(db.close);
  const found = await Promise.all(
    linkedTables.map(async (table) => [table, await db.read(table).first('*')]),
  );
  const linked: Linked = Object.fromEntries(found);
  const lists = makeLists(linked);
  await addRows(db, { ...makeVariants(linked), ...lists });
  await changeRows(db, linked);
  const firsts = Object.entries(lists).map(([table, [row]]) => [table, row]);
  const rows: SampleRows = { ...linked, ...Object.fromEntries(firsts) };
  return { db, rows };
};

/** The service is stopped before the calls, so that its worker changes nothing meanwhile. */
const linkSandboxUser = async (databaseUrl: string): Promise<void> => {
  const service = await startService({ existing: { databaseUrl } });
  await link(service, { externalUserId: 'user-1' });
  await service.close();
};

const addRows = async ({ write }: Database, lists: { [Table in keyof Tables]?: Tables[Table][] }) => {
  for (const [table, rows] of Object.entries(lists)) await write(table).insert(rows);
};

const changeRows = async ({ write }: Database, { applications, jobs }: Linked): Promise<void> => {
  const company = { companyName: 'Shop Ltd', companyPrivacyUrl: 'https://shop.example/privacy' };
  await write('organizations').where({ id: applications.organizationId }).update(company);
  const { id } = applications;
  await write('applications').where({ id }).update({ logoHash: 'hash', identityServiceSecretId: 'secret' });
  await write('jobs').where({ connectionId: jobs.connectionId }).update({ lastFailure: 'bank_unavailable' });
};

/** Rows of the tables that the link used. Their ids describe how they differ. */
const makeVariants = (linked: Linked) => {
  const { organizations, applications, api_keys, audit_events, connections, jobs, transaction_blocks } =
    linked;
  const session = { ...linked.link_sessions, lockedUntil: past, expiresAt: past, connectionId: 'claimed' };
  return {
    organizations: ['strict', 'empty'].map((id) => ({ ...organizations, id, passkeysRequiredAt: past })),
    applications: [{ ...applications, id: 'archived', archivedAt: past }],
    api_keys: [{ ...api_keys, id: 'unused' }],
    audit_events: [{ ...audit_events, id: 'of member', memberId: 'member' }],
    connections: [
      { ...connections, id: 'undelivered', deliveryExpiresAt: past },
      { ...connections, id: 'revoked', revokedAt: past },
      { ...connections, id: 'purging', purgeStartedAt: past },
      { ...connections, id: 'broken', reconnectReason: 'invalid_credentials' },
      { ...connections, id: 'expiring', consentExpiresAt: future, consentDueAt: past },
      { ...connections, id: 'lagging', laggingAccountIds: 'acc_lagging' },
    ],
    accounts: [{ ...linked.accounts, id: 'deselected', shortId: 7, deselectedAt: past }],
    transaction_blocks: [{ ...transaction_blocks, block: 7 }],
    jobs: [
      { ...jobs, connectionId: 'claimed', kind: 'import' as const, linkSessionId: 'importing' },
      { ...jobs, connectionId: 'production', environment: 'production' as const },
      { ...jobs, connectionId: 'reconnecting', linkSessionId: 'importing', refreshDueAt: past },
    ].map((job) => ({ ...job, dueAt: past, leaseToken: 'token', leaseExpiresAt: past })),
    link_sessions: [
      { ...session, id: 'importing', state: 'importing' as const, importRequestSealed: bytes },
      { ...session, id: 'finished', state: 'finished' as const, deliveredAt: null },
      { ...session, id: 'challenge', state: 'challenge' as const, returnHash: 'hash' },
      { ...session, id: 'left', state: 'consent' as const, reached: 'consent' as const, closedAt: past },
    ],
  };
};

const makeLists = (linked: { [Table in (typeof linkedTables)[number]]: Tables[Table] }) => {
  const { organizations, applications, api_keys, end_users, accounts } = linked;
  const { endUserId } = end_users;
  const organizationId = organizations.id;
  const applicationId = applications.id;
  const [createdAt, expiresAt] = [past, future];
  const memberId = 'member';
  const login = { loginFingerprint: bytes };
  const named = { organizationId, fingerprint: bytes, sealed: bytes };
  const endpoint = {
    ...{ id: 'endpoint', applicationId, url: 'https://shop.example/', createdAt, secret: bytes },
    ...{ replacedSecret: bytes, replacedSecretExpiresAt: future, failingSince: past },
    ...{ disabledAt: null, disabledReason: null, listenerExpiresAt: null },
  };
  const delivery = {
    ...{ endUserId, eventId: 'event', endpointId: 'endpoint', connectionId: null, body: '{}', createdAt },
    ...{ type: 'connection.created' as const, state: 'failed' as const, attempts: 1, dueAt: past },
    ...{ leaseToken: null, leaseExpiresAt: null, lastAttemptAt: past, lastStatus: 500, lastError: null },
  };
  const token = {
    ...{ id: 'token', tokenHash: 'hash', kind: 'invitation' as const, organizationId, email: 'b@c.example' },
    ...{ role: 'viewer' as const, createdAt, expiresAt },
  };
  const metrics = {
    ...{ applicationId, kind: 'operation' as const, minute: past, subject: 'getAccount' },
    ...{ total: 1, refused: 0, failed: 0, sumMs: 5, maxMs: 5 },
  };
  const transaction = {
    ...{ ...login, loadId: 98, position: 0, accountFingerprint: bytes, date: '2001-01-01' },
    ...{ transactionFingerprint: bytes, sealed: bytes },
  };
  return {
    processes: [
      {
        ...{ id: 'process', kind: 'serve' as const, host: 'host', startedAt: past, seenAt: past },
        ...{ loadedKeyIds: '[]', usedKeyIds: '[]', schemaVersion: 1 },
      },
    ],
    application_logos: [{ applicationId, bytes }],
    demo_api_key: [{ id: api_keys.id }],
    block_deletions: [{ endUserId, accountShortId: accounts.shortId, block: 7, deleteAfter: past }],
    staged_texts: [
      { endUserId, refreshId: 'refresh', accountId: accounts.id, ordinal: 1, sealed: bytes, createdAt },
    ],
    simplefin_accesses: [
      {
        ...{ endUserId, id: 'access', applicationId, externalUserId: 'user-1', label: 'Budget', createdAt },
        ...{ claimExpiresAt: future, lastUsedAt: null, postedOnly: 0, sealed: bytes },
      },
    ],
    webhook_endpoints: [endpoint, { ...endpoint, id: 'listener', listenerExpiresAt: past }],
    webhook_deliveries: [delivery, { ...delivery, eventId: 'claimed', leaseToken: 'token' }],
    members: [
      {
        ...{ id: memberId, email: 'a@b.example', name: 'Ada', createdAt },
        ...{ passwordHash: null, oidcSubject: 'subject' },
      },
    ],
    memberships: [organizationId, 'strict'].map((id) => ({
      ...{ organizationId: id, memberId, role: 'owner' as const, createdAt },
    })),
    member_sessions: [
      {
        ...{ id: 'session', secretHash: 'hash', memberId, method: 'password' as const, browser: 'Firefox' },
        ...{ address: '192.0.2.1', createdAt, lastUsedAt: past, expiresAt },
      },
    ],
    passkeys: [
      {
        ...{ id: 'passkey', memberId, credentialId: 'credential', publicKey: bytes, counter: 2 ** 32 - 1 },
        ...{ transports: '[]', name: 'Key', createdAt, lastUsedAt: null },
      },
    ],
    sign_in_challenges: [
      { id: 'challenge', kind: 'passkey' as const, memberId, value: 'value', expiresAt },
      { id: 'of nobody', kind: 'passkey' as const, memberId: null, value: 'value', expiresAt },
    ],
    member_tokens: [token, { ...token, id: 'first owner', tokenHash: 'other', email: '' }],
    organization_tokens: [
      {
        ...{ id: 'organization token', organizationId, name: 'CI', role: 'developer' as const },
        ...{ scopes: 'read sandbox', expiresAt, hash: bytes, signingSecretId: 'secret', createdAt },
        ...{ createdBy: 'a@b.example', revokedAt: null, lastUsedAt: null },
      },
    ],
    sign_in_attempts: [{ key: 'key', count: 3, windowEndsAt: past }],
    metrics_per_minute: [
      metrics,
      { ...metrics, kind: 'abandoned_link_session' as const, subject: 'consent' },
    ],
    request_log: [
      {
        ...{
          applicationId,
          id: '1',
          requestId: 'req_1',
          at: past,
          keyId: api_keys.id,
          operation: 'getAccount',
        },
        ...{ status: 404, outcome: 'refused' as const, code: null, parameters: null, milliseconds: 5 },
      },
    ],
    consent_revocations: [
      {
        ...{
          id: 'rev',
          applicationId,
          organizationId,
          environment: 'production' as const,
          institutionId: 'bank',
        },
        ...{ linkSessionId: null, connectionId: null, credentials: bytes, createdAt, dueAt: past },
      },
    ],
    bank_pauses: [{ key: 'production institution bank', until: past, pauses: 1 }],
    directories: [
      { connector: 'connector', version: 1, dueAt: past, institutions: '[]', signature: bytes },
      { connector: 'new', version: 0, dueAt: past, institutions: null, signature: null },
    ],
    institution_logos: [{ hash: 'hash', bytes }],
    rate_limit_counters: [{ key: 'key', minute: 1, count: 1 }],
    sandbox_kv: [0, 1].map((position) => ({ ...named, position })),
    sandbox_loads: [99, 98].map((id) => ({ id, organizationId, startedAt: past, finishedAt: past })),
    sandbox_logins: [{ ...named, ...login, loadId: 99 }],
    sandbox_transactions: [{ ...transaction, loadId: 99 }, transaction],
    sandbox_clocks: [{ organizationId, offsetSeconds: 60, changedAt: past }],
  };
};
