// Runs one step of a link session: it calls the connector if the step needs it, and saves the next state. The session
// is locked during the step, so that a double click or a repeated request never calls the bank twice.

import { isRevoked } from '../../domain/connections/connection.ts';
import { failedRow } from '../../domain/connections/jobs.ts';
import { keepRenewing } from '../../platform/loops/loop.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import {
  BankRefused,
  Conflict,
  LinkSessionExpired,
  TooManyAttempts,
  ValidationError,
} from '../../platform/values/errors.ts';
import { consentOf, keepConsentText } from './consent.ts';
import {
  allowedSteps,
  type LinkingDeps,
  type LinkStep,
  lastingState,
  linkSessionExpiry,
  type OpenLinkSession,
  statisticsOf,
  toLinkFailureReason,
  toLinkStepError,
} from './linkSession.ts';
import { retryTargets } from './linkSessionView.ts';
import { queueImport } from './queueImport.ts';
import { hashReturn, makeReturnState } from './returns.ts';
import {
  answerByReturn,
  answerChallenge,
  doChallengeAction,
  invalidStep,
  listAccounts,
  type StepContext,
  type StepResult,
  signIn,
} from './signInSteps.ts';
import * as store from './store.ts';

/**
 * Runs a step and saves its result. Throws Conflict when the version is old or the state does not allow the step,
 * ValidationError when its input is wrong, TooManyAttempts, and LinkSessionExpired, also when the connection to reconnect was
 * revoked. `address` is the client's, from `toAddressKey`.
 */
export const submitStep = async (
  deps: LinkingDeps,
  session: OpenLinkSession,
  request: { version: number; step: LinkStep; address: string },
): Promise<void> => {
  const { row } = session;
  const { step, address } = request;
  const backFromReconnect =
    step.kind === 'back' && row.state === 'credentials' && row.reconnectConnectionId !== null;
  // Without its sealed state a session has ended, and nothing tells whether its row was changed.
  const isAllowed = row.stateSealed !== null && allowedSteps[row.state].includes(step.kind);
  if (row.version !== request.version || !isAllowed || backFromReconnect) throw new Conflict();
  if (row.reconnectConnectionId !== null && (await isRevoked(deps.db, row.reconnectConnectionId)))
    throw new LinkSessionExpired();
  // A step continues when the page disconnects, because the page may come back. The connector's timeout ends it.
  const call = {
    signal: new AbortController().signal,
    now: deps.clock.now(session.application),
    organizationId: session.application.organizationId,
    returnTo: { url: `${deps.baseUrl}/connect/return`, state: makeReturnState(session) },
  };
  const context = { deps, session, call, address };
  await withStepLock(deps, row, () => commitStep(context, step));
};

// The lock is a lease: it is renewed while the step runs, and expires when the process dies.
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
    const result = await runStep(context, step);
    if (result.state === 'importing') return await queueImport(deps, session, result);
    if (result.rejected && isLastRejection(deps, session)) throw new BankRefused('wrong_answer');
    await saveStepResult(deps, session, result);
  } catch (error) {
    // A failure of the consent must not be retried from a state after it.
    if (isRequestError(error) || session.row.state === 'consent') {
      await store.unlockStep(deps.db.write, sessionVersion(session));
      throw error;
    }
    await saveFailure(context, error);
  }
};

/** An error of the request, which leaves the session as it is. After a Conflict of versions there is nothing to unlock. */
const isRequestError = (error: unknown): boolean =>
  [ValidationError, LinkSessionExpired, TooManyAttempts, Conflict].some((Kind) => error instanceof Kind);

const isLastRejection = ({ limits }: LinkingDeps, { row }: OpenLinkSession): boolean =>
  row.rejections + 1 >= limits.linkRejectionsMax;

const saveStepResult = async (
  deps: LinkingDeps,
  session: OpenLinkSession,
  result: StepResult,
): Promise<void> => {
  const savedState = { ...lastingState(session), ...result.savedState };
  const { returnState } = savedState;
  // Each call of the connector has a new state. With the one before, what the end user has returned with stays valid.
  const isReturnKept = returnState !== undefined && returnState === session.savedState.returnState;
  const change = {
    state: result.state,
    stateSealed: session.sealState(savedState),
    ...(!isReturnKept && {
      returnHash: returnState === undefined ? null : hashReturn(returnState),
      returnSealed: null,
    }),
    ...{ failure: null, resultSealed: null },
    rejections: session.row.rejections + (result.rejected ? 1 : 0),
    expiresAt: linkSessionExpiry(deps),
    ...statisticsOf(session.row, result.state, result.savedState),
  };
  if (!(await store.saveStep(deps.db.write, sessionVersion(session), change))) throw new Conflict();
};

const sessionVersion = ({ row }: OpenLinkSession) => ({ id: row.id, version: row.version });

const saveFailure = async ({ deps, session, signedIn }: StepContext, error: unknown): Promise<void> => {
  const { institution } = session.savedState;
  const stepError = toLinkStepError(error);
  if (stepError && !isLastRejection(deps, session)) {
    const savedState = { institution, error: stepError };
    return saveStepResult(deps, session, { state: 'credentials', savedState, rejected: true });
  }
  const reason = toLinkFailureReason(error);
  const rejected = reason === 'wrong_credentials' || reason === 'wrong_answer';
  if (reason === 'internal') deps.reportError(session.row.id, error);
  const change = {
    ...failedRow(reason),
    rejections: session.row.rejections + (rejected ? 1 : 0),
    stateSealed: session.sealState({
      ...{ ...lastingState(session), institution },
      ...(!(error instanceof BankRefused) && signedIn),
    }),
    expiresAt: linkSessionExpiry(deps),
  };
  if (!(await store.saveStep(deps.db.write, sessionVersion(session), change))) throw new Conflict();
};

const runStep = async (context: StepContext, step: LinkStep): Promise<StepResult> => {
  switch (step.kind) {
    case 'consent':
      return agree(context, step);
    case 'selectInstitution':
      return selectInstitution(context, step.institutionId);
    case 'credentials':
      return signIn(context, step.values);
    case 'answer':
      return answerChallenge(context, step.answer);
    case 'challengeAction':
      return doChallengeAction(context, step.action);
    case 'returned':
      return answerByReturn(context, step.code);
    case 'selectAccounts':
      return selectAccounts(context, step.accountIds);
    case 'reconnect':
      return reconnectDuplicate(context);
    case 'back':
      return goBack(context.session);
    case 'retry':
      return retry(context, step);
  }
};

const agree = async (
  { deps, session, call }: StepContext,
  { hash }: Extract<LinkStep, { kind: 'consent' }>,
): Promise<StepResult> => {
  const consent = await consentOf(deps, session);
  if (hash !== undefined && hash !== consent.hash) throw new Conflict();
  await keepConsentText(deps, consent);
  const accepted = {
    textHash: consent.hash,
    language: consent.language,
    acceptedAt: call.now.toISOString(),
  };
  const { institution } = session.savedState;
  if (session.row.reconnectConnectionId !== null)
    return { state: 'credentials', savedState: { institution, consent: accepted } };
  return { state: 'institution', savedState: { consent: accepted } };
};

const selectInstitution = ({ deps, session }: StepContext, institutionId: string): StepResult => {
  const found = deps.registry.find(session.application.environment, institutionId);
  if (!found) throw invalidStep('institutionId', 'must be the id of a listed institution');
  const { id, name } = found.institution;
  return { state: 'credentials', savedState: { institution: { id, name } } };
};

const selectAccounts = ({ session }: StepContext, accountIds: readonly string[]): StepResult => {
  const accounts = session.savedState.accounts!;
  const selected = accounts.filter((_, index) => accountIds.includes(String(index)));
  if (selected.length === 0 || selected.length !== accountIds.length) {
    throw invalidStep('accountIds', 'must contain ids of accounts of this view, each once');
  }
  const ids = selected.map(({ id }) => id);
  return { state: 'importing', savedState: { ...session.savedState, accountIds: ids } };
};

const reconnectDuplicate = async ({ deps, session }: StepContext): Promise<StepResult> => {
  const { duplicate, ...savedState } = session.savedState;
  if (!duplicate?.canReconnect) throw invalidStep('kind', 'must be one that alreadyConnected allows');
  if (await isRevoked(deps.db, duplicate.connectionId)) throw new Conflict();
  return { state: 'importing', savedState, reconnectConnectionId: duplicate.connectionId };
};

const goBack = ({ row, savedState: { institution } }: OpenLinkSession): StepResult => {
  if (row.state === 'institution') return { state: 'consent', savedState: {} };
  if (row.state === 'challenge') return { state: 'credentials', savedState: { institution } };
  return { state: 'institution', savedState: {} };
};

const retry = async (
  context: StepContext,
  { target: wanted }: Extract<LinkStep, { kind: 'retry' }>,
): Promise<StepResult> => {
  const { deps, session } = context;
  const targets = retryTargets(deps, session, session.row.failure ?? 'internal');
  const target = wanted ?? targets[0];
  if (!target) throw new Conflict();
  if (!targets.includes(target)) throw invalidStep('target', 'must be one of the retryTargets of the view');
  const { institution, values, access, deviceToken } = session.savedState;
  if (target === 'accounts') return listAccounts(context, { institution, values, access, deviceToken });
  return { state: target, savedState: target === 'institution' ? {} : { institution } };
};
