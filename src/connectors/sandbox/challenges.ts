// The challenges of the sandbox connector and the check of their answers. The state travels in `challengeState`,
// so that any process can take the next step.
import { BankRefused } from '../../errors.ts';
import type { Challenge, SignInResult } from '../connector.ts';
import { captchaImage, captchaText } from './captchaImage.ts';
import { decodeStateToken, encodeStateToken } from './stateTokens.ts';
import type { ChallengeStep } from './users.ts';

/** The state of a sign-in: which of the user's steps is asked, since when, and how many attempts are left. */
export type ChallengeState = {
  institutionId: string;
  username: string;
  stepIndex: number;
  attemptsLeft: number;
  startedAt: string;
  /** The id of the chosen option, after a choice. */
  chosen?: string;
};

const attemptsMax = 3;
const approvalMs = 3_000;
const pollSeconds = 1;

const codeChannels = [
  { id: 'phone', label: 'Text message to phone ending in 55' },
  { id: 'call', label: 'Phone call to number ending in 08' },
  { id: 'mail', label: 'Email to s•••@example.com' },
];

const challengeByStep: Record<ChallengeStep, (state: ChallengeState) => Challenge> = {
  code: ({ chosen }) => {
    const channel = codeChannels.find(({ id }) => id === chosen);
    return {
      kind: 'code',
      label: channel ? `Code sent by: ${channel.label}` : 'Code sent to your phone by SMS',
    };
  },
  question: () => ({ kind: 'question', label: 'What is your favorite color?' }),
  choice: () => ({ kind: 'choice', label: 'Where should we send your code?', options: codeChannels }),
  approval: () => ({ kind: 'approval', label: 'Approve this sign-in in the Sandbox app', pollSeconds }),
  denial: () => ({ kind: 'approval', label: 'Approve this sign-in in the Sandbox app', pollSeconds }),
  image: () => ({ kind: 'image', label: 'Type the characters in the picture', image: captchaImage }),
};

type AnswerResult = 'correct' | 'wrong' | 'pending';

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
    case 'approval':
    case 'denial': {
      if (realNow.getTime() - Date.parse(state.startedAt) < approvalMs) return 'pending';
      if (step === 'denial') throw new BankRefused('denied');
      return 'correct';
    }
  }
};

export const firstChallenge = (
  user: { institutionId: string; username: string; steps: readonly ChallengeStep[] },
  realNow: Date,
): SignInResult =>
  toChallengeResult(user.steps, {
    institutionId: user.institutionId,
    username: user.username,
    stepIndex: 0,
    attemptsLeft: attemptsMax,
    startedAt: realNow.toISOString(),
  });

/**
 * The challenge after an answer, or undefined after the last correct answer. Throws BankRefused('wrong_answer')
 * when no attempt is left.
 */
export const nextChallenge = (
  steps: readonly ChallengeStep[],
  state: ChallengeState,
  answer: string,
  realNow: Date,
): SignInResult | undefined => {
  const step = steps[state.stepIndex];
  if (!step) throw new BankRefused('user_action_required');
  const result = checkAnswer(step, state, answer, realNow);
  if (result === 'pending') return toChallengeResult(steps, state);
  if (result === 'wrong') {
    const attemptsLeft = state.attemptsLeft - 1;
    if (attemptsLeft <= 0) throw new BankRefused('wrong_answer');
    return { ...toChallengeResult(steps, { ...state, attemptsLeft }), retry: { attemptsLeft } };
  }
  if (state.stepIndex + 1 === steps.length) return undefined;
  return toChallengeResult(steps, {
    ...state,
    stepIndex: state.stepIndex + 1,
    attemptsLeft: attemptsMax,
    startedAt: realNow.toISOString(),
    chosen: step === 'choice' ? answer : state.chosen,
  });
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
