// The steps that call the connector to sign in: credentials, challenges, and the list of accounts.
import type { SignInResult } from '../../../connectors/kit/contract.ts';
import { insertRevocation } from '../../domain/connections/revocationStore.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import { BankRefused } from '../../platform/values/errors.ts';
import { makeId } from '../../platform/values/ids.ts';
import { sealForWorker } from '../../platform/vault/seal.ts';
import {
  approveReading,
  orNoChallenge,
  type SigningIn,
  showChallenge,
  withAccess,
} from './approveReading.ts';
import { type In, linkSessionExpiry, type SignedIn } from './linkSession.ts';
import { isReturnCode } from './returns.ts';
import { consumeSignIn, releaseSignIn } from './signInLimits.ts';
import {
  connectorOf,
  invalidStep,
  type Next,
  requireInstitution,
  type StepContext,
  type StepOf,
} from './step.ts';

/**
 * Signs in with the end user's input. Like the other steps, throws ValidationError, TooManyAttempts and the connector's errors.
 */
export const signIn = async (
  context: StepContext,
  { institution }: In<'credentials'>,
  { values: typed }: StepOf<'credentials'>,
): Promise<Next> => {
  const { deps, session, call } = context;
  const found = requireInstitution(context);
  const { fields } = found.institution;
  const values = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
  const empty = fields.find(({ name, optional }) => !optional && !values[name]);
  if (empty) throw invalidStep(`values.${empty.name}`, 'must not be empty');
  const unknown = Object.keys(values).find((name) => !fields.some((field) => field.name === name));
  if (unknown) throw invalidStep(`values.${unknown}`, 'is not a field of this institution');
  const signInAt = deps.clock.real().toISOString();
  consumeSignIn(deps, { session, values }, context.ipKey);
  const request = { institution: found.ref, credentials: values, attended: true };
  const result = await found.connector.signIn(request, call);
  return continueSignIn(context, { institution, values, signInAt, actions: 0, reading: undefined }, result);
};

/** Answers a challenge that is not a redirect. */
export const answerChallenge = async (
  context: StepContext,
  state: In<'challenge'>,
  { answer }: StepOf<'answer'>,
): Promise<Next> => {
  if (state.challenge.kind === 'redirect') throw invalidStep('kind', 'must be returned for a redirect');
  return sendAnswer(context, state, answer);
};

/** Answers a redirect with the returning end user's query, if the code is correct. */
export const answerByReturn = async (
  context: StepContext,
  state: In<'challenge'>,
  { code }: StepOf<'returned'>,
): Promise<Next> => {
  const { returnState } = state;
  if (returnState === undefined)
    throw invalidStep('kind', 'must be answer unless the challenge is a redirect');
  const query = context.session.openReturn();
  if (query !== undefined && isReturnCode(context.deps.hashKeys, returnState, code))
    return sendAnswer(context, state, query);
  return { to: { ...state, error: { reason: 'wrong_answer' } }, rejected: true };
};

const sendAnswer = async (context: StepContext, state: In<'challenge'>, answer: string): Promise<Next> => {
  const request = { challengeState: state.challengeState, answer };
  const reply = connectorOf(context).answer(request, context.call);
  return continueSignIn(context, state, await (state.reading ? orNoChallenge(reply, state.reading) : reply));
};

/** Limited, because each action may send somebody a text message. */
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

const continueSignIn = async (
  context: StepContext,
  signingIn: SigningIn,
  result: SignInResult,
): Promise<Next> => {
  if (result.kind === 'challenge') return showChallenge(context, signingIn, result);
  const { institution, values, signInAt, reading } = signingIn;
  releaseSignIn(context.deps, { session: context.session, values, signInAt }, context.ipKey);
  if (reading) return withAccess(reading, result);
  const { access, deviceToken, expiresAt } = result;
  const revocationId = await storePendingRevocation(context, institution, result);
  const historyUntil = historyWindowEnd(context, institution.id);
  return listAccounts(context, {
    ...{ institution, values, access, deviceToken, expiresAt, historyUntil, revocationId },
  });
};

const historyWindowEnd = ({ deps, session }: StepContext, institutionId: string): string | undefined => {
  const { historyWindowSeconds } = deps.registry.limitsOf(session.application.environment, institutionId);
  if (historyWindowSeconds === 0) return undefined;
  return addMilliseconds(deps.clock.real(), seconds(historyWindowSeconds)).toISOString();
};

/** Fetches the accounts for the end user to choose from; a reconnect continues with the import. */
export const listAccounts = async (context: StepContext, signedIn: SignedIn): Promise<Next> => {
  context.signedIn = signedIn;
  const accounts = await connectorOf(context).accounts(signedIn.access, context.call);
  if (accounts.length === 0) throw new BankRefused('no_accounts');
  const { reconnectConnectionId } = context.session.row;
  if (reconnectConnectionId === null)
    return { to: { at: 'accounts', ...signedIn, accounts, asked: undefined, sharedIds: undefined } };
  const selection = { ...signedIn, accounts, accountIds: [], isRepeated: false };
  // Only the worker can find out which accounts the connection has.
  if (context.session.kept.selectsAccounts)
    return { import: { ...selection, choice: 'asked' }, reconnectConnectionId };
  return approveReading(context, { import: selection, reconnectConnectionId });
};

/**
 * Stores the data with which the worker revokes the consent if the session is abandoned, sealed to it. Returns the row's id;
 * undefined if there is nothing to revoke.
 */
const storePendingRevocation = async (
  context: StepContext,
  { id: institutionId }: { id: string },
  { access, deviceToken }: SignInResult & { kind: 'signedIn' },
): Promise<string | undefined> => {
  const { deps, session } = context;
  if (!connectorOf(context).revoke) return undefined;
  const { id: applicationId, organizationId, environment } = session.application;
  const id = makeId('rev');
  await deps.workerPublicKeys.withCurrent(({ key }) =>
    insertRevocation(deps.db.write, {
      ...{ id, applicationId, organizationId, environment, institutionId, linkSessionId: session.row.id },
      credentials: sealForWorker({ access, deviceToken }, ['credentials', id], key),
      createdAt: deps.clock.real().toISOString(),
      dueAt: linkSessionExpiry(deps),
    }),
  );
  return id;
};
