// The steps that call the connector: credentials, challenges, the list of accounts, and what a bank asks before it gives
// transactions.
import type { CallContext, Connector, SignInResult } from '../../../connectors/kit/contract.ts';
import {
  BankRefused,
  BankUnreachable,
  LinkSessionExpired,
  ValidationError,
} from '../../platform/values/errors.ts';
import {
  type In,
  type Kept,
  type LinkingDeps,
  type LinkState,
  type LinkStep,
  type LinkStepKind,
  type OpenLinkSession,
  type PendingImport,
  type SignedIn,
  selectedIn,
} from './linkSession.ts';
import { credentialFields } from './linkSessionView.ts';
import { isReturnCode } from './returns.ts';
import { consumeSignIn, releaseSignIn } from './signInLimits.ts';

/** What a step leads to: another state, or the import of what was selected. */
export type Next =
  | {
      to: Exclude<LinkState, { at: 'importing' }>;
      /** The institution has rejected the credentials or the answer. */
      rejected?: true;
      kept?: Kept;
    }
  | PendingImport;

export type StepContext = {
  deps: LinkingDeps;
  session: OpenLinkSession;
  call: CallContext & Required<Pick<CallContext, 'returnTo'>>;
  ipKey: string;
  /** The sign-in that this step completed. It is kept after a failure, because a code works only once. */
  signedIn?: SignedIn;
};

export type StepOf<Kind extends LinkStepKind> = Extract<LinkStep, { kind: Kind }>;

/** The error of a wrong input of a step. */
export const invalidStep = (field: string, message: string): ValidationError =>
  new ValidationError('invalid_request', [{ path: `/body/step/${field.replaceAll('.', '/')}`, message }]);

/** Signs in with what the end user typed. Throws ValidationError and TooManyAttempts, and what the connector throws; so do the others. */
export const signIn = async (
  context: StepContext,
  { institution }: In<'credentials'>,
  { values }: StepOf<'credentials'>,
): Promise<Next> => {
  const { deps, session, call } = context;
  const fields = credentialFields(deps, session);
  const empty = fields.find((field) => !values[field.name]);
  if (empty) throw invalidStep(`values.${empty.name}`, 'must not be empty');
  const unknown = Object.keys(values).find((name) => !fields.some((field) => field.name === name));
  if (unknown) throw invalidStep(`values.${unknown}`, 'is not a field of this institution');
  const signInAt = deps.clock.real().toISOString();
  consumeSignIn(deps, { session, values }, context.ipKey);
  const request = { institutionId: institution.id, credentials: values, attended: true };
  const result = await connectorOf(context).signIn(request, call);
  return continueSignIn(context, { institution, values, signInAt, actions: 0, reading: undefined }, result);
};

const connectorOf = ({ deps, session }: StepContext): Connector => {
  const institution = selectedIn(session.state);
  const found = institution && deps.registry.find(session.application.environment, institution.id);
  if (!found) throw new LinkSessionExpired();
  return found.connector;
};

/** Answers a challenge that is not a redirect. */
export const answerChallenge = async (
  context: StepContext,
  state: In<'challenge'>,
  { answer }: StepOf<'answer'>,
): Promise<Next> => {
  if (state.challenge.kind === 'redirect')
    throw invalidStep('kind', 'must be returned, which answers a redirect');
  return sendAnswer(context, state, answer);
};

/** Answers a redirect with the query that the end user has returned with, if the code is right. */
export const answerByReturn = async (
  context: StepContext,
  state: In<'challenge'>,
  { code }: StepOf<'returned'>,
): Promise<Next> => {
  const { returnState } = state;
  if (returnState === undefined) throw invalidStep('kind', 'must be answer, unless it answers a redirect');
  const query = context.session.openReturn();
  if (query !== undefined && isReturnCode(context.deps.hashKeys, returnState, code))
    return sendAnswer(context, state, query);
  return { to: { ...state, error: { reason: 'wrong_answer' } }, rejected: true };
};

const sendAnswer = async (context: StepContext, state: In<'challenge'>, answer: string): Promise<Next> => {
  const request = { challengeState: state.challengeState, answer };
  const asked = connectorOf(context).answer(request, context.call);
  return continueSignIn(context, state, await (state.reading ? orUnasked(asked, state.reading) : asked));
};

/** Limited, because each may send a text message to somebody. */
export const doChallengeAction = async (
  context: StepContext,
  state: In<'challenge'>,
  { action }: StepOf<'challengeAction'>,
): Promise<Next> => {
  const connector = connectorOf(context);
  if (!state.challenge[action] || !connector.challengeAction)
    throw invalidStep('action', 'must be an action of the challenge');
  const request = { challengeState: state.challengeState, action };
  const result = await connector.challengeAction(request, context.call);
  return continueSignIn(context, { ...state, actions: state.actions + 1 }, result);
};

type SigningIn = Pick<In<'challenge'>, 'institution' | 'values' | 'signInAt' | 'actions' | 'reading'>;

const continueSignIn = async (
  context: StepContext,
  signingIn: SigningIn,
  result: SignInResult,
): Promise<Next> => {
  if (result.kind === 'challenge') return showChallenge(context, signingIn, result);
  const { institution, values, signInAt, reading } = signingIn;
  releaseSignIn(context.deps, { session: context.session, values, signInAt }, context.ipKey);
  if (reading) return withAccess(reading, result);
  const { access, deviceToken } = result;
  return listAccounts(context, { institution, values, access, deviceToken });
};

/** Asks for the accounts, which the end user chooses from; a reconnect goes on with the import. */
export const listAccounts = async (context: StepContext, signedIn: SignedIn): Promise<Next> => {
  context.signedIn = signedIn;
  const all = await connectorOf(context).accounts(signedIn.access, context.call);
  const accounts = all.filter(({ balance }) => balance);
  if (accounts.length === 0) throw new BankRefused('no_accounts');
  const { reconnectConnectionId } = context.session.row;
  if (reconnectConnectionId === null)
    return { to: { at: 'accounts', ...signedIn, accounts, asked: undefined } };
  const selection = { ...signedIn, accounts, accountIds: [], isRepeated: false };
  return approveReading(context, { import: selection, reconnectConnectionId });
};

/**
 * Leads to the import, or before it to what the bank asks. A reconnect finds its accounts later, among all. Only a question counts
 * like a sign-in: it may send a text message.
 */
export const approveReading = async (context: StepContext, pending: PendingImport): Promise<Next> => {
  const { deps, session, call, ipKey } = context;
  const connector = connectorOf(context);
  if (!connector.approveReading) return pending;
  const { access, accounts, accountIds: selected, institution, values } = pending.import;
  const accountIds = pending.reconnectConnectionId === null ? selected : accounts.map(({ id }) => id);
  const asked = connector.approveReading({ access, accountIds }, call);
  const result = await orUnasked(asked, pending);
  if (result.kind === 'signedIn') return withAccess(pending, result);
  const signInAt = deps.clock.real().toISOString();
  consumeSignIn(deps, { session, values }, ipKey);
  return showChallenge(context, { institution, values, signInAt, actions: 0, reading: pending }, result);
};

/** A bank that cannot be reached asks nothing: the import finds out. */
const orUnasked = (
  asked: Promise<SignInResult>,
  { import: selection }: PendingImport,
): Promise<SignInResult> =>
  asked.catch((error) => {
    if (!(error instanceof BankUnreachable)) throw error;
    return { kind: 'signedIn', access: selection.access };
  });

const withAccess = (
  pending: PendingImport,
  { access, deviceToken = pending.import.deviceToken }: SignInResult & { kind: 'signedIn' },
): PendingImport => ({ ...pending, import: { ...pending.import, access, deviceToken } });

const showChallenge = (
  { deps, call }: StepContext,
  { institution, values, signInAt, actions, reading }: SigningIn,
  { challenge: asked, challengeState, retry }: SignInResult & { kind: 'challenge' },
): Next => {
  const { resend, otherMethod, ...plain } = asked;
  const challenge = actions < deps.limits.linkChallengeActionsMax ? asked : plain;
  if (challenge.kind === 'redirect') checkRedirectUrl(deps, challenge.url);
  const to: In<'challenge'> = {
    ...{ at: 'challenge', institution, values, signInAt, challenge, challengeState, actions, reading },
    returnState: challenge.kind === 'redirect' ? call.returnTo.state : undefined,
    error: retry && { reason: 'wrong_answer', attemptsLeft: retry.attemptsLeft ?? undefined },
  };
  return retry ? { to, rejected: true } : { to };
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
