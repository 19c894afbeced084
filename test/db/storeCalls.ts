// A call to every function in src that sends SQL, by module, for storeFunctions.test.ts. The types require a call to each.
import type * as applications from '../../src/domain/applications/store.ts';
import * as audit from '../../src/domain/audit/store.ts';
import { rowsAhead } from '../../src/domain/codec/block.ts';
import type * as bankData from '../../src/domain/connections/bankDataStore.ts';
import type * as consents from '../../src/domain/connections/consentStore.ts';
import * as connectionJobs from '../../src/domain/connections/jobs.ts';
import type * as listedConnections from '../../src/domain/connections/listStore.ts';
import type * as purgedConnections from '../../src/domain/connections/purgeStore.ts';
import type * as revocations from '../../src/domain/connections/revocationStore.ts';
import type * as connections from '../../src/domain/connections/store.ts';
import type * as directories from '../../src/domain/institutions/directoryStore.ts';
import type * as pauses from '../../src/domain/institutions/pauseStore.ts';
import type * as sandbox from '../../src/domain/institutions/sandbox/store.ts';
import type * as organizationTokens from '../../src/domain/members/organizationTokenStore.ts';
import type * as passkeys from '../../src/domain/members/passkeyStore.ts';
import type * as memberSessions from '../../src/domain/members/sessionStore.ts';
import type * as signIns from '../../src/domain/members/signInStore.ts';
import type * as members from '../../src/domain/members/store.ts';
import type * as memberTokens from '../../src/domain/members/tokenStore.ts';
import type * as rateLimits from '../../src/domain/rateLimits/store.ts';
import * as metrics from '../../src/domain/requestLog/store.ts';
import type * as users from '../../src/domain/users/store.ts';
import type * as webhooks from '../../src/domain/webhooks/store.ts';
import type * as listedSessions from '../../src/flows/link/listStore.ts';
import type * as purgedSessions from '../../src/flows/link/purgeStore.ts';
import type * as linkSessions from '../../src/flows/link/store.ts';
import type * as accountStore from '../../src/flows/refresh/accountStore.ts';
import * as jobs from '../../src/flows/refresh/jobs.ts';
import * as purgedRefreshes from '../../src/flows/refresh/purgeStore.ts';
import * as refresh from '../../src/flows/refresh/store.ts';
import type * as simplefin from '../../src/flows/simplefin/store.ts';
import { renewable } from '../../src/operations/secrets/renewRows.ts';
import type * as secrets from '../../src/operations/secrets/store.ts';
import * as health from '../../src/operations/signals/refreshHealth.ts';
import type { Database, DbTransaction } from '../../src/platform/db/open.ts';
import type * as renewableColumns from '../../src/platform/db/renewable.ts';
import type { RenewableColumn } from '../../src/platform/db/renewable.ts';
import { limits } from '../../src/platform/settings/limits.ts';
import { deriveKeyPair, makeSecret } from '../../src/platform/vault/keys.ts';
import { deriveSigningKeys } from '../../src/platform/vault/sign.ts';
import { keysetOf } from '../support/keysetOf.ts';
import { bytes, future, past, type SampleRows } from './sampleRows.ts';

type StoreFunction = (...given: never[]) => Promise<unknown>;
type Rest<Given> = Given extends (first: never, ...rest: infer Values) => unknown ? Values : never;

/** The arguments after the transaction, of one call or of several, or a function that makes the call itself. */
type Calls<Given> =
  | Rest<Given>
  | { each: Rest<Given>[] }
  | ((trx: DbTransaction, db: Database) => Promise<unknown>);

type ModuleCalls<Module> = {
  [Name in keyof Module as Module[Name] extends StoreFunction ? Name : never]: Calls<Module[Name]>;
};

/** Exported functions that send no statement, with their purpose. */
export const withoutStatements = {
  ...{ encodeIds: 'text', failedRow: 'columns', LeaseLost: 'an error', pausedUntil: 'a time' },
  ...{ refreshReplacedBy: 'columns', verifyOwners: 'a key' },
};

const each = <Values>(...each: Values[]): { each: Values[] } => ({ each });

const calls = <Module>(of: ModuleCalls<Module>): Record<string, Calls<StoreFunction>> =>
  of as Record<string, Calls<StoreFunction>>;

const now = new Date(future);
const earlier = new Date(past);
const limit = 1000;
/** The position before the newest row of a list. */
const newest = { createdAt: future, id: '' };

export const storeCalls = (rows: SampleRows): Record<string, Record<string, Calls<StoreFunction>>> => ({
  ...callsOfApplications(rows),
  ...callsOfConnections(rows),
  ...callsOfData(rows),
  ...callsOfMembers(rows),
  ...callsOfOperation(rows),
  ...callsOfSandbox(rows),
  ...callsOfRenewal(rows),
});

const callsOfApplications = (rows: SampleRows) => {
  const { organizations: organization, applications: application, api_keys: key } = rows;
  const { id } = application;
  const endpoint = rows.webhook_endpoints;
  const delivery = rows.webhook_deliveries;
  const claimed = { ...delivery, eventId: 'claimed', leaseToken: 'token' };
  const busy = { busyEndpoints: ['busy'], waitingOrganizations: ['waits'] };
  const access = rows.simplefin_accesses;
  const accessesOfUser = { applicationId: id, externalUserId: 'user-1' };
  const page = { after: undefined, limit, now: past };
  return {
    'domain/applications/store.ts': calls<typeof applications>({
      lockFirstStart: ['postgres'],
      insertOrganization: [{ id: 'new', name: 'New', createdAt: past }],
      findOrganizations: [],
      findOrganizationName: [organization.id],
      insertApplication: [{ ...application, id: 'new', origins: [], returnAddresses: [] }],
      hasAnyApplication: [],
      findApplication: [id],
      findActiveApplication: [id],
      findApplications: [],
      lockApplication: [id],
      updateApplication: [id, { name: 'New', origins: [], returnAddresses: [], requestsPerMinute: 5 }],
      recordFirstLinkSession: ['archived', past],
      updateArchivedAt: each([id, past], ['archived', null]),
      updateLogo: each([id, { hash: 'new', bytes }], [id, undefined]),
      findLogo: ['hash'],
      countApplicationsByIdentitySecret: ['secret'],
      findApplicationsByOrganization: [organization.id],
      renameOrganization: [organization.id, 'New'],
      findCompany: [organization.id],
      updateCompany: each([organization.id, { name: 'New' }], [organization.id, undefined]),
      insertApiKey: [{ ...key, id: 'new', createdBy: 'a@b.example' }],
      findListedApiKeys: [id],
      recordApiKeyUse: [key.id, future],
      findApiKey: [key.id],
      findApiKeysByApplication: [id],
      countApiKeysBySecret: [key.signingSecretId, earlier],
      insertDemoApiKey: ['unused'],
      findDemoApiKey: [],
      markApiKeyRevoked: [key.id, now],
    }),
    'domain/webhooks/store.ts': calls<typeof webhooks>({
      insertEndpoint: [{ ...endpoint, id: 'new' }],
      findEndpoint: [endpoint.id],
      findEndpoints: [id],
      countUnhealthyEndpoints: each([], [id]),
      findReceivingEndpoints: [id, past],
      updateEndpoint: [endpoint.id, { disabledAt: past, disabledReason: 'gone' }],
      replaceSecret: [endpoint.id, { secret: bytes, replacedSecretExpiresAt: past }],
      markEndpointFailing: [endpoint.id, past],
      markEndpointWorking: [endpoint.id],
      disableFailingEndpoint: [endpoint.id, future, past],
      deleteEndpoint: [endpoint.id],
      insertDeliveries: [[endpoint.id], { ...delivery, eventId: 'new' }],
      findDueDeliveries: each(
        [future, limit, { busyEndpoints: [], waitingOrganizations: [] }],
        [future, limit, { ...busy, endpointId: endpoint.id }],
      ),
      claimDelivery: [delivery, future],
      renewDelivery: [claimed, future],
      releaseDelivery: [claimed, { state: 'delivered', attempts: 2, lastStatus: 204, dueAt: null }],
      findDeliveries: each(
        [endpoint.id, { limit }],
        [endpoint.id, { state: 'failed', after: newest, limit }],
      ),
      countDeliveries: [[endpoint.id]],
      replayDeliveries: each(
        [endpoint.id, { eventId: 'event' }, past],
        [endpoint.id, { state: 'failed' }, past],
      ),
      deleteDeliveriesBefore: [future, limit],
      findExpiredListeners: [future],
    }),
    'flows/simplefin/store.ts': calls<typeof simplefin>({
      insertSimplefinAccess: [{ ...access, id: 'new' }],
      findSimplefinAccess: [access],
      countSimplefinAccesses: [access.endUserId],
      findAccountIds: [{ endUserId: access.endUserId, connectionIds: [rows.accounts.connectionId] }],
      markClaimed: [access, { sealed: bytes, now: past }],
      markSimplefinAccessUsed: [access, past],
      deleteSimplefinAccess: each([access], [access, future]),
      deleteSimplefinAccessesOf: [access.endUserId],
      findExpiredClaims: [future, limit],
      findSimplefinAccesses: each(
        [{ applicationId: id }, page],
        [accessesOfUser, { ...page, after: newest }],
      ),
    }),
  };
};

const callsOfConnections = (rows: SampleRows) => {
  const { connections: connection, consents: consent, link_sessions: session, jobs: job } = rows;
  const { applicationId, endUserId } = connection;
  const { id: organizationId } = rows.organizations;
  const ofUser = (id: string) => ({ ...connection, id });
  const first = { endUserId, id: '', value: '', createdAt: '' };
  const visibility = { applicationId, real: '', revokedAfter: '' };
  const page = { visibility, filter: {}, sort: 'createdAt' as const, limit };
  const sessionPage = { applicationId, now: past, filter: {}, limit };
  const locked = { id: 'importing', version: session.version };
  const returned = { returnHash: 'other', returnSealed: bytes };
  const importRequest = { id: 'importing', importRequestSealed: bytes };
  const claimed = { ...job, connectionId: 'claimed', linkSessionId: 'importing', leaseToken: 'token' };
  const failure = { reason: 'bank_unavailable', at: now };
  const keys = {
    workerKeys: keysetOf(deriveKeyPair(makeSecret())),
    signingKeys: keysetOf(deriveSigningKeys(makeSecret())),
  };
  const ofConnection = { endUserId, connectionId: connection.id };
  const { accounts: account } = rows;
  const clock = { real: () => earlier, now: () => now, organizationsAhead: () => [organizationId, ''] };
  return {
    'domain/connections/consentStore.ts': calls<typeof consents>({
      insertConsentText: [rows.consent_texts],
      findConsentTexts: [[consent.textHash]],
      insertConsent: [{ ...consent, linkSessionId: 'new' }],
      findConsents: [consent, limit],
    }),
    'domain/connections/jobs.ts': calls<typeof connectionJobs>({
      lockActiveConnection: [{ endUserId, connectionId: connection.id }],
      failWaitingSession: ['importing'],
      removeJob: ['claimed'],
      removeRefresh: [job.connectionId],
      putJob: [{ ...job, kind: 'reconnect', linkSessionId: 'new' }],
      findJob: [job.connectionId],
      findLinkJob: [claimed],
      cancelLinkJob: each([claimed], [{ ...claimed, connectionId: 'reconnecting' }]),
      replaceJob: (trx) => connectionJobs.replaceJob(connectionJobs.matchingJobs(trx, job), undefined),
      matchingJobs: [{ kind: 'refresh', connectionId: job.connectionId }],
      unclaimedJobs: [{}, future],
      dueByClockAhead: [clock, { organizationId, real: '' }],
      runRefreshesSooner: [{ connectionId: job.connectionId }, past],
    }),
    'domain/connections/listStore.ts': calls<typeof listedConnections>({
      findListedConnections: each(
        [{ ...page, filter: { state: 'active', key: connection, refreshedBefore: future } }],
        [{ ...page, filter: { state: 'pending', institutionId: connection.institutionId } }],
        [{ ...page, filter: { state: 'revoked' }, after: { ...first, value: future } }],
        [{ ...page, filter: { state: 'needs_reconnect' }, sort: 'refreshedAt', after: first }],
        [{ ...page, filter: { externalUserId: 'user' }, sort: 'externalUserId', after: first }],
      ),
      countByState: [visibility],
    }),
    'domain/connections/revocationStore.ts': calls<typeof revocations>({
      insertRevocation: [{ ...rows.consent_revocations, id: 'new', linkSessionId: 'new' }],
      findDueRevocations: [future, limit],
      postponeRevocation: [rows.consent_revocations, now],
      linkRevocation: [rows.consent_revocations.id, connection.id],
      deleteRevocation: [rows.consent_revocations.id],
    }),
    'domain/connections/store.ts': calls<typeof connections>({
      findConnectionRow: [connection],
      findActiveConnections: [connection.endUserId, now],
      findConnectionsPage: each(
        [{ limit }],
        [{ applicationId, externalUserId: 'user-1', after: first, limit }],
      ),
      countNeedsReconnect: [],
      countLagging: [],
      sumAbsences: [],
      sandboxesOf: [rows.organizations.id],
      findConsentsDue: each([{ at: future }, limit], [{ at: future, organizationId }, limit]),
      moveConsentDue: [ofUser('expiring'), { at: future, next: null }],
      markNeedsReconnect: [connection, 'locked'],
      insertConnection: [{ ...connection, id: 'new', linkSessionId: 'new' }],
      markConnectionRevoked: [connection, now],
      acknowledgeConnection: [connection, now],
      discardConnection: [ofUser('undelivered'), now],
      replaceCredentials: [ofConnection, bytes],
      recordConnectionEvent: [rows.connection_events, { kind: 'refreshed', at: now, real: now }, 1],
      findConnectionEvents: [rows.connection_events],
    }),
    'flows/link/listStore.ts': calls<typeof listedSessions>({
      findListedLinkSessions: each(
        [sessionPage],
        [{ ...sessionPage, filter: { outcome: 'connected', institutionId: session.institutionId! } }],
        [{ ...sessionPage, filter: { linkSessionId: session.id }, after: newest }],
      ),
      countByReached: [{ applicationId, from: '' }],
      countByInstitution: [{ applicationId, from: '', now: past }],
    }),
    'flows/link/store.ts': calls<typeof linkSessions>({
      insertLinkSession: [{ ...session, id: 'new' }],
      findLinkSession: [session.id],
      lockStep: [locked, { now: future, until: future }],
      renewStepLock: [locked, { until: past, newUntil: future }],
      unlockStep: [locked],
      saveStep: [locked, { state: 'failed', failure: 'cancelled' }],
      saveReturn: [{ id: 'challenge', returnHash: 'hash' }, returned],
      moveLinkSession: each(['importing', 'finish', { progress: null }], ['finished', 'supersede', {}]),
      recordProgress: ['importing', { done: 1, total: 2 }],
      markResultShown: ['finished', now],
      saveImportRequest: [importRequest],
    }),
    'flows/refresh/jobs.ts': calls<typeof jobs>({
      findDueJobs: (_, db) => jobs.findDueJobs(db, clock, limit, { busyInstitutions: ['busy'] }),
      claimJob: (_, db) => jobs.claimJob({ db, clock, limits }, job),
      renewLease: [claimed, { clock, limits }],
      workerTransaction: (_, db) =>
        jobs.workerTransaction({ db, ...keys }, (trx) => jobs.completeJob(trx, claimed, undefined)),
      completeJob: each([claimed, { dueAt: future }], [claimed, undefined]),
      requeueJob: each([claimed, { dueAt: now }], [claimed, { dueAt: now, failure }]),
      countRefreshesDue: (_, db) => jobs.countRefreshesDue(db, future, {}),
    }),
    'flows/refresh/accountStore.ts': calls<typeof accountStore>({
      findRefreshedConnection: [{ ...ofConnection, applicationId }],
      markRefreshed: [
        ofConnection,
        { now, full: true, laggingAccountIds: ['a'], offeredFingerprints: null, withdrawn: 1, doubted: 2 },
      ],
      findAccountRows: [account],
      insertAccount: [{ ...account, id: 'new', shortId: 1 }],
      updateAccount: [account, { keyWrapped: bytes, readAt: future }],
      deselectAccounts: [account.endUserId, [account.id], new Date(now)],
    }),
    'operations/signals/refreshHealth.ts': calls<typeof health>({
      countDueJobs: [now],
      countLiveWorkers: (_, db) => health.countLiveWorkers({ db, clock, limits }),
      refreshHealth: (_, db) => health.refreshHealth({ db, clock, limits }, rows.applications),
      countJobs: (_, db) => health.countJobs({ db, clock }),
      countFailingRefreshes: [],
      readRefreshLoads: (_, db) => health.readRefreshLoads({ db, clock, limits }, limit),
    }),
  };
};

const callsOfData = (rows: SampleRows) => {
  const { connections: connection, accounts: account, transactions: transaction, end_users: user } = rows;
  const { endUserId } = account;
  const { applicationId } = user;
  const owner = { endUserId, accountShortId: account.shortId };
  const deselected = { ...owner, id: 'deselected', connectionId: connection.id, deselectedAt: past };
  const storedBlock = rows.transaction_blocks;
  const { block, transactionCount } = storedBlock;

  const publication = { ...owner, refreshTime: transaction.refreshTime };
  const ofOther = { ...publication, endUserId: 'new' };
  const staged = rows.staged_texts;
  const at = { real: future, revokedBefore: future };
  const externalUser = { applicationId, externalUserId: 'user-1', endUserId: 'new' };
  return {
    'domain/connections/bankDataStore.ts': calls<typeof bankData>({
      findReadTimes: [endUserId, [account.id]],
      countAccounts: [account],
      findStoredAccount: [{ endUserId, id: account.id }],
      findStoredTransactions: [owner, limit],
      countTransactions: [{ endUserId, shortIds: [account.shortId] }],
    }),
    'domain/users/store.ts': calls<typeof users>({
      findEndUser: [endUserId],
      lockEndUser: [endUserId],
      insertEndUser: [{ ...user, endUserId: 'new' }],
      deleteEndUser: [user],
      findCurrentEndUserId: [applicationId, 'user-1'],
      setCurrentEndUser: each(
        [{ ...externalUser, replaces: endUserId }],
        [{ ...externalUser, externalUserId: 'new', replaces: undefined }],
      ),
      findResourceOwnersByPrefix: [connection.id.slice(0, 8), limit],
      findResourceOwner: [connection.id],
      insertResourceOwners: [[{ id: 'new', applicationId, endUserId }]],
      findDataKeys: [endUserId, [rows.data_keys.id]],
      insertDataKey: [{ ...rows.data_keys, id: 'new' }],
    }),
    'flows/refresh/store.ts': calls<typeof refresh>({
      insertStagedTexts: [{ ...staged, ordinal: 2 }],
      findStagedTexts: [staged, 1],
      insertUnpublishedBlocks: [[{ ...storedBlock, block: 1 }], future],
      insertRowsAhead: [owner, future],
      findStored: [{ ...owner, date: refresh.firstDay, seq: -1, before: refresh.afterLastDay, limit }],
      findIds: [owner, [transaction]],
      insertBlocks: [publication, [{ ...storedBlock, block: 1 }]],
      keepStoredBlocks: each([publication, endUserId, [7]], [ofOther, endUserId, [7]]),
      insertTransactions: [publication, [{ ...transaction, seq: 2 ** 31 - 1, id: bytes }]],
      updateChanged: [publication, [{ key: transaction, content: transaction }]],
      updateBankIds: [publication, [transaction]],
      updateMissingSince: each([publication, [transaction], 1], [publication, [transaction], null]),
      updateVoided: [publication, [transaction]],
      reduceTransactionCounts: [publication, [[block, transactionCount]], future],
      deleteStaged: [staged, 1],
    }),
    'domain/connections/purgeStore.ts': calls<typeof purgedConnections>({
      findExpired: each([at, limit], [{ ...at, organizationId: rows.organizations.id }, limit]),
      markPurging: [{ endUserId, id: 'undelivered' }, at],
      findPurging: [future, limit],
      hasPurgingSince: [''],
      lockPurging: [{ endUserId, id: 'purging' }],
      findAccounts: [connection],
      findDeselected: each(
        [future, { limit }],
        [future, { after: { ...deselected, deselectedAt: '' }, limit }],
      ),
      deleteDeselected: [deselected, future],
      deleteTransactions: [owner, limit],
      deleteBlocks: [owner, limit],
      deleteAccount: [{ ...owner, id: account.id }],
      deleteDataKeys: [connection, limit],
      deleteConnection: [connection],
      hasConnection: [endUserId],
    }),
    'flows/link/purgeStore.ts': calls<typeof purgedSessions>({
      findExpired: [future, limit],
      findExpiredImports: [{ now: future, after: '', limit }],
      closeExpired: [['importing'], future],
      deleteClosed: [future, limit],
      findAbandoned: [future, limit],
      deleteByIds: [['importing']],
      deleteOfConnection: ['claimed'],
      deleteClosedOfUser: [user],
    }),
    'flows/refresh/purgeStore.ts': calls<typeof purgedRefreshes>({
      findBlockDeletions: [future, limit],
      deleteBlock: [rows.block_deletions],
      abandonRowsAhead: async (trx) => {
        await refresh.insertRowsAhead(trx, owner, future);
        return purgedRefreshes.abandonRowsAhead(trx, { ...owner, block: rowsAhead, deleteAfter: future });
      },
      findStagedOf: [[account.id]],
      findStagedBefore: [future, limit],
    }),
  };
};

const callsOfMembers = (rows: SampleRows) => {
  const { members: member, memberships: membership, member_sessions: session, passkeys: passkey } = rows;
  const { organizationId } = membership;
  const memberId = member.id;
  const active = { now: past, usedAfter: '' };
  const challenge = rows.sign_in_challenges;
  const signIn = { ...challenge, now: earlier };
  const newToken = { ...rows.member_tokens, id: 'new', tokenHash: 'new' };
  const organizationToken = rows.organization_tokens;
  return {
    'domain/members/store.ts': calls<typeof members>({
      insertMember: [{ ...member, id: 'new', email: 'c@d.example', oidcSubject: 'new' }],
      findMember: each([{ id: memberId }], [{ email: member.email }], [{ oidcSubject: 'subject' }]),
      hasAnyMember: [],
      updateMember: [memberId, { name: 'New', passwordHash: 'hash' }],
      insertMembership: [{ ...membership, organizationId: 'empty' }],
      findRole: [organizationId, memberId],
      findMemberOrganizations: [memberId],
      lockUnchangedMember: [member],
      findMembers: each([organizationId], [organizationId, memberId]),
      lockOwners: [organizationId],
      updateRole: [membership, 'viewer'],
      deleteMembership: [membership],
      hasJoinedSince: [memberId, ''],
    }),
    'domain/members/sessionStore.ts': calls<typeof memberSessions>({
      insertMemberSession: [{ ...session, id: 'new', secretHash: 'new' }],
      findMemberSession: [session.secretHash, active],
      findMemberSessions: [memberId, active],
      touchMemberSession: [session.id, now],
      updateSessionMethod: [session.id, 'passkey'],
      deleteMemberSessions: each([{ memberId, id: session.id }], [{ memberId, except: 'other' }]),
      deleteExpiredMemberSessions: [{ now: future, usedBefore: future }],
    }),
    'domain/members/organizationTokenStore.ts': calls<typeof organizationTokens>({
      insertOrganizationToken: [{ ...organizationToken, id: 'new' }],
      findOrganizationToken: [organizationToken.id],
      findOrganizationTokens: [organizationId],
      touchOrganizationToken: [organizationToken.id, now],
      markOrganizationTokenRevoked: [organizationToken.id, now],
      countOrganizationTokensBySecret: [organizationToken.signingSecretId, earlier],
    }),
    'domain/members/tokenStore.ts': calls<typeof memberTokens>({
      replaceMemberToken: each([newToken], [{ ...newToken, kind: 'reset', organizationId: null }]),
      findMemberToken: [{ tokenHash: 'hash', kind: 'invitation' }, past],
      findInvitations: each([{ organizationId }, past], [{ email: rows.member_tokens.email }, past]),
      findFirstOwnerInvitedAt: [organizationId],
      deleteMemberToken: [rows.member_tokens],
      deleteResetTokens: [member.email],
      deleteResetTokensIn: [organizationId],
      deleteInvitations: [membership],
      deleteExpiredMemberTokens: [future],
    }),
    'domain/members/passkeyStore.ts': calls<typeof passkeys>({
      isPasskeyRequired: [memberId],
      updatePasskeysRequiredAt: each([organizationId, past], ['strict', null]),
      insertPasskey: [{ ...passkey, id: 'new', credentialId: 'new' }],
      findPasskeys: [memberId],
      findPasskey: [passkey.credentialId],
      markPasskeyUsed: [passkey, { counter: passkey.counter - 1, now }],
      deletePasskeys: each([{ memberId }], [{ memberId, id: passkey.id }]),
    }),
    'domain/members/signInStore.ts': calls<typeof signIns>({
      insertSignInChallenge: [{ ...challenge, id: 'new' }, now],
      consumeSignInChallenge: each([signIn], [{ ...signIn, id: 'of nobody', memberId: null }]),
      incrementSignInAttempts: each(['key', future], ['new', future]),
      findSignInAttempts: ['key'],
      deleteSignInAttempts: ['key'],
      deleteExpiredSignInAttempts: [now],
    }),
  };
};

const callsOfOperation = (rows: SampleRows) => {
  const { metrics_per_minute: row, request_log: request, service_secrets: version } = rows;
  const { audit_events: event, processes: process } = rows;
  const { applicationId } = row;
  const { organizationId, action } = event;
  const period = { from: new Date(0), until: new Date(future) };
  const query = { applicationId, kind: 'operation' as const, period };
  const ofMember = { memberId: 'member', action, from: past, until: future };
  const refused = { requestId: 'req_1', outcome: 'refused' as const, operation: 'getAccount' };
  const actor = { memberId: 'member', tokenId: null, email: 'a@b.example', address: '192.0.2.1' };
  const by = { organizationId, actor, now };
  return {
    'domain/audit/store.ts': calls<typeof audit>({
      recordAudit: [by, { action, details: { role: 'viewer' } }],
      audited: (_, db) => audit.audited(db, by, async () => ({ action })),
      findAuditEvents: each(
        [organizationId, {}, { limit }],
        [organizationId, ofMember, { after: '~', limit }],
      ),
    }),
    'domain/rateLimits/store.ts': calls<typeof rateLimits>({
      addRateLimitCounts: [[rows.rate_limit_counters, { key: 'new', minute: 1, count: 1 }]],
      deleteRateLimitCountsBefore: [2],
    }),
    'domain/requestLog/store.ts': calls<typeof metrics>({
      addMinuteMetrics: (_, db) => metrics.addMinuteMetrics(db, [row, { ...row, subject: 'new' }]),
      deleteMetricsBefore: [future],
      sumMetrics: each(['minute', query], ['subject', query]),
      insertRequests: (_, db) => metrics.insertRequests(db, [request, { ...request, id: '2' }]),
      keepNewestRequests: [applicationId, ['refused', 'failed'], 0],
      deleteRequestsBefore: [future],
      findRequests: each([applicationId, {}, { limit }], [applicationId, refused, { after: '~', limit }]),
      findRequestsByPrefix: [applicationId, 'req', limit],
    }),
    'operations/secrets/store.ts': calls<typeof secrets>({
      lockSecrets: ['postgres'],
      findVersions: [],
      insertVersion: [{ ...version, ordinal: 9 }],
      setVersionState: [version, { state: 'replaced', changedAt: future }],
      deleteVersion: [version],
      saveProcess: each([process], [{ ...process, id: 'new' }]),
      deleteProcess: [process.id],
      deleteEndedProcesses: [future],
      findProcesses: [],
    }),
  };
};

const callsOfSandbox = (rows: SampleRows) => {
  const { sandbox_transactions: transaction, sandbox_logins: login, sandbox_kv: value } = rows;
  const { directories: directory } = rows;
  const { organizationId } = login;
  return {
    'domain/institutions/directoryStore.ts': calls<typeof directories>({
      findDirectoryVersions: [],
      findDirectory: [directory.connector],
      claimDirectory: each(
        [{ connector: 'other', dueAt: future }, past],
        [{ ...directory, dueAt: future }, future],
      ),
      replaceListing: [directory, { version: 2, dueAt: future, institutions: '[]', signature: bytes }],
      putInstitutionLogo: ['other', bytes],
      findInstitutionLogo: ['hash'],
    }),
    'domain/institutions/pauseStore.ts': calls<typeof pauses>({
      findPauses: [],
      putPause: each([rows.bank_pauses], [{ ...rows.bank_pauses, pauses: 2 }]),
    }),
    'domain/institutions/sandbox/store.ts': calls<typeof sandbox>({
      lockSandbox: [organizationId],
      findValues: [[bytes], [0, 1]],
      findLastPosition: [[bytes]],
      putValue: [[bytes], value],
      insertLoad: [organizationId, now],
      insertLoadedTransactions: [[{ ...transaction, position: 1, transactionFingerprint: null }]],
      findTransactionOfEachLogin: [transaction.loadId, Buffer.alloc(0), limit],
      putLogins: [[bytes], [login]],
      finishLoad: [transaction.loadId, now],
      countOtherTransactions: [{ organizationId, loadId: 98 }],
      findLogin: [[bytes]],
      findAccountFingerprints: [transaction],
      findLastLoadedTransaction: [transaction],
      countLoadedTransactions: [transaction, ''],
      findLoadedTransactionsAfter: [transaction, { date: '', position: 0 }, limit],
      findOldLoads: [{ organizationId, except: 98, startedBefore: now }],
      deleteHiddenTransactions: [98, limit],
      deleteEmptyLoad: [98],
      findSandboxOffsets: [],
      findSandboxOffset: [organizationId],
      addSandboxOffset: [organizationId, 60, now],
    }),
  };
};

const callsOfRenewal = (rows: SampleRows) => {
  const columns: RenewableColumn[] = Object.values(renewable).flat();
  const texts = { endUserId: '', id: '', connectionId: '', linkSessionId: '', connector: '' };
  const first = { ...texts, fingerprint: Buffer.alloc(0), loadId: 0, position: 0 };
  type Page = [RenewableColumn, { after: object | undefined; limit: number }];
  const page = (column: RenewableColumn, after?: object): Page => [column, { after, limit }];
  type Change = [RenewableColumn, row: object, change: object];
  return {
    'platform/db/renewable.ts': calls<typeof renewableColumns>({
      findRenewable: each(...columns.flatMap((column) => [page(column), page(column, first)])),
      replaceUnchanged: each(
        ...columns.map((column): Change => [column, rows[column.table], { [column.column]: bytes }]),
      ),
    }),
  };
};
