// The sandbox's challenges and the check of their answers. `challengeState` contains the state, so that any process can take the
// next step.
import {
  BankRefused,
  BankUnreachable,
  type Challenge,
  type ChallengeAction,
  type ChallengeActions,
  type Label,
  type ReturnTo,
  type SignInResult,
} from '@bank-connection/connector-kit';
import { bankPageCode, bankPageUrl } from './bankPage.ts';
import { captchaImage, captchaText } from './captchaImage.ts';
import { decodeStateToken, encodeStateToken } from './stateTokens.ts';
import type { ChallengeStep } from './users.ts';

/** The state of a sign-in: the user's current step, its start, and the number of attempts left. */
export type ChallengeState = {
  institutionId: string;
  username: string;
  stepIndex: number;
  attemptsLeft: number;
  startedAt: string;
  /** The id of the chosen option, after a choice. */
  chosen?: string;
  /** The number of times that the code or the request was resent. */
  resends?: number;
  /** Before reading: the access from the sign-in, and the number of accounts. */
  reading?: { access: string; accounts: number };
  /** The URL to which the bank's page returns; present only if the end user is. */
  returnTo?: ReturnTo;
};

const attemptsMax = 3;
const approvalMs = 3_000;
const pollSeconds = 1;
const resendsMax = 2;
const resendAfterSeconds = 3;

type CodeChannel = { id: string; option: Label; code: Label };

const codeChannels: CodeChannel[] = [
  {
    id: 'phone',
    option: { label: 'Text message to •••55', labelKey: 'method_sms', labelValue: '•••55' },
    code: { label: 'Code sent by text message to •••55', labelKey: 'code_sms', labelValue: '•••55' },
  },
  {
    id: 'call',
    option: { label: 'Phone call to •••08', labelKey: 'method_call', labelValue: '•••08' },
    code: { label: 'Code told by a phone call to •••08', labelKey: 'code_call', labelValue: '•••08' },
  },
  {
    id: 'mail',
    option: { label: 'Email to s•••@example.com', labelKey: 'method_email', labelValue: 's•••@example.com' },
    code: {
      ...{ label: 'Code sent by email to s•••@example.com', labelKey: 'code_email' },
      labelValue: 's•••@example.com',
    },
  },
];
const usualCode: Label = { label: 'Code sent by text', labelKey: 'code_sms' };

const resendOf = ({ resends = 0 }: ChallengeState): ChallengeActions =>
  resends < resendsMax ? { resend: { afterSeconds: resendAfterSeconds } } : {};

const approval = (state: ChallengeState): Challenge => ({
  ...{ kind: 'approval', pollSeconds },
  ...{ label: 'Approve this sign-in in the Sandbox app', labelKey: 'approve_app', labelValue: 'Sandbox' },
  ...resendOf(state),
});

const challengeByStep: Record<ChallengeStep, (state: ChallengeState) => Challenge> = {
  code: (state) => {
    const { reading, stepIndex } = state;
    const ofAccount = { label: `Code for account ${stepIndex + 1} of ${reading?.accounts}` };
    const channel = codeChannels.find(({ id }) => id === state.chosen);
    return {
      ...{ kind: 'code', inputMode: 'digits', length: { min: 6, max: 6 } },
      ...(channel ? { ...channel.code, otherMethod: true } : reading ? ofAccount : usualCode),
      ...resendOf(state),
    };
  },
  question: () => ({ kind: 'question', label: 'What is your favorite color?', hint: 'In English.' }),
  choice: () => ({
    ...{ kind: 'choice', label: 'Where should we send your code?', labelKey: 'choose_method' },
    options: codeChannels.map(({ id, option }) => ({ id, ...option })),
  }),
  approval,
  denial: approval,
  redirect: ({ username, returnTo }) => ({
    ...{ kind: 'redirect', label: 'Sign in on the page of the bank' },
    url: bankPageUrl(username, returnTo!),
  }),
  image: () => ({
    ...{ kind: 'image', image: captchaImage },
    ...{ label: 'Type the characters in the picture', labelKey: 'picture' },
  }),
};

type AnswerResult = 'correct' | 'wrong' | 'pending';

/** The bank's page responds with OAuth parameters (RFC 6749, section 4.1.2). */
const checkReturn = ({ username, returnTo }: ChallengeState, query: URLSearchParams): AnswerResult => {
  if (query.get('error') === 'access_denied') throw new BankRefused('denied');
  if (query.get('error') === 'temporarily_unavailable') throw new BankUnreachable('timeout');
  const isOfThisSignIn = returnTo !== undefined && query.get('state') === returnTo.state;
  return isOfThisSignIn && query.get('code') === bankPageCode(username, returnTo.state) ? 'correct' : 'wrong';
};

const checkAnswer = (
  step: ChallengeStep,
  state: ChallengeState,
  answer: string,
  realNow: Date,
): AnswerResult => {
  const normalized = answer.trim().toLowerCase();
  switch (step) {
    case 'code':
      return normalized.replace(/\s/g, '') === '123456' ? 'correct' : 'wrong';
    case 'question':
      return normalized === 'blue' ? 'correct' : 'wrong';
    case 'choice':
      return codeChannels.some(({ id }) => id === answer) ? 'correct' : 'wrong';
    case 'image':
      return normalized === captchaText.toLowerCase() ? 'correct' : 'wrong';
    case 'redirect':
      return checkReturn(state, new URLSearchParams(answer));
    case 'approval':
    case 'denial': {
      if (realNow.getTime() - Date.parse(state.startedAt) < approvalMs) return 'pending';
      if (step === 'denial') throw new BankRefused('denied');
      return 'correct';
    }
  }
};

export const firstChallenge = (
  steps: readonly ChallengeStep[],
  user: Pick<ChallengeState, 'institutionId' | 'username' | 'reading' | 'returnTo'>,
  realNow: Date,
): SignInResult =>
  toChallengeResult(steps, {
    ...user,
    stepIndex: 0,
    attemptsLeft: attemptsMax,
    startedAt: realNow.toISOString(),
  });

/**
 * The challenge after an answer; undefined after the last correct answer. Throws BankRefused('wrong_answer') when no attempts are
 * left.
 */
export const nextChallenge = (
  steps: readonly ChallengeStep[],
  state: ChallengeState,
  answer: string,
  { realNow, returnTo }: { realNow: Date; returnTo: ReturnTo | undefined },
): SignInResult | undefined => {
  const step = steps[state.stepIndex];
  if (!step) throw new BankRefused('user_action_required');
  const result = checkAnswer(step, state, answer, realNow);
  if (result === 'pending') return toChallengeResult(steps, state);
  if (result === 'wrong') {
    const attemptsLeft = state.attemptsLeft - 1;
    if (attemptsLeft <= 0) throw new BankRefused('wrong_answer');
    return { ...toChallengeResult(steps, { ...state, attemptsLeft, returnTo }), retry: { attemptsLeft } };
  }
  if (state.stepIndex + 1 === steps.length) return undefined;
  return toChallengeResult(steps, {
    ...state,
    stepIndex: state.stepIndex + 1,
    attemptsLeft: attemptsMax,
    startedAt: realNow.toISOString(),
    returnTo,
    chosen: step === 'choice' ? answer : state.chosen,
  });
};

/** Executes an action. Throws BankRefused('user_action_required') if the challenge does not offer it. */
export const actOnChallenge = (
  steps: readonly ChallengeStep[],
  state: ChallengeState,
  action: ChallengeAction,
  realNow: Date,
): SignInResult => {
  const step = steps[state.stepIndex];
  if (!step || !challengeByStep[step](state)[action]) throw new BankRefused('user_action_required');
  if (action === 'otherMethod') {
    const { chosen: _, ...rest } = state;
    return toChallengeResult(steps, { ...rest, stepIndex: state.stepIndex - 1 });
  }
  const resends = (state.resends ?? 0) + 1;
  return toChallengeResult(steps, { ...state, resends, startedAt: realNow.toISOString() });
};

const toChallengeResult = (
  steps: readonly ChallengeStep[],
  state: ChallengeState,
): SignInResult & { kind: 'challenge' } => ({
  kind: 'challenge',
  challenge: challengeByStep[steps[state.stepIndex]!](state),
  challengeState: encodeStateToken('challenge', state),
});

export const decodeChallengeState = (token: string): ChallengeState =>
  decodeStateToken<ChallengeState>('challenge', token);
