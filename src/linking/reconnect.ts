// Reconnecting: new credentials for a connection that exists. Its accounts must be the same; history, ids,
// cursors and the token go on as they were.
import { findAccountRows } from '../accounts/store.ts';
import type { Connection } from '../connections/connection.ts';
import { recordConnectionEvent } from '../connections/events.ts';
import { findConnectionRow, markConnectionRefreshed } from '../connections/store.ts';
import { BankUnreachable } from '../errors.ts';
import { type ClaimedWork, completeWork, LeaseLost } from '../refresh/claims.ts';
import { clearStaged } from '../refresh/clearStaged.ts';
import { nextRefreshAt } from '../refresh/due.ts';
import { type Gathered, gather, type WantedAccount } from '../refresh/gather.ts';
import { publish } from '../refresh/publish.ts';
import { findAgain } from '../refresh/refreshConnection.ts';
import { findEndUser } from '../users/store.ts';
import { sealForWorker } from '../vault/workerSeal.ts';
import {
  AccountsMismatch,
  finishSession,
  type ImportTools,
  progressNoter,
  resultFor,
  underOrder,
} from './follow.ts';
import { refreshWork } from './schedule.ts';
import type { ImportOrder, SessionRow } from './session.ts';
import { sessionEnd } from './start.ts';

/** Follows a session's order to reconnect. Throws where it should be tried again. */
export const reconnectConnection = async (
  tools: ImportTools,
  work: ClaimedWork,
  signal: AbortSignal,
): Promise<void> => {
  await underOrder(tools, work, signal, async (session, order, call) => {
    const connection = await findConnectionRow(tools.db.read, {
      endUserId: work.endUserId,
      id: work.connectionId,
    });
    const bank = tools.registry.find(work.environment, order.institution.id)?.bank;
    if (!connection || connection.revokedAt) throw new AccountsMismatch();
    if (!bank) throw new BankUnreachable('down');
    const accounts = await findAgain(tools, connection, await bank.accounts(order.access, call));
    await checkAccounts(tools, connection, accounts);
    const gathered = await gather(tools, {
      endUserId: work.endUserId,
      bank,
      access: order.access,
      accounts,
      call,
      onProgress: progressNoter(tools, session.id),
    });
    await publishReconnect(tools, work, { session, order, gathered });
    await clearStaged(tools, gathered);
  });
};

// Every account that the bank showed at the last refresh must be there; one that it had stopped showing before
// then may have been closed.
const checkAccounts = async (
  tools: ImportTools,
  connection: Connection,
  found: readonly WantedAccount[],
): Promise<void> => {
  const held = await findAccountRows(tools.db.read, {
    endUserId: connection.endUserId,
    connectionId: connection.id,
  });
  const again = new Set(found.map((account) => account.held?.id));
  const missing = held.some(
    (account) => account.lastSeenAt === connection.refreshedAt && !again.has(account.id),
  );
  if (missing || found.length === 0) throw new AccountsMismatch();
};

const publishReconnect = async (
  tools: ImportTools,
  work: ClaimedWork,
  { session, order, gathered }: { session: SessionRow; order: ImportOrder; gathered: Gathered },
): Promise<void> => {
  const { clock, limits, fingerprintKey } = tools;
  const user = await findEndUser(tools.db.read, work.endUserId);
  if (!user) throw new LeaseLost();
  const now = clock.now(work.environment);
  const { connectionId, endUserId } = work;
  const kept = { values: order.values, deviceToken: order.deviceToken };
  const credentials = sealForWorker(kept, connectionId, tools.worker.publicKey);
  await tools.db.transaction(async (trx) => {
    await completeWork(trx, work, refreshWork(work, nextRefreshAt(now, limits, Math.random())));
    const restored = await markConnectionRefreshed(
      trx,
      { endUserId, id: connectionId },
      { now, full: true, credentials },
    );
    if (!restored) throw new LeaseLost();
    await publish(trx, gathered, { endUserId, publicKey: user.publicKey, connectionId, now, fingerprintKey });
    const event = { kind: 'reconnected', at: now, real: clock.real() } as const;
    await recordConnectionEvent(trx, work, event, limits.connectionEventsMax);
    await finishSession(trx, session, {
      endUserId,
      expiresAt: sessionEnd(tools),
      result: resultFor(session, order, gathered, { connectionId, endUserId, isNew: false }),
    });
  });
};
