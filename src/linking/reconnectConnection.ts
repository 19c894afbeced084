// Reconnecting: new credentials for a connection that exists. Its accounts must be the same; history, ids,
// cursors and the token go on as they were.
import { findAccountRows } from '../accounts/store.ts';
import type { Connection } from '../connections/connection.ts';
import { recordConnectionEvent } from '../connections/events.ts';
import { findConnectionRow, markConnectionRefreshed } from '../connections/store.ts';
import { BankUnreachable } from '../errors.ts';
import { type ClaimedJob, completeJob, LeaseLost } from '../refresh/jobs.ts';
import { clearStaged } from '../refresh/staging.ts';
import { nextRefreshAt } from '../refresh/schedule.ts';
import { type FetchedAccounts, fetchAccounts, type MatchedAccount } from '../refresh/fetchAccounts.ts';
import { publish } from '../refresh/publish.ts';
import { matchAccounts } from '../refresh/refreshConnection.ts';
import { findEndUser } from '../users/store.ts';
import { sealForWorker } from '../vault/workerSeal.ts';
import {
  AccountsMismatch,
  finishLinkSession,
  type LinkJobDeps,
  progressRecorder,
  toLinkResult,
  runLinkJob,
} from './linkJob.ts';
import { nextRefreshJob } from './restoreRefreshJob.ts';
import type { ImportRequest, LinkSessionRow } from './linkSession.ts';
import { linkSessionExpiry } from './createLinkSession.ts';

/** Follows a session's order to reconnect. Throws where it should be tried again. */
export const reconnectConnection = async (
  tools: LinkJobDeps,
  work: ClaimedJob,
  signal: AbortSignal,
): Promise<void> => {
  await runLinkJob(tools, work, signal, async (session, order, call) => {
    const connection = await findConnectionRow(tools.db.read, {
      endUserId: work.endUserId,
      id: work.connectionId,
    });
    const connector = tools.registry.find(work.environment, order.institution.id)?.connector;
    if (!connection || connection.revokedAt) throw new AccountsMismatch();
    if (!connector) throw new BankUnreachable('down');
    const accounts = await matchAccounts(tools, connection, await connector.accounts(order.access, call));
    await checkAccounts(tools, connection, accounts);
    const gathered = await fetchAccounts(tools, {
      endUserId: work.endUserId,
      connector,
      access: order.access,
      accounts,
      call,
      onProgress: progressRecorder(tools, session.id),
    });
    await publishReconnect(tools, work, { session, order, gathered });
    await clearStaged(tools, gathered);
  });
};

// Every account that the bank showed at the last refresh must be there; one that it had stopped showing before
// then may have been closed.
const checkAccounts = async (
  tools: LinkJobDeps,
  connection: Connection,
  found: readonly MatchedAccount[],
): Promise<void> => {
  const held = await findAccountRows(tools.db.read, {
    endUserId: connection.endUserId,
    connectionId: connection.id,
  });
  const again = new Set(found.map((account) => account.existing?.id));
  const missing = held.some(
    (account) => account.lastSeenAt === connection.refreshedAt && !again.has(account.id),
  );
  if (missing || found.length === 0) throw new AccountsMismatch();
};

const publishReconnect = async (
  tools: LinkJobDeps,
  work: ClaimedJob,
  { session, order, gathered }: { session: LinkSessionRow; order: ImportRequest; gathered: FetchedAccounts },
): Promise<void> => {
  const { clock, limits, fingerprintKey } = tools;
  const user = await findEndUser(tools.db.read, work.endUserId);
  if (!user) throw new LeaseLost();
  const now = clock.now(work.environment);
  const { connectionId, endUserId } = work;
  const kept = { values: order.values, deviceToken: order.deviceToken };
  const credentials = sealForWorker(kept, connectionId, tools.workerKeys.publicKey);
  await tools.db.transaction(async (trx) => {
    await completeJob(trx, work, nextRefreshJob(work, nextRefreshAt(now, limits, Math.random())));
    const restored = await markConnectionRefreshed(
      trx,
      { endUserId, id: connectionId },
      { now, full: true, credentials },
    );
    if (!restored) throw new LeaseLost();
    await publish(trx, gathered, { endUserId, publicKey: user.publicKey, connectionId, now, fingerprintKey });
    const event = { kind: 'reconnected', at: now, real: clock.real() } as const;
    await recordConnectionEvent(trx, work, event, limits.connectionEventsMax);
    await finishLinkSession(trx, session, {
      endUserId,
      expiresAt: linkSessionExpiry(tools),
      result: toLinkResult(session, order, gathered, { connectionId, endUserId, isNew: false }),
    });
  });
};
