// Continues a sign-in or an approval after the end user's answer, or returns to an earlier choice.
import {
  BankRefused,
  BankUnreachable,
  type CallContext,
  type ChallengeAction,
  type SignInResult,
} from '@bank-connection/connector-kit';
import { continueAfterAnswer } from './approval.ts';
import { previousChoice, toChallengeResult } from './challenge.ts';
import { checkResponse, isBroken, OrderFailed, throwRefusal } from './codes.ts';
import { continueDialog, type Dialog, type FintsDeps, isSendable, makeOrder } from './dialog.ts';
import type { Days } from './firstPage.ts';
import { type BankResponse, hasCode } from './message.ts';
import { finishSignIn, logIn, withMethod } from './signIn.ts';
import type { Approval, ChallengeState } from './state.ts';

type StateOf<Step extends ChallengeState['step']> = ChallengeState & { step: Step };

export const answerChallenge = (
  deps: FintsDeps,
  state: ChallengeState,
  answer: string,
  context: CallContext,
): Promise<SignInResult> => {
  if (state.step === 'method') return chooseMethod(deps, state, answer, context);
  if (state.step === 'medium') return chooseMedium(deps, state, answer, context);
  return confirm(deps, state, answer, context);
};

/** Returns to the choice before a challenge. */
export const doChallengeAction = (state: ChallengeState, action: ChallengeAction): SignInResult => {
  const previous = action === 'otherMethod' ? previousChoice(state) : undefined;
  if (!previous) throw new BankRefused('user_action_required');
  return toChallengeResult(previous);
};

const askAgain = (state: ChallengeState): SignInResult => ({
  ...toChallengeResult(state),
  retry: { attemptsLeft: null },
});

const chooseMethod = async (
  deps: FintsDeps,
  state: StateOf<'method'>,
  answer: string,
  context: CallContext,
): Promise<SignInResult> => {
  const { login, choices } = state;
  const method = choices?.methods.find(({ id }) => String(id) === answer);
  if (!choices || !method) return askAgain(state);
  return withMethod(deps, { login, attended: true }, { method, choices }, context);
};

const chooseMedium = async (
  deps: FintsDeps,
  state: StateOf<'medium'>,
  answer: string,
  context: CallContext,
): Promise<SignInResult> => {
  const { login, choices, method } = state;
  const medium = choices?.media?.find(({ name }) => name === answer);
  if (!choices || !medium) return askAgain(state);
  const device = { systemId: choices.systemId, method, medium: medium.name };
  return logIn(deps, { login, attended: true }, { device, choices }, context);
};

/** Another challenge, or the bank's response after the confirmation. */
type Step = SignInResult | BankResponse;

/** Confirms a sign-in or the order for a statement. */
const confirm = async (
  deps: FintsDeps,
  state: StateOf<'tan'>,
  answer: string,
  context: CallContext,
): Promise<SignInResult> => {
  const { login, pending, about } = state;
  const dialog = continueDialog(deps, { login, device: pending.device }, pending.dialog, context);
  const confirmed = state.challenge.isApproval
    ? askForApproval(dialog, state)
    : sendTan(dialog, state, answer);
  if ('approval' in about) return confirmStatement(deps, { ...about, dialog, confirmed }, context);
  const response = await confirmed;
  if ('kind' in response) return response;
  const signer = { login, attended: true };
  return finishSignIn(dialog, response, { told: about.told, signer, isApproved: true }, context);
};

type Confirmed = { approval: Approval; range: Days; dialog: Dialog; confirmed: Promise<Step> };

/** Linking continues even if the order is lost. */
const confirmStatement = async (
  deps: FintsDeps,
  { dialog, confirmed, ...about }: Confirmed,
  context: CallContext,
): Promise<SignInResult> => {
  const given = await confirmed.catch((error: unknown) => {
    if (context.signal.aborted || !isLost(error)) throw error;
    return error instanceof OrderFailed ? ('refused' as const) : ('lost' as const);
  });
  if (given === 'lost') return continueAfterAnswer(deps, about, context);
  if (given === 'refused') return continueAfterAnswer(deps, { ...about, dialog }, context);
  return 'kind' in given ? given : continueAfterAnswer(deps, { ...about, dialog, page: given }, context);
};

/** True if the order or the dialog was lost. Banks may report a lost dialog as a refusal, although they accepted its PIN. */
const isLost = (error: unknown): boolean =>
  error instanceof BankUnreachable ||
  (error instanceof BankRefused && ['wrong_credentials', 'user_action_required'].includes(error.reason));

/** Sends the TAN (HKTAN, process 2). */
const sendTan = async (dialog: Dialog, state: StateOf<'tan'>, answer: string): Promise<Step> => {
  const tan = answer.trim();
  if (!isSendable(tan)) return askAgain(state);
  const response = await dialog.send([makeTanStep(state, '2')], tan);
  throwRefusal(response);
  if (hasCode(response, '9941')) {
    if (isBroken(response)) throw new BankRefused('wrong_answer');
    return askAgain(moveOn(state, dialog));
  }
  return checkResponse(response);
};

/** Polls for the end user's approval (HKTAN, process S), as often as the bank allows. */
const askForApproval = async (dialog: Dialog, state: StateOf<'tan'>): Promise<Step> => {
  const { device, polls } = state.pending;
  if (polls >= (device.method?.decoupled?.requestsMax ?? Number.POSITIVE_INFINITY)) {
    throw new BankRefused('denied');
  }
  const response = await dialog.send([makeTanStep(state, 'S')]);
  throwRefusal(response);
  if (response.codes.some(({ code }) => code.startsWith('9'))) throw new BankRefused('denied');
  return hasCode(response, '3956') ? toChallengeResult(moveOn(state, dialog)) : response;
};

const makeTanStep = ({ pending: { device, orderReference } }: StateOf<'tan'>, tanProcess: '2' | 'S') =>
  makeOrder('HKTAN', device.method!.version, { tanProcess, orderRef: orderReference, nextTan: false });

/** The state of the same challenge after another message. */
const moveOn = (state: StateOf<'tan'>, dialog: Dialog): StateOf<'tan'> => {
  const { pending } = state;
  return { ...state, pending: { ...pending, dialog: dialog.state(), polls: pending.polls + 1 } };
};
