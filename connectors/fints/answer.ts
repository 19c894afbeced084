// The answers to challenges, and the way back to a choice.
import {
  BankRefused,
  type CallContext,
  type ChallengeAction,
  type SignInResult,
} from '@bank-connection/connector-kit';
import { previousChoice, toChallengeResult } from './challenge.ts';
import { checkResponse, isBroken, throwRefusal } from './codes.ts';
import { continueDialog, type Dialog, type FintsDeps, isSendable, makeOrder } from './dialog.ts';
import { type BankResponse, hasCode } from './message.ts';
import { finishSignIn, logIn, withMethod } from './signIn.ts';
import type { ChallengeState } from './state.ts';

type StateOf<Step extends ChallengeState['step']> = ChallengeState & { step: Step };

/** Takes the answer to a challenge. */
export const answerChallenge = (
  deps: FintsDeps,
  state: ChallengeState,
  answer: string,
  context: CallContext,
): Promise<SignInResult> => {
  if (state.step === 'method') return chooseMethod(deps, state, answer, context);
  if (state.step === 'medium') return chooseMedium(deps, state, answer, context);
  return state.challenge.isApproval
    ? askForApproval(deps, state, context)
    : sendTan(deps, state, answer, context);
};

/** The choice that comes before a challenge, made again. */
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

/** Sends the TAN (HKTAN, process 2). */
const sendTan = async (
  deps: FintsDeps,
  state: StateOf<'tan'>,
  answer: string,
  context: CallContext,
): Promise<SignInResult> => {
  const tan = answer.trim();
  if (!isSendable(tan)) return askAgain(state);
  const dialog = continuePending(deps, state, context);
  const response = await dialog.send([makeTanStep(state, '2')], tan);
  throwRefusal(response);
  if (hasCode(response, '9941')) {
    if (isBroken(response)) throw new BankRefused('wrong_answer');
    return askAgain(moveOn(state, dialog));
  }
  return finish(dialog, checkResponse(response), state, context);
};

/** Asks whether the end user has approved (HKTAN, process S), as often as the bank allows. */
const askForApproval = async (
  deps: FintsDeps,
  state: StateOf<'tan'>,
  context: CallContext,
): Promise<SignInResult> => {
  const { device, polls } = state.pending;
  if (polls >= (device.method?.decoupled?.requestsMax ?? Number.POSITIVE_INFINITY)) {
    throw new BankRefused('denied');
  }
  const dialog = continuePending(deps, state, context);
  const response = await dialog.send([makeTanStep(state, 'S')]);
  throwRefusal(response);
  if (response.codes.some(({ code }) => code.startsWith('9'))) throw new BankRefused('denied');
  if (!hasCode(response, '3956')) return finish(dialog, response, state, context);
  return toChallengeResult(moveOn(state, dialog));
};

const continuePending = (deps: FintsDeps, { login, pending }: StateOf<'tan'>, context: CallContext): Dialog =>
  continueDialog(deps, { login, device: pending.device }, pending.dialog, context);

const makeTanStep = ({ pending: { device, orderReference } }: StateOf<'tan'>, tanProcess: '2' | 'S') =>
  makeOrder('HKTAN', device.method!.version, { tanProcess, orderRef: orderReference, nextTan: false });

/** The same challenge after another message. */
const moveOn = (state: StateOf<'tan'>, dialog: Dialog): StateOf<'tan'> => {
  const { pending } = state;
  return { ...state, pending: { ...pending, dialog: dialog.state(), polls: pending.polls + 1 } };
};

const finish = (
  dialog: Dialog,
  response: BankResponse,
  { login, pending }: StateOf<'tan'>,
  context: CallContext,
): Promise<SignInResult> => {
  const signer = { login, attended: true };
  return finishSignIn(dialog, response, { told: pending, signer, isApproved: true }, context);
};
