// The end of a session as the page sees it: the result until it is acknowledged, and giving up.
import { findConnectionRow, markConnectionDelivered } from '../connections/store.ts';
import { Conflict, LinkSessionExpired } from '../errors.ts';
import { hasLinkJob, type LinkJobKey, deleteLinkJob } from '../refresh/jobs.ts';
import { restoreRefreshJob } from './restoreRefreshJob.ts';
import type { OpenLinkSession, LinkSessionRow, LinkSessionView } from './linkSession.ts';
import { reloadLinkSession } from './createLinkSession.ts';
import { failedRow, markDelivered, transitionLinkSession } from './store.ts';
import type { LinkingDeps } from './deps.ts';
import { toLinkSessionView } from './linkSessionView.ts';

/** The present view. A result that is shown once can no longer be superseded by another session. */
export const viewLinkSession = async (
  tools: LinkingDeps,
  session: OpenLinkSession,
): Promise<LinkSessionView> => {
  const view = toLinkSessionView(tools, session);
  if (view.state === 'importing' && !(await hasLinkJob(tools.db.read, linkJobKey(session.row)))) {
    // The connection was revoked, or is reconnected by another session: nobody will end this one. Or the import was
    // published in this very moment: then there is a result to show, as any other.
    const change = { ...failedRow('session_expired'), stateSealed: null };
    await transitionLinkSession(tools.db.write, { id: session.row.id, from: ['importing'] }, change);
    return viewLinkSession(tools, await reloadLinkSession(tools, session));
  }
  if (view.state === 'finished' && !session.row.deliveredAt) {
    const marked = await markDelivered(tools.db.write, session.row.id, tools.clock.real());
    // Another session of the same new user took its place in this very moment: show that.
    if (!marked) return toLinkSessionView(tools, await reloadLinkSession(tools, session));
  }
  return view;
};

const linkJobKey = ({ id, connectionId }: LinkSessionRow): LinkJobKey => ({
  connectionId: connectionId!,
  linkSessionId: id,
});

/** The host has the result: the connection stays, the session forgets. Throws Conflict before, Expired after. */
export const acknowledgeLinkSession = async (tools: LinkingDeps, { row }: OpenLinkSession): Promise<void> => {
  if (row.state === 'ended') return;
  if (row.state !== 'finished') throw new Conflict();
  const key = { endUserId: row.endUserId!, id: row.connectionId! };
  await tools.db.transaction(async (trx) => {
    const connection = await findConnectionRow(trx, key);
    const now = tools.clock.real().toISOString();
    if (!connection || (connection.deliveryExpiresAt && connection.deliveryExpiresAt <= now))
      throw new LinkSessionExpired();
    if (!(await markConnectionDelivered(trx, key))) throw new LinkSessionExpired();
    const nothing = { stateSealed: null, resultSealed: null, importRequestSealed: null };
    await transitionLinkSession(trx, { id: row.id, from: ['finished'] }, { state: 'ended', ...nothing });
  });
};

/** The user closed the widget. What is finished stays; everything else is forgotten, an import too. */
export const cancelLinkSession = async (
  tools: LinkingDeps,
  { row, application }: OpenLinkSession,
): Promise<void> => {
  await tools.db.transaction(async (trx) => {
    // The work goes first, as in every transaction that touches both.
    const withdrawn = row.state === 'importing' && (await deleteLinkJob(trx, linkJobKey(row)));
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
    const moved = await transitionLinkSession(trx, { id: row.id, from: open }, change);
    if (moved && withdrawn && row.reconnectId) {
      await restoreRefreshJob(trx, tools, row, application.environment);
    }
  });
};
