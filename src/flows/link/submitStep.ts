// Runs one step of a link session: calls the connector if needed, and saves the next state. The session is locked during the
// step, so that a double click or a repeated request never calls the bank twice.
import type { PresentUser } from '../../../connectors/kit/contract.ts';
import { isRevoked } from '../../domain/connections/connection.ts';
import { failedRow } from '../../domain/connections/jobs.ts';
import { findEndUser, findResourceOwner } from '../../domain/users/store.ts';
import { keepRenewing } from '../../platform/loops/loop.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import {
  BankRefused,
  Conflict,
  LinkSessionExpired,
  TooManyAttempts,
  ValidationError,
} from '../../platform/values/errors.ts';
import { fingerprint } from '../../platform/vault/keys.ts';
import {
  type LinkingDeps,
  type LinkSessionStatus,
  type LinkState,
  type LinkStep,
  linkSessionExpiry,
  linkSteps,
  type OpenLinkSession,
  selectedIn,
  statisticsOf,
  toLinkFailureReason,
} from './linkSession.ts';
import { allowedSteps } from './linkSessionView.ts';
import { moves } from './moves.ts';
import { queueImport } from './queueImport.ts';
import { hashReturn, makeReturnState } from './returns.ts';
import type { Next, RequestingUser, StepContext } from './step.ts';
import * as store from './store.ts';

/**
 * Runs a step and saves its result. Throws Conflict if the version is old or the state does not allow the step, ValidationError
 * for invalid input, TooManyAttempts, and LinkSessionExpired, including when the connection to reconnect was revoked. `ipKey`
 * is the client's, from `toIpKey`.
 */
export const submitStep = async (
  deps: LinkingDeps,
  session: OpenLinkSession,
  request: { version: number; step: LinkStep; ipKey: string; user?: RequestingUser },
): Promise<void> => {
  const { row } = session;
  const { step, ipKey } = request;
  if (row.version !== request.version || !allowedSteps(deps, session).includes(step.kind))
    throw new Conflict();
  if (row.reconnectConnectionId !== null && (await isRevoked(deps.db, row.reconnectConnectionId)))
    throw new LinkSessionExpired();
  // A step continues even if the page disconnects, because the page may come back. The connector's timeout ends it.
  const call = {
    signal: new AbortController().signal,
    now: deps.clock.now(session.application),
    organizationId: session.application.organizationId,
    returnTo: { url: `${deps.baseUrl}/connect/return`, state: makeReturnState(session) },
    user: request.user && (await presentUser(deps, session, request.user)),
  };
  const context = { deps, session, call, ipKey };
  await withStepLock(deps, row, () => commitStep(context, step));
};

const presentUser = async (
  { db: { read }, hashKeys }: LinkingDeps,
  { row, application, kept }: OpenLinkSession,
  user: RequestingUser,
): Promise<PresentUser> => {
  const { reconnectConnectionId } = row;
  const owner =
    reconnectConnectionId === null ? undefined : await findResourceOwner(read, reconnectConnectionId);
  const externalUserId = owner
    ? (await findEndUser(read, owner.endUserId))?.externalUserId
    : row.externalUserId;
  // For an anonymous user, the reference is stable only within this session.
  const known = externalUserId ? `external ${externalUserId}` : row.id;
  const hash = fingerprint(hashKeys.current(), 'user reference', '', [application.id, known]);
  return { ...user, language: kept.language ?? 'en', reference: hash.toString('base64url') };
};

// The lock is a lease: it is renewed while the step runs, and expires when the process dies. A fixed lock as long as the
// bank's timeout would block the end user for minutes after a crash.
const withStepLock = async (
  { db, clock, limits }: LinkingDeps,
  { id, version }: { id: string; version: number },
  run: () => Promise<void>,
): Promise<void> => {
  const session = { id, version };
  const leaseEnd = (): string => addMilliseconds(clock.real(), seconds(limits.leaseSeconds)).toISOString();
  let until = leaseEnd();
  const locked = await store.lockStep(db.write, session, { now: clock.real().toISOString(), until });
  if (!locked) throw new Conflict();
  const renew = async (): Promise<boolean> => {
    const newUntil = leaseEnd();
    const renewed = await store.renewStepLock(db.write, session, { until, newUntil });
    if (renewed) until = newUntil;
    return renewed;
  };
  // If the lock is lost, saving the step fails.
  const stopRenewing = keepRenewing(limits.leaseSeconds, renew, () => {});
  try {
    await run();
  } finally {
    stopRenewing();
  }
};

const commitStep = async (context: StepContext, step: LinkStep): Promise<void> => {
  const { deps, session } = context;
  try {
    const next = await runStep(context, step);
    if ('import' in next) return await queueImport(deps, session, { ...next, user: context.call.user });
    if (next.rejected && isLastRejection(context)) throw new BankRefused('wrong_answer');
    await saveNext(context, next);
  } catch (error) {
    // A failed consent step must not be retried from a later state.
    if (isRequestError(error) || session.state.at === 'consent') {
      await store.unlockStep(deps.db.write, session.row);
      throw error;
    }
    await saveFailure(context, error);
  }
};

const runStep = async (context: StepContext, step: LinkStep): Promise<Next> => {
  const { state } = context.session;
  type Move = (context: StepContext, state: LinkState, step: LinkStep) => Next | Promise<Next>;
  // `allowedSteps` found the step in the table, so it has a move.
  const move = moves[state.at][step.kind as never] as Move;
  const next = await move(context, state, step);
  const leads: readonly LinkSessionStatus[] = linkSteps[state.at][step.kind as never];
  const to = 'import' in next ? 'importing' : next.to.at;
  if (!leads.includes(to)) throw new Error(`The step ${step.kind} does not lead from ${state.at} to ${to}.`);
  return next;
};

/** An error in the request, which does not change the session. After a version conflict, there is nothing to unlock. */
const isRequestError = (error: unknown): boolean =>
  [ValidationError, LinkSessionExpired, TooManyAttempts, Conflict].some((Kind) => error instanceof Kind);

const isLastRejection = ({ deps, session }: StepContext): boolean =>
  session.row.rejections + 1 >= deps.limits.linkRejectionsMax;

const saveNext = async (
  { deps, session }: StepContext,
  { to, rejected, kept }: Exclude<Next, { import: unknown }>,
): Promise<void> => {
  const { row, state } = session;
  const returnState = to.at === 'challenge' ? to.returnState : undefined;
  // Each connector call has a new return state. If the state is unchanged, the stored return stays valid.
  const isReturnKept =
    state.at === 'challenge' && returnState !== undefined && returnState === state.returnState;
  const change = {
    state: to.at,
    stateSealed: session.seal(to, kept),
    ...(!isReturnKept && {
      returnHash: returnState === undefined ? null : hashReturn(returnState),
      returnSealed: null,
    }),
    ...{ failure: null, resultSealed: null },
    rejections: row.rejections + (rejected ? 1 : 0),
    expiresAt: linkSessionExpiry(deps),
    ...statisticsOf(row, to),
  };
  if (!(await store.saveStep(deps.db.write, row, change))) throw new Conflict();
};

const saveFailure = async (context: StepContext, error: unknown): Promise<void> => {
  const { deps, session, signedIn } = context;
  const { row, state } = session;
  const institution = selectedIn(state);
  const isWrong = error instanceof BankRefused && error.reason === 'wrong_credentials';
  if (isWrong && institution && !isLastRejection(context)) {
    const stepError = { reason: 'wrong_credentials', attemptsLeft: error.attemptsLeft } as const;
    return saveNext(context, { to: { at: 'credentials', institution, error: stepError }, rejected: true });
  }
  const reason = toLinkFailureReason(error);
  const rejected = reason === 'wrong_credentials' || reason === 'wrong_answer';
  if (reason === 'internal') deps.reportError(row.id, error);
  const keptSignIn = error instanceof BankRefused ? undefined : signedIn;
  const change = {
    ...failedRow(reason),
    rejections: row.rejections + (rejected ? 1 : 0),
    stateSealed: session.seal({ at: 'failed', institution, signedIn: keptSignIn }),
    expiresAt: linkSessionExpiry(deps),
  };
  if (!(await store.saveStep(deps.db.write, row, change))) throw new Conflict();
};
