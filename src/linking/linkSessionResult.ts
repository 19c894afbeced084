// The end of a link session: delivering its result, acknowledging it, and cancelling the session.
import { findConnectionRow, markConnectionDelivered } from '../connections/store.ts';
import type { LinkSessionRow } from '../db/tables.ts';
import { Conflict, LinkSessionExpired } from '../errors.ts';
import { deleteLinkJob, hasLinkJob, type LinkJobKey, putJob } from '../refresh/jobs.ts';
import { refreshJobAfterReconnect } from '../refresh/refreshRequests.ts';
import { reloadLinkSession } from './createLinkSession.ts';
import type { LinkingDeps, LinkSessionView, OpenLinkSession } from './linkSession.ts';
import { toLinkSessionView } from './linkSessionView.ts';
import { failedRow, markDelivered, transitionLinkSession } from './store.ts';

/** The current view. A result that was delivered once can no longer be superseded by another session. */
export const viewLinkSession = async (
  deps: LinkingDeps,
  session: OpenLinkSession,
): Promise<LinkSessionView> => {
  const view = toLinkSessionView(deps, session);
  if (view.state === 'importing' && !(await hasLinkJob(deps.db.read, linkJobKey(session.row)))) {
    // The connection was revoked, or another session reconnects it: no job will end this session. If the import was
    // published just now, the transition changes nothing and the result is delivered.
    const change = { ...failedRow('session_expired'), stateSealed: null };
    await transitionLinkSession(deps.db.write, { id: session.row.id, from: ['importing'] }, change);
    return viewLinkSession(deps, await reloadLinkSession(deps, session));
  }
  if (view.state === 'finished' && !session.row.deliveredAt) {
    const marked = await markDelivered(deps.db.write, session.row.id, deps.clock.real());
    // Another session of the same new end user has just superseded this one.
    if (!marked) return toLinkSessionView(deps, await reloadLinkSession(deps, session));
  }
  return view;
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
    const connection = await findConnectionRow(trx, key);
    const now = deps.clock.real().toISOString();
    if (!connection || (connection.deliveryExpiresAt && connection.deliveryExpiresAt <= now))
      throw new LinkSessionExpired();
    if (!(await markConnectionDelivered(trx, key))) throw new LinkSessionExpired();
    const cleared = { stateSealed: null, resultSealed: null, importRequestSealed: null };
    await transitionLinkSession(trx, { id: row.id, from: ['finished'] }, { state: 'ended', ...cleared });
  });
};

/** The end user closed the widget. A finished session stays; any other one fails, and its import is deleted. */
export const cancelLinkSession = async (
  deps: LinkingDeps,
  { row, application }: OpenLinkSession,
): Promise<void> => {
  await deps.db.transaction(async (trx) => {
    // The job is deleted before the session changes: the lock order of every transaction that changes both.
    const jobDeleted = row.state === 'importing' && (await deleteLinkJob(trx, linkJobKey(row)));
    const open = [
      'consent',
      'institution',
      'credentials',
      'challenge',
      'accounts',
      'importing',
      'failed',
    ] as const;
    const change = { ...failedRow('cancelled'), stateSealed: null };
    const changed = await transitionLinkSession(trx, { id: row.id, from: open }, change);
    if (changed && jobDeleted && row.reconnectConnectionId) {
      const { environment } = application;
      const job = { connectionId: row.connectionId!, endUserId: row.endUserId!, environment };
      const refreshJob = await refreshJobAfterReconnect(trx, deps, job);
      if (refreshJob) await putJob(trx, refreshJob);
    }
  });
};
