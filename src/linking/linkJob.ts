// Following an order: what an import and a reconnection have in common. Whatever happens, the session ends up
// finished, failed or due again.
import { accountDetails } from '../accounts/account.ts';
import type { CallContext } from '../connectors/connector.ts';
import { addMilliseconds, seconds } from '../clock.ts';
import { recordConnectionEvent } from '../connections/events.ts';
import type { DbTransaction } from '../db/open.ts';
import { BankRefused } from '../errors.ts';
import { type ClaimedJob, completeJob, LeaseLost } from '../refresh/jobs.ts';
import type { FetchedAccounts } from '../refresh/fetchAccounts.ts';
import type { RefreshDeps } from '../refresh/refreshConnection.ts';
import { unsealForWorker } from '../vault/workerSeal.ts';
import { toLinkFailureReason } from './linkFailureReason.ts';
import { restoredRefreshJob } from './restoreRefreshJob.ts';
import {
  type ImportRequest,
  type SealedLinkResult,
  type LinkSessionRow,
  sealLinkResult,
} from './linkSession.ts';
import { failedRow, findLinkSession, transitionLinkSession, recordProgress } from './store.ts';

export type LinkJobDeps = RefreshDeps & { reportError(sessionId: string, error: unknown): void };

/** Another session of the same new user has shown its result and not yet been acknowledged: wait for it. */
export class ConcurrentFirstLink extends Error {}

/** Opens a session's order and follows it; what the bank refuses, or fails too often, ends the session. */
export const runLinkJob = async (
  tools: LinkJobDeps,
  work: ClaimedJob,
  signal: AbortSignal,
  follow: (session: LinkSessionRow, order: ImportRequest, call: CallContext) => Promise<void>,
): Promise<void> => {
  const session = await findLinkSession(tools.db.read, work.linkSessionId!);
  if (session?.state !== 'importing' || !session.importRequestSealed) {
    await tools.db.transaction((trx) => completeJob(trx, work, undefined));
    return;
  }
  const order = unsealForWorker<ImportRequest>(session.importRequestSealed, session.id, tools.workerKeys);
  try {
    await follow(session, order, { signal, now: tools.clock.now(work.environment) });
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost || error instanceof ConcurrentFirstLink) throw error;
    const passing = !(error instanceof BankRefused) && !(error instanceof AccountsMismatch);
    if (passing && work.attempts < tools.limits.importAttemptsMax) throw error;
    await failLinkJob(tools, work, session, error);
  }
};

/** On reconnecting, the bank showed other accounts than those of the connection. */
export class AccountsMismatch extends Error {}

const failLinkJob = async (
  tools: LinkJobDeps,
  work: ClaimedJob,
  session: LinkSessionRow,
  error: unknown,
): Promise<void> => {
  const reason = error instanceof AccountsMismatch ? 'accounts_mismatch' : toLinkFailureReason(error);
  if (reason === 'internal') tools.reportError(session.id, error);
  const expiresAt = addMilliseconds(
    tools.clock.real(),
    seconds(tools.limits.linkSessionMinutes * 60),
  ).toISOString();
  await tools.db.transaction(async (trx) => {
    await completeJob(
      trx,
      work,
      work.kind === 'reconnect' ? await restoredRefreshJob(trx, tools, work) : undefined,
    );
    await transitionLinkSession(
      trx,
      { id: session.id, from: ['importing'] },
      { ...failedRow(reason), expiresAt },
    );
    if (work.kind !== 'reconnect') return;
    const time = { at: tools.clock.now(work.environment), real: tools.clock.real() };
    const event = { kind: 'reconnect_failed', reason, ...time } as const;
    await recordConnectionEvent(trx, work, event, tools.limits.connectionEventsMax);
  });
};

// The page asks about once a second; more often nobody sees it.
const progressEveryMs = 500;

/** Writes an import's progress to its session, not more often than anyone looks. */
export const progressRecorder = (tools: Pick<LinkJobDeps, 'db' | 'clock'>, sessionId: string) => {
  let notedAt = 0;
  return async (progress: { done: number; total?: number }): Promise<void> => {
    const now = tools.clock.real().getTime();
    if (now - notedAt < progressEveryMs) return;
    notedAt = now;
    await recordProgress(tools.db.write, sessionId, progress);
  };
};

/** Puts the result where only the page can open it; LeaseLost where the session was abandoned meanwhile. */
export const finishLinkSession = async (
  trx: DbTransaction,
  session: LinkSessionRow,
  finished: { endUserId: string; expiresAt: string; result: SealedLinkResult },
): Promise<void> => {
  const moved = await transitionLinkSession(
    trx,
    { id: session.id, from: ['importing'] },
    {
      state: 'finished',
      endUserId: finished.endUserId,
      importRequestSealed: null,
      progress: null,
      resultSealed: sealLinkResult(finished.result, session.publicKey),
      expiresAt: finished.expiresAt,
    },
  );
  if (!moved) throw new LeaseLost();
};

/** What `onSuccess` gets, apart from the token. */
export const toLinkResult = (
  session: LinkSessionRow,
  order: Pick<ImportRequest, 'institution'>,
  gathered: FetchedAccounts,
  made: { connectionId: string; endUserId: string; isNew: boolean },
): SealedLinkResult => ({
  connectionId: made.connectionId,
  accounts: gathered.accounts.map(({ id, incoming }) => ({ id, ...accountDetails(incoming) })),
  institution: order.institution,
  ...(session.externalUserId !== null && {
    user: { id: made.endUserId, externalUserId: session.externalUserId },
  }),
  ...(made.isNew && { newEndUserId: made.endUserId }),
});
