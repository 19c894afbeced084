// The view that the widget's page shows in each state of a link session, and the session's end: delivering and acknowledging
// its result, and cancelling it.
import { logoPath } from '../../../connectors/kit/logo.ts';
import { accountDetails } from '../../domain/codec/account.ts';
import { cancelLinkJob, failedRow, findLinkJob, type LinkJobKey } from '../../domain/connections/jobs.ts';
import { acknowledgeConnection, type Connection, findConnectionRow } from '../../domain/connections/store.ts';
import { queueConnectionWebhook } from '../../domain/connections/webhooks.ts';
import type { DbTransaction } from '../../platform/db/open.ts';
import type { JobRow, LinkSessionRow } from '../../platform/db/tables.ts';
import { seconds } from '../../platform/values/clock.ts';
import { Conflict, LinkSessionExpired } from '../../platform/values/errors.ts';
import { encodeScopedToken } from '../../platform/vault/scopedToken.ts';
import { consentOf } from './consent.ts';
import { nativeOrigin, reloadLinkSession } from './createLinkSession.ts';
import {
  finalFailures,
  type In,
  type LinkingDeps,
  type LinkResult,
  type LinkSessionView,
  type LinkStepKind,
  linkSteps,
  type OpenLinkSession,
  type RetryTarget,
  selectedIn,
} from './linkSession.ts';
import { findInstitution, requireInstitution } from './step.ts';
import * as store from './store.ts';

/** The view of a session. Throws LinkSessionExpired if its result was acknowledged. */
export const toLinkSessionView = async (
  deps: LinkingDeps,
  session: OpenLinkSession,
): Promise<LinkSessionView> => {
  const { row, state } = session;
  const frame = toViewFrame(deps, session);
  const profileOf = ({ institution }: { institution: { id: string; name: string } }) => ({
    institution: frame.institution ?? institution,
  });
  switch (state.at) {
    case 'consent':
      return { ...frame, state: 'consent', consent: await consentOf(deps, session) };
    case 'institution': {
      const noInstitutions = deps.registry.institutions(session.application.environment).length === 0;
      return { ...frame, state: 'institution', ...(noInstitutions && { noInstitutions: true }) };
    }
    case 'credentials':
      return {
        ...{ ...frame, ...profileOf(state), state: 'credentials', error: state.error },
        ...{
          fields: requireInstitution({ deps, session }).institution.fields,
          helpUrl: helpUrl(deps, session),
        },
      };
    case 'challenge': {
      const { challenge, error, reading } = state;
      const shown = { challenge, error, for: reading ? 'reading' : 'signIn' } as const;
      return { ...frame, ...profileOf(state), state: 'challenge', ...shown };
    }
    case 'accounts':
      return { ...frame, ...profileOf(state), state: 'accounts', ...toAccountChoices(deps, state) };
    case 'importing':
      return { ...frame, ...profileOf(state), state: 'importing', ...toProgress(row) };
    case 'finished':
      return { ...frame, ...profileOf(state), state: 'finished', result: toResult(row, state) };
    case 'failed':
    case 'ended':
      if (row.state !== 'failed') throw new LinkSessionExpired();
      return {
        ...{ ...frame, state: 'failed', reason: row.failure ?? 'internal' },
        ...{ retryTargets: retryTargets(deps, session), helpUrl: helpUrl(deps, session) },
      };
  }
};

const toViewFrame = (deps: LinkingDeps, session: OpenLinkSession) => {
  const { row, application, state } = session;
  const institution = selectedIn(state);
  return {
    ...{ version: row.version, steps: allowedSteps(deps, session) },
    application: {
      name: application.name,
      environment: application.environment,
      ...(application.logoHash && { logo: logoPath(application.logoHash) }),
      ...(application.color && { color: application.color }),
    },
    ...(deps.operator && { operator: deps.operator.name }),
    reconnect: row.reconnectConnectionId !== null,
    ...(institution && { institution: findInstitution({ deps, session })?.profile ?? institution }),
    ...(row.lockedUntil && row.lockedUntil > deps.clock.real().toISOString() && { busy: true as const }),
  };
};

// A native app's web view cannot open another page.
const helpUrl = (deps: LinkingDeps, session: OpenLinkSession): string | undefined =>
  session.row.origin === nativeOrigin ? undefined : findInstitution({ deps, session })?.institution.helpUrl;

// The page selects accounts by index, so that the bank's ids stay on the server.
const toAccountChoices = (
  { clock, limits: { retentionDays } }: LinkingDeps,
  { accounts, asked, sharedIds, historyUntil }: In<'accounts'>,
) => {
  const idsOf = (bankIds: readonly string[]): string[] =>
    accounts.flatMap(({ id }, index) => (bankIds.includes(id) ? [String(index)] : []));
  const choices = {
    accounts: accounts.map((account, index) => ({ id: String(index), ...accountDetails(account) })),
    ...(sharedIds && { shared: { accountIds: idsOf(sharedIds), retentionDays } }),
    ...(historyUntil && historyUntil > clock.real().toISOString() && { historyUntil }),
  };
  if (!asked) return choices;
  const { canReconnect, accountIds } = asked.duplicate;
  const ids = { accountIds: idsOf(accountIds), selectedIds: idsOf(asked.accountIds) };
  return { ...choices, alreadyConnected: { ...ids, canReconnect } };
};

const toProgress = (row: LinkSessionRow) => (row.progress ? { progress: JSON.parse(row.progress) } : {});

const toResult = ({ id }: LinkSessionRow, { result: opened, userSecret }: In<'finished'>): LinkResult => {
  const { newEndUserId, ...shared } = opened;
  const result = { ...shared, linkSessionId: id };
  if (newEndUserId === undefined) return result;
  const secret = Buffer.from(userSecret, 'base64url');
  return { ...result, scopedToken: encodeScopedToken({ endUserId: newEndUserId, secret }) };
};

/**
 * The states to which `retry` can lead, the usual one first; empty after too many rejections. A reconnecting session cannot
 * select another institution.
 */
export const retryTargets = (
  { limits }: Pick<LinkingDeps, 'limits'>,
  { row, state }: OpenLinkSession,
): RetryTarget[] => {
  const isFinal =
    finalFailures.includes(row.failure ?? 'internal') || row.rejections >= limits.linkRejectionsMax;
  if (isFinal || state.at !== 'failed') return [];
  const repeated = state.signedIn ? 'accounts' : 'credentials';
  if (row.reconnectConnectionId !== null) return [repeated];
  return state.institution ? [repeated, 'institution'] : ['institution'];
};

/** The steps that a session allows now. A reconnecting session keeps its institution. */
export const allowedSteps = (deps: Pick<LinkingDeps, 'limits'>, session: OpenLinkSession): LinkStepKind[] => {
  const { row, state } = session;
  if (state.at === 'failed' && retryTargets(deps, session).length === 0) return [];
  const kinds = Object.keys(linkSteps[state.at]) as LinkStepKind[];
  const leavesInstitution = state.at === 'credentials' || state.at === 'accounts';
  const hasBack = row.reconnectConnectionId === null || !leavesInstitution;
  return kinds.filter((kind) => kind !== 'back' || hasBack);
};

/** The current view. Once a result is delivered, no other session can supersede it. */
export const viewLinkSession = async (
  deps: LinkingDeps,
  session: OpenLinkSession,
): Promise<LinkSessionView> => {
  const view = await toLinkSessionView(deps, session);
  if (view.state === 'importing') {
    // Without a job, the session has just ended; the next poll shows how.
    const job = await findLinkJob(deps.db.read, linkJobKey(session.row));
    return job && isWaiting(deps, job) ? { ...view, waiting: true } : view;
  }
  if (view.state === 'finished' && !session.row.deliveredAt) {
    const marked = await store.markResultShown(deps.db.write, session.row.id, deps.clock.real());
    // Another session of the same new end user has just superseded this one.
    if (!marked) return toLinkSessionView(deps, await reloadLinkSession(deps, session));
  }
  return view;
};

/** True if no worker has picked up a job for some time, or its worker died. */
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
 * Confirms that the page's host has the result: keeps the connection and deletes the session's sealed data. Throws Conflict if
 * there is no result yet, and LinkSessionExpired if the connection was discarded.
 */
export const acknowledgeLinkSession = async (deps: LinkingDeps, { row }: OpenLinkSession): Promise<void> => {
  if (row.state === 'ended') return;
  if (row.state !== 'finished') throw new Conflict();
  const key = { endUserId: row.endUserId!, id: row.connectionId! };
  await deps.db.transaction(async (trx) => {
    if (!(await acknowledgeConnection(trx, key, deps.clock.real()))) throw new LinkSessionExpired();
    const cleared = { stateSealed: null, resultSealed: null, importRequestSealed: null };
    // A concurrent acknowledgement of the same result changes nothing.
    if (!(await store.moveLinkSession(trx, row.id, 'acknowledge', cleared))) return;
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
  // The bank may have refused a refresh, or somebody may have revoked the connection, before the page had the result.
  if (revokedAt !== null) await queueConnectionWebhook(trx, about, { type: 'connection.revoked' }, real);
  if (revokedAt !== null || reconnectReason === null) return;
  const needsReconnect = { type: 'connection.needs_reconnect', reason: reconnectReason } as const;
  await queueConnectionWebhook(trx, about, needsReconnect, real);
};

/**
 * Called when the end user closes the widget. A finished session stays; any other session fails, its import is deleted, and the
 * refresh that its reconnect replaced is scheduled again.
 */
export const cancelLinkSession = async ({ db }: LinkingDeps, { row }: OpenLinkSession): Promise<void> => {
  await db.transaction(async (trx) => {
    // Ends the job before changing the session, in the lock order of every transaction that changes both.
    if (row.state === 'importing') await cancelLinkJob(trx, linkJobKey(row));
    const ended = { stateSealed: null, resultSealed: null };
    // A failed session keeps its reason, which is probably why the user closed the widget.
    if (await store.moveLinkSession(trx, row.id, 'close', ended)) return;
    await store.moveLinkSession(trx, row.id, 'cancel', { ...failedRow('cancelled'), ...ended });
  });
};
