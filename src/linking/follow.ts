// Following an order: what an import and a reconnection have in common. Whatever happens, the session ends up
// finished, failed or due again.
import { accountDetails } from '../accounts/account.ts';
import type { Call } from '../banks/bank.ts';
import { after, seconds } from '../clock.ts';
import { recordConnectionEvent } from '../connections/events.ts';
import type { Transaction } from '../db/open.ts';
import { BankRefused } from '../errors.ts';
import { type ClaimedWork, completeWork, LeaseLost } from '../refresh/claims.ts';
import type { Gathered } from '../refresh/gather.ts';
import type { RefreshTools } from '../refresh/refreshConnection.ts';
import { unsealForWorker } from '../vault/workerSeal.ts';
import { failureOf } from './failure.ts';
import { restoredWork } from './schedule.ts';
import { type ImportOrder, type SealedResult, type SessionRow, sealResult } from './session.ts';
import { failed, findSession, moveSession, noteProgress } from './store.ts';

export type ImportTools = RefreshTools & { reportFault(sessionId: string, error: unknown): void };

/** Another session of the same new user has shown its result and not yet been acknowledged: wait for it. */
export class UserUndecided extends Error {}

/** Opens a session's order and follows it; what the bank refuses, or fails too often, ends the session. */
export const underOrder = async (
  tools: ImportTools,
  work: ClaimedWork,
  signal: AbortSignal,
  follow: (session: SessionRow, order: ImportOrder, call: Call) => Promise<void>,
): Promise<void> => {
  const session = await findSession(tools.db.read, work.sessionId!);
  if (session?.state !== 'importing' || !session.orderSealed) {
    await tools.db.transaction((trx) => completeWork(trx, work, undefined));
    return;
  }
  const order = unsealForWorker<ImportOrder>(session.orderSealed, session.id, tools.worker);
  try {
    await follow(session, order, { signal, now: tools.clock.now(work.environment) });
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost || error instanceof UserUndecided) throw error;
    const passing = !(error instanceof BankRefused) && !(error instanceof AccountsMismatch);
    if (passing && work.attempts < tools.limits.importAttemptsMax) throw error;
    await failImport(tools, work, session, error);
  }
};

/** On reconnecting, the bank showed other accounts than those of the connection. */
export class AccountsMismatch extends Error {}

const failImport = async (
  tools: ImportTools,
  work: ClaimedWork,
  session: SessionRow,
  error: unknown,
): Promise<void> => {
  const reason = error instanceof AccountsMismatch ? 'accounts_mismatch' : failureOf(error);
  if (reason === 'internal') tools.reportFault(session.id, error);
  const expiresAt = after(tools.clock.real(), seconds(tools.limits.sessionMinutes * 60)).toISOString();
  await tools.db.transaction(async (trx) => {
    await completeWork(
      trx,
      work,
      work.kind === 'reconnect' ? await restoredWork(trx, tools, work) : undefined,
    );
    await moveSession(trx, { id: session.id, from: ['importing'] }, { ...failed(reason), expiresAt });
    if (work.kind !== 'reconnect') return;
    const time = { at: tools.clock.now(work.environment), real: tools.clock.real() };
    const event = { kind: 'reconnect_failed', reason, ...time } as const;
    await recordConnectionEvent(trx, work, event, tools.limits.connectionEventsMax);
  });
};

// The page asks about once a second; more often nobody sees it.
const progressEveryMs = 500;

/** Writes an import's progress to its session, not more often than anyone looks. */
export const progressNoter = (tools: Pick<ImportTools, 'db' | 'clock'>, sessionId: string) => {
  let notedAt = 0;
  return async (progress: { done: number; total?: number }): Promise<void> => {
    const now = tools.clock.real().getTime();
    if (now - notedAt < progressEveryMs) return;
    notedAt = now;
    await noteProgress(tools.db.write, sessionId, progress);
  };
};

/** Puts the result where only the page can open it; LeaseLost where the session was abandoned meanwhile. */
export const finishSession = async (
  trx: Transaction,
  session: SessionRow,
  finished: { endUserId: string; expiresAt: string; result: SealedResult },
): Promise<void> => {
  const moved = await moveSession(
    trx,
    { id: session.id, from: ['importing'] },
    {
      state: 'finished',
      endUserId: finished.endUserId,
      orderSealed: null,
      progress: null,
      resultSealed: sealResult(finished.result, session.publicKey),
      expiresAt: finished.expiresAt,
    },
  );
  if (!moved) throw new LeaseLost();
};

/** What `onSuccess` gets, apart from the token. */
export const resultFor = (
  session: SessionRow,
  order: Pick<ImportOrder, 'institution'>,
  gathered: Gathered,
  made: { connectionId: string; endUserId: string; isNew: boolean },
): SealedResult => ({
  connectionId: made.connectionId,
  accounts: gathered.accounts.map(({ id, bank }) => ({ id, ...accountDetails(bank) })),
  institution: order.institution,
  ...(session.externalUserId !== null && {
    user: { id: made.endUserId, externalUserId: session.externalUserId },
  }),
  ...(made.isNew && { newEndUserId: made.endUserId }),
});
