// The steps of signing in at an institution: credentials, challenges, and the list of accounts. Each calls the connector.
import type {
  CallContext,
  ChallengeAction,
  Connector,
  SignInResult,
} from '../../../connectors/kit/contract.ts';
import {
  BankRefused,
  BankUnreachable,
  LinkSessionExpired,
  ValidationError,
} from '../../platform/values/errors.ts';
import type {
  LinkingDeps,
  LinkSessionState,
  LinkSessionStatus,
  OpenLinkSession,
  SignedIn,
} from './linkSession.ts';
import { credentialFields } from './linkSessionView.ts';
import { isReturnCode } from './returns.ts';
import { consumeSignIn, releaseSignIn } from './signInLimits.ts';

export type StepResult = {
  state: LinkSessionStatus;
  savedState: LinkSessionState;
  /** The connection that is reconnected from now on. */
  reconnectConnectionId?: string;
  /** The institution has rejected the credentials or the answer. */
  rejected?: boolean;
};
export type StepContext = {
  deps: LinkingDeps;
  session: OpenLinkSession;
  call: CallContext;
  address: string;
  /** The sign-in that this step completed. It is kept after a failure, because a code works only once. */
  signedIn?: SignedIn;
};

/** The error of a wrong input of a step. */
export const invalidStep = (field: string, message: string): ValidationError =>
  new ValidationError('invalid_request', [{ path: `/body/step/${field.replaceAll('.', '/')}`, message }]);

/** Signs in with what the end user typed. Throws ValidationError and TooManyAttempts, and what the connector throws; so do the others. */
export const signIn = async (context: StepContext, values: Record<string, string>): Promise<StepResult> => {
  const { deps, session, call } = context;
  const fields = credentialFields(deps, session);
  const empty = fields.find((field) => !values[field.name]);
  if (empty) throw invalidStep(`values.${empty.name}`, 'must not be empty');
  const unknown = Object.keys(values).find((name) => !fields.some((field) => field.name === name));
  if (unknown) throw invalidStep(`values.${unknown}`, 'is not a field of this institution');
  const signInAt = deps.clock.real().toISOString();
  consumeSignIn(deps, { session, values }, context.address);
  const institution = session.savedState.institution!;
  const request = { institutionId: institution.id, credentials: values, attended: true };
  const signedIn = await connectorOf(context).signIn(request, call);
  return continueSignIn(context, { institution, values, signInAt }, signedIn);
};

const connectorOf = ({ deps, session }: StepContext): Connector => {
  const found = deps.registry.find(session.application.environment, session.savedState.institution!.id);
  if (!found) throw new LinkSessionExpired();
  return found.connector;
};

/** Answers a challenge that is not a redirect. */
export const answerChallenge = async (context: StepContext, answer: string): Promise<StepResult> => {
  if (context.session.savedState.challenge?.kind === 'redirect')
    throw invalidStep('kind', 'must be returned, which answers a redirect');
  return sendAnswer(context, answer);
};

/** Answers a redirect with the query that the end user has returned with, if the code is right. */
export const answerByReturn = async (context: StepContext, code: string): Promise<StepResult> => {
  const { deps, session } = context;
  const { savedState } = session;
  const { challenge, returnState } = savedState;
  if (challenge?.kind !== 'redirect')
    throw invalidStep('kind', 'must be answer, unless it answers a redirect');
  const query = session.openReturn();
  if (query !== undefined && isReturnCode(deps.hashKeys, returnState!, code))
    return sendAnswer(context, query);
  const error = { reason: 'wrong_answer' as const };
  return { state: 'challenge', savedState: { ...savedState, error }, rejected: true };
};

const sendAnswer = async (context: StepContext, answer: string): Promise<StepResult> => {
  const { savedState } = context.session;
  const request = { challengeState: savedState.challengeState!, answer };
  return continueSignIn(context, savedState, await connectorOf(context).answer(request, context.call));
};

/** Limited, because each may send a text message to somebody. */
export const doChallengeAction = async (
  context: StepContext,
  action: ChallengeAction,
): Promise<StepResult> => {
  const { savedState } = context.session;
  const connector = connectorOf(context);
  if (!savedState.challenge?.[action] || !connector.challengeAction) {
    throw invalidStep('action', 'must be an action of the challenge');
  }
  const request = { challengeState: savedState.challengeState!, action };
  const challengeActions = (savedState.challengeActions ?? 0) + 1;
  const result = await connector.challengeAction(request, context.call);
  return continueSignIn(context, { ...savedState, challengeActions }, result);
};

const continueSignIn = async (
  context: StepContext,
  savedBefore: LinkSessionState,
  signedIn: SignInResult,
): Promise<StepResult> => {
  if (signedIn.kind === 'challenge') return showChallenge(context, savedBefore, signedIn);
  const { institution, values, signInAt } = savedBefore;
  const signIn = { session: context.session, values: values!, signInAt: signInAt! };
  releaseSignIn(context.deps, signIn, context.address);
  const { access, deviceToken } = signedIn;
  return listAccounts(context, { institution, values, access, deviceToken });
};

/** Asks for the accounts, which the end user chooses from; a reconnect goes on with the import. */
export const listAccounts = async (context: StepContext, signedIn: SignedIn): Promise<StepResult> => {
  context.signedIn = signedIn;
  const all = await connectorOf(context).accounts(signedIn.access!, context.call);
  // A reconnect takes the accounts that the connection has.
  const accounts = all.filter(({ balance }) => balance);
  if (accounts.length === 0) throw new BankRefused('no_accounts');
  const savedState = { ...signedIn, accounts };
  return { state: context.session.row.reconnectConnectionId === null ? 'accounts' : 'importing', savedState };
};

const showChallenge = (
  { deps, call }: StepContext,
  { institution, values, signInAt, challengeActions = 0 }: LinkSessionState,
  { challenge: asked, challengeState, retry }: SignInResult & { kind: 'challenge' },
): StepResult => {
  const { resend, otherMethod, ...plain } = asked;
  const challenge = challengeActions < deps.limits.linkChallengeActionsMax ? asked : plain;
  if (challenge.kind === 'redirect') checkRedirectUrl(deps, challenge.url);
  const returnState = challenge.kind === 'redirect' ? call.returnTo!.state : undefined;
  const error = retry && { reason: 'wrong_answer' as const, attemptsLeft: retry.attemptsLeft ?? undefined };
  const asking = { challenge, challengeState, challengeActions, returnState };
  return {
    state: 'challenge',
    savedState: { institution, values, signInAt, ...asking, error },
    rejected: retry !== undefined,
  };
};

const redirectUrlBytesMax = 8192;

/** Throws BankUnreachable('incomplete') for an address that no user should be sent to. The Sandbox's is the service's own. */
const checkRedirectUrl = ({ baseUrl }: LinkingDeps, url: string): void => {
  const isOpenable =
    Buffer.byteLength(url) <= redirectUrlBytesMax &&
    URL.canParse(url) &&
    (new URL(url).protocol === 'https:' || new URL(url).origin === new URL(baseUrl).origin);
  if (!isOpenable) throw new BankUnreachable('incomplete');
};
