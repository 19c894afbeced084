// The end of a session as the page sees it: the result until it is acknowledged, and giving up.
import { findConnectionRow, markConnectionDelivered } from '../connections/store.ts';
import { Conflict, Expired } from '../errors.ts';
import { hasSessionWork, type SessionWork, withdrawSessionWork } from '../refresh/claims.ts';
import { restoreSchedule } from './schedule.ts';
import type { OpenSession, SessionRow, View } from './session.ts';
import { reloadSession } from './start.ts';
import { failed, markDelivered, moveSession } from './store.ts';
import type { LinkingTools } from './tools.ts';
import { viewOf } from './view.ts';

/** The present view. A result that is shown once can no longer be superseded by another session. */
export const showSession = async (tools: LinkingTools, session: OpenSession): Promise<View> => {
  const view = viewOf(tools, session);
  if (view.state === 'importing' && !(await hasSessionWork(tools.db.read, workOf(session.row)))) {
    // The connection was revoked, or is reconnected by another session: nobody will end this one. Or the import was
    // published in this very moment: then there is a result to show, as any other.
    const change = { ...failed('session_expired'), memorySealed: null };
    await moveSession(tools.db.write, { id: session.row.id, from: ['importing'] }, change);
    return showSession(tools, await reloadSession(tools, session));
  }
  if (view.state === 'finished' && !session.row.deliveredAt) {
    const marked = await markDelivered(tools.db.write, session.row.id, tools.clock.real());
    // Another session of the same new user took its place in this very moment: show that.
    if (!marked) return viewOf(tools, await reloadSession(tools, session));
  }
  return view;
};

const workOf = ({ id, connectionId }: SessionRow): SessionWork => ({
  connectionId: connectionId!,
  sessionId: id,
});

/** The host has the result: the connection stays, the session forgets. Throws Conflict before, Expired after. */
export const acknowledge = async (tools: LinkingTools, { row }: OpenSession): Promise<void> => {
  if (row.state === 'ended') return;
  if (row.state !== 'finished') throw new Conflict();
  const key = { endUserId: row.endUserId!, id: row.connectionId! };
  await tools.db.transaction(async (trx) => {
    const connection = await findConnectionRow(trx, key);
    const now = tools.clock.real().toISOString();
    if (!connection || (connection.deliveryExpiresAt && connection.deliveryExpiresAt <= now))
      throw new Expired();
    if (!(await markConnectionDelivered(trx, key))) throw new Expired();
    const nothing = { memorySealed: null, resultSealed: null, orderSealed: null };
    await moveSession(trx, { id: row.id, from: ['finished'] }, { state: 'ended', ...nothing });
  });
};

/** The user closed the widget. What is finished stays; everything else is forgotten, an import too. */
export const abandon = async (tools: LinkingTools, { row, application }: OpenSession): Promise<void> => {
  await tools.db.transaction(async (trx) => {
    // The work goes first, as in every transaction that touches both.
    const withdrawn = row.state === 'importing' && (await withdrawSessionWork(trx, workOf(row)));
    const open = ['consent', 'bank', 'credentials', 'challenge', 'accounts', 'importing', 'failed'] as const;
    const change = { ...failed('abandoned'), memorySealed: null };
    const moved = await moveSession(trx, { id: row.id, from: open }, change);
    if (moved && withdrawn && row.reconnectId) {
      await restoreSchedule(trx, tools, row, application.environment);
    }
  });
};
