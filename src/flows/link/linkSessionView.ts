// The view of a link session, which the widget's page shows in each state, and the end of the session: delivering its
// result, acknowledging it, and cancelling the session.
import type { Institution } from '../../../connectors/kit/contract.ts';
import { logoPath } from '../../../connectors/kit/logo.ts';
import { accountDetails } from '../../domain/codec/account.ts';
import { queueConnectionWebhook } from '../../domain/connections/events.ts';
import { cancelLinkJob, failedRow, findLinkJob, type LinkJobKey } from '../../domain/connections/jobs.ts';
import {
  type Connection,
  findConnectionRow,
  markConnectionDelivered,
} from '../../domain/connections/store.ts';
import type { DbTransaction } from '../../platform/db/open.ts';
import type { JobRow, LinkSessionRow } from '../../platform/db/tables.ts';
import { seconds } from '../../platform/values/clock.ts';
import { Conflict, LinkSessionExpired } from '../../platform/values/errors.ts';
import { encodeScopedToken } from '../../platform/vault/scopedToken.ts';
import { consentOf } from './consent.ts';
import { nativeOrigin, reloadLinkSession } from './createLinkSession.ts';
import {
  finalFailures,
  type LinkFailureReason,
  type LinkingDeps,
  type LinkResult,
  type LinkSessionView,
  type OpenLinkSession,
  type RetryTarget,
} from './linkSession.ts';
import * as store from './store.ts';

/** The view of a session. Throws LinkSessionExpired when its result was acknowledged. */
export const toLinkSessionView = async (
  deps: LinkingDeps,
  session: OpenLinkSession,
): Promise<LinkSessionView> => {
  const { row, savedState } = session;
  const frame = toViewFrame(deps, session);
  const institution = frame.institution!;
  const { error } = savedState;
  switch (row.state) {
    case 'consent':
      return { ...frame, state: 'consent', consent: await consentOf(deps, session) };
    case 'institution': {
      const noInstitutions = deps.registry.institutions(session.application.environment).length === 0;
      return { ...frame, state: 'institution', ...(noInstitutions && { noInstitutions: true }) };
    }
    case 'credentials':
      return {
        ...frame,
        state: 'credentials',
        institution,
        fields: credentialFields(deps, session),
        helpUrl: helpUrl(deps, session),
        error,
      };
    case 'challenge':
      return { ...frame, state: 'challenge', institution, challenge: savedState.challenge!, error };
    case 'accounts':
      return { ...frame, state: 'accounts', institution, ...toAccountChoices(session) };
    case 'importing':
      return { ...frame, state: 'importing', institution, ...toProgress(row) };
    case 'finished':
      return { ...frame, state: 'finished', institution, result: toResult(session) };
    case 'failed': {
      const reason = row.failure ?? 'internal';
      return {
        ...frame,
        state: 'failed',
        reason,
        retryTargets: retryTargets(deps, session, reason),
        helpUrl: frame.institution && helpUrl(deps, session),
      };
    }
    case 'ended':
      throw new LinkSessionExpired();
  }
};

const toViewFrame = (deps: LinkingDeps, session: OpenLinkSession) => {
  const { row, application, savedState } = session;
  const { institution } = savedState;
  return {
    version: row.version,
    application: {
      name: application.name,
      environment: application.environment,
      ...(application.logoHash && { logo: logoPath(application.logoHash) }),
      ...(application.color && { color: application.color }),
    },
    ...(deps.operator && { operator: deps.operator.name }),
    reconnect: row.reconnectConnectionId !== null,
    ...(institution && { institution: findInstitution(deps, session)?.profile ?? institution }),
    ...(row.lockedUntil && row.lockedUntil > deps.clock.real().toISOString() && { busy: true as const }),
  };
};

/** The selected institution; undefined when no connector has it any more. */
const findInstitution = (deps: LinkingDeps, { application, savedState }: OpenLinkSession) =>
  deps.registry.find(application.environment, savedState.institution!.id);

/** The sign-in fields of the selected institution. Throws LinkSessionExpired when no connector has it any more. */
export const credentialFields = (deps: LinkingDeps, session: OpenLinkSession): Institution['fields'] => {
  const found = findInstitution(deps, session);
  if (!found) throw new LinkSessionExpired();
  return found.institution.fields;
};

// A web view of a native app opens no other page.
const helpUrl = (deps: LinkingDeps, session: OpenLinkSession): string | undefined =>
  session.row.origin === nativeOrigin ? undefined : findInstitution(deps, session)?.institution.helpUrl;

// The page selects accounts by index, so that the bank's ids stay on the server.
const toAccountChoices = ({ savedState: { accounts = [], accountIds = [], duplicate } }: OpenLinkSession) => {
  const idsOf = (bankIds: readonly string[]): string[] =>
    accounts.flatMap(({ id }, index) => (bankIds.includes(id) ? [String(index)] : []));
  const choices = accounts.map((account, index) => ({ id: String(index), ...accountDetails(account) }));
  if (!duplicate) return { accounts: choices };
  const { canReconnect } = duplicate;
  const ids = { accountIds: idsOf(duplicate.accountIds), selectedIds: idsOf(accountIds) };
  return { accounts: choices, alreadyConnected: { ...ids, canReconnect } };
};

const toProgress = (row: LinkSessionRow) => (row.progress ? { progress: JSON.parse(row.progress) } : {});

const toResult = (session: OpenLinkSession): LinkResult => {
  const { newEndUserId, ...opened } = session.openResult();
  const result = { ...opened, linkSessionId: session.row.id };
  if (newEndUserId === undefined) return result;
  const secret = Buffer.from(session.savedState.userSecret!, 'base64url');
  return { ...result, scopedToken: encodeScopedToken({ endUserId: newEndUserId, secret }) };
};

/**
 * The states to which `retry` can lead, the usual one first: none after too many rejections. A session that reconnects cannot
 * select another institution.
 */
export const retryTargets = (
  { limits }: Pick<LinkingDeps, 'limits'>,
  { row, savedState }: OpenLinkSession,
  reason: LinkFailureReason,
): RetryTarget[] => {
  const isFinal = finalFailures.includes(reason) || row.rejections >= limits.linkRejectionsMax;
  // Without its sealed state a session has ended: the user has closed the widget.
  if (isFinal || row.stateSealed === null) return [];
  const repeated = savedState.access === undefined ? 'credentials' : 'accounts';
  if (row.reconnectConnectionId !== null) return [repeated];
  return savedState.institution ? [repeated, 'institution'] : ['institution'];
};

/** The current view. A result that was delivered once can no longer be superseded by another session. */
export const viewLinkSession = async (
  deps: LinkingDeps,
  session: OpenLinkSession,
): Promise<LinkSessionView> => {
  const view = await toLinkSessionView(deps, session);
  if (view.state === 'importing') {
    // Without a job, the session ended just now: the next poll shows how.
    const job = await findLinkJob(deps.db.read, linkJobKey(session.row));
    return job && isWaiting(deps, job) ? { ...view, waiting: true } : view;
  }
  if (view.state === 'finished' && !session.row.deliveredAt) {
    const marked = await store.markDelivered(deps.db.write, session.row.id, deps.clock.real());
    // Another session of the same new end user has just superseded this one.
    if (!marked) return toLinkSessionView(deps, await reloadLinkSession(deps, session));
  }
  return view;
};

/** Whether no worker has taken up a job for long, or the one that had it has died. */
const isWaiting = (
  { clock, limits }: LinkingDeps,
  { dueAt, leaseExpiresAt }: Pick<JobRow, 'dueAt' | 'leaseExpiresAt'>,
): boolean => {
  const since = leaseExpiresAt && leaseExpiresAt > dueAt ? leaseExpiresAt : dueAt;
  return Date.parse(since) + seconds(limits.importWaitingSeconds) <= clock.real().getTime();
};

const linkJobKey = ({ id, connectionId }: LinkSessionRow): LinkJobKey => ({
  connectionId: connectionId!,
  linkSessionId: id,
});

/**
 * The page's host has the result: the connection stays and the session's sealed data is deleted. Throws Conflict when
 * there is no result yet, and LinkSessionExpired when the connection was discarded.
 */
export const acknowledgeLinkSession = async (deps: LinkingDeps, { row }: OpenLinkSession): Promise<void> => {
  if (row.state === 'ended') return;
  if (row.state !== 'finished') throw new Conflict();
  const key = { endUserId: row.endUserId!, id: row.connectionId! };
  await deps.db.transaction(async (trx) => {
    if (!(await markConnectionDelivered(trx, key, deps.clock.real()))) throw new LinkSessionExpired();
    const cleared = { stateSealed: null, resultSealed: null, importRequestSealed: null };
    const ended = { state: 'ended', ...cleared } as const;
    // A second acknowledgement of the same result, at the same time, changes nothing.
    if (!(await store.transitionLinkSession(trx, { id: row.id, from: ['finished'] }, ended))) return;
    if (row.reconnectConnectionId === null)
      await queueCreated(deps, trx, row, (await findConnectionRow(trx, key))!);
  });
};

const queueCreated = async (
  { clock }: LinkingDeps,
  trx: DbTransaction,
  { applicationId }: LinkSessionRow,
  { endUserId, id: connectionId, reconnectReason, revokedAt }: Connection,
): Promise<void> => {
  const about = { applicationId, endUserId, connectionId };
  const real = clock.real();
  await queueConnectionWebhook(trx, about, { type: 'connection.created' }, real);
  // The bank may have refused a refresh, or somebody revoked the connection, before the page had the result.
  if (revokedAt !== null) await queueConnectionWebhook(trx, about, { type: 'connection.revoked' }, real);
  if (revokedAt !== null || reconnectReason === null) return;
  const needsReconnect = { type: 'connection.needs_reconnect', reason: reconnectReason } as const;
  await queueConnectionWebhook(trx, about, needsReconnect, real);
};

/**
 * The end user closed the widget. A finished session stays; any other one fails, its import is deleted, and the refresh
 * that its reconnect replaced is scheduled again.
 */
export const cancelLinkSession = async ({ db }: LinkingDeps, { row }: OpenLinkSession): Promise<void> => {
  await db.transaction(async (trx) => {
    // The job ends before the session changes: the lock order of every transaction that changes both.
    if (row.state === 'importing') await cancelLinkJob(trx, linkJobKey(row));
    const ended = { stateSealed: null, resultSealed: null };
    // A failed session keeps its reason, which is probably why the user closed the widget.
    if (await store.transitionLinkSession(trx, { id: row.id, from: ['failed'] }, ended)) return;
    const open = ['consent', 'institution', 'credentials', 'challenge', 'accounts', 'importing'] as const;
    const change = { ...failedRow('cancelled'), ...ended };
    await store.transitionLinkSession(trx, { id: row.id, from: open }, change);
  });
};
