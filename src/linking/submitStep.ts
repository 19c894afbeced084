// One step of a session: what it remembers and what the user chose -> a question to the bank -> what it
// remembers next. The step is reserved first, so that a double click or a lost answer never asks twice.
import type { Connector, CallContext, SignInResult } from '../connectors/connector.ts';
import { ValidationError, BankRefused, Conflict, LinkSessionExpired } from '../errors.ts';
import { toLinkFailureReason, toLinkStepError } from './linkFailureReason.ts';
import { queueImport } from './queueImport.ts';
import {
  allowedSteps,
  type LinkSessionState,
  type OpenLinkSession,
  type LinkSessionStatus,
  type LinkStep,
} from './linkSession.ts';
import { linkSessionExpiry } from './createLinkSession.ts';
import { withStepLock } from './withStepLock.ts';
import { failedRow, saveStep, unlockStep } from './store.ts';
import type { LinkingDeps } from './deps.ts';
import { retryTarget, credentialFields } from './linkSessionView.ts';

type StepResult = { state: LinkSessionStatus; savedState: LinkSessionState };
type StepContext = { deps: LinkingDeps; session: OpenLinkSession; call: CallContext };

/** Takes a step. Throws Conflict where the view was older or the state does not allow it, BadInput, Expired. */
export const submitStep = async (
  deps: LinkingDeps,
  session: OpenLinkSession,
  request: { version: number; step: LinkStep },
): Promise<void> => {
  const { row } = session;
  const { step } = request;
  const backWithoutBank = step.kind === 'back' && row.state === 'credentials' && row.reconnectId !== null;
  if (row.version !== request.version || !allowedSteps[row.state].includes(step.kind) || backWithoutBank) {
    throw new Conflict();
  }
  // Whoever goes away in the middle may come back: the step goes on to its end, which the bank's time limits.
  const call = {
    signal: new AbortController().signal,
    now: deps.clock.now(session.application.environment),
  };
  await withStepLock(deps, row, () =>
    commitStep(deps, session, () => runStep({ deps, session, call }, step)),
  );
};

const commitStep = async (
  tools: LinkingDeps,
  session: OpenLinkSession,
  takeStep: () => Promise<StepResult>,
): Promise<void> => {
  try {
    const next = await takeStep();
    if (next.state === 'importing') return await queueImport(tools, session, next.savedState);
    await saveStepResult(tools, session, next);
  } catch (error) {
    if (error instanceof ValidationError || error instanceof LinkSessionExpired) {
      await unlockStep(tools.db.write, sessionVersion(session));
      throw error;
    }
    if (error instanceof Conflict) throw error;
    await saveFailure(tools, session, error);
  }
};

const saveStepResult = async (
  tools: LinkingDeps,
  session: OpenLinkSession,
  next: StepResult,
): Promise<void> => {
  const change = {
    state: next.state,
    stateSealed: session.sealState(next.savedState),
    failure: null,
    expiresAt: linkSessionExpiry(tools),
  };
  if (!(await saveStep(tools.db.write, sessionVersion(session), change))) throw new Conflict();
};

const sessionVersion = ({ row }: OpenLinkSession) => ({ id: row.id, version: row.version });

const saveFailure = async (tools: LinkingDeps, session: OpenLinkSession, error: unknown): Promise<void> => {
  const { institution } = session.savedState;
  const stepError = toLinkStepError(error);
  if (stepError)
    return saveStepResult(tools, session, {
      state: 'credentials',
      savedState: { institution, error: stepError },
    });
  const reason = toLinkFailureReason(error);
  if (reason === 'internal') tools.reportError(session.row.id, error);
  const change = {
    ...failedRow(reason),
    stateSealed: session.sealState({ institution }),
    expiresAt: linkSessionExpiry(tools),
  };
  if (!(await saveStep(tools.db.write, sessionVersion(session), change))) throw new Conflict();
};

const runStep = async (stage: StepContext, step: LinkStep): Promise<StepResult> => {
  switch (step.kind) {
    case 'consent':
      return { state: 'institution', savedState: {} };
    case 'selectInstitution':
      return selectInstitution(stage, step.institutionId);
    case 'credentials':
      return signIn(stage, step.values);
    case 'answer':
      return answer(stage, step.answer);
    case 'selectAccounts':
      return selectAccounts(stage, step.accountIds);
    case 'back':
      return goBack(stage.session);
    case 'retry':
      return retry(stage.session);
  }
};

const selectInstitution = ({ deps, session }: StepContext, institutionId: string): StepResult => {
  const found = deps.registry.find(session.application.environment, institutionId);
  if (!found) throw invalidStep('institutionId', 'must be the id of one of the banks listed');
  const { id, name } = found.institution;
  return { state: 'credentials', savedState: { institution: { id, name } } };
};

const invalidStep = (field: string, message: string): ValidationError =>
  new ValidationError('invalid_request', [{ path: `/body/step/${field.replaceAll('.', '/')}`, message }]);

const signIn = async (stage: StepContext, values: Record<string, string>): Promise<StepResult> => {
  const { deps, session, call } = stage;
  const fields = credentialFields(deps, session);
  const empty = fields.find((field) => !values[field.name]);
  if (empty) throw invalidStep(`values.${empty.name}`, 'must not be empty');
  const unknown = Object.keys(values).find((name) => !fields.some((field) => field.name === name));
  if (unknown) throw invalidStep(`values.${unknown}`, 'is not a field of this bank');
  const institution = session.savedState.institution!;
  const request = { institutionId: institution.id, credentials: values, attended: true };
  return continueSignIn(stage, { institution, values }, await connectorOf(stage).signIn(request, call));
};

const connectorOf = ({ deps, session }: StepContext): Connector => {
  const found = deps.registry.find(session.application.environment, session.savedState.institution!.id);
  if (!found) throw new LinkSessionExpired();
  return found.connector;
};

const answer = async (stage: StepContext, text: string): Promise<StepResult> => {
  const { savedState } = stage.session;
  const next = await connectorOf(stage).answer(
    { challengeState: savedState.challengeState!, answer: text },
    stage.call,
  );
  return continueSignIn(stage, savedState, next);
};

const continueSignIn = async (
  stage: StepContext,
  { institution, values }: LinkSessionState,
  signedIn: SignInResult,
): Promise<StepResult> => {
  if (signedIn.kind === 'challenge') {
    const { challenge, challengeState: challengeState, retry: tries } = signedIn;
    const attemptsLeft = tries?.attemptsLeft ?? undefined;
    const error = tries && {
      reason: 'wrong_answer' as const,
      ...(attemptsLeft !== undefined && { attemptsLeft }),
    };
    return { state: 'challenge', savedState: { institution, values, challenge, challengeState, error } };
  }
  const { access, deviceToken } = signedIn;
  const accounts = await connectorOf(stage).accounts(access, stage.call);
  if (accounts.length === 0) throw new BankRefused('no_accounts');
  const savedState = { institution, values, access, deviceToken, accounts };
  return { state: stage.session.row.reconnectId ? 'importing' : 'accounts', savedState };
};

const selectAccounts = ({ session }: StepContext, chosen: readonly string[]): StepResult => {
  const accounts = session.savedState.accounts!;
  const picked = accounts.filter((_, at) => chosen.includes(String(at)));
  if (picked.length === 0 || picked.length !== chosen.length) {
    throw invalidStep('accountIds', 'must name accounts of this view, each once');
  }
  return { state: 'importing', savedState: { ...session.savedState, accounts: picked } };
};

const goBack = ({ row, savedState: { institution } }: OpenLinkSession): StepResult => {
  if (row.state === 'institution') return { state: 'consent', savedState: {} };
  if (row.state === 'challenge') return { state: 'credentials', savedState: { institution } };
  return { state: 'institution', savedState: {} };
};

const retry = (session: OpenLinkSession): StepResult => {
  const { institution } = session.savedState;
  const target = retryTarget(session, session.row.failure ?? 'internal');
  if (target === 'none') throw new Conflict();
  return target === 'institution'
    ? { state: 'institution', savedState: {} }
    : { state: 'credentials', savedState: { institution } };
};
