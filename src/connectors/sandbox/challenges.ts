// The questions that the sandbox bank asks, and what it does with an answer. All of it follows from the dialogue
// text, so that any process may take the next step.
import { BankRefused } from '../../errors.ts';
import type { Challenge, SignInResult } from '../connector.ts';
import { captchaImage, captchaText } from './captchaImage.ts';
import { decodeStateToken, encodeStateToken } from './stateTokens.ts';
import type { ChallengeStep } from './users.ts';

/** Where a sign-in stands: which of the user's steps is asked, since when, and how often it may still be answered. */
export type ChallengeState = {
  institutionId: string;
  username: string;
  stepIndex: number;
  attemptsLeft: number;
  startedAt: string;
  /** What was chosen where a choice came first. */
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

const challengeByStep: Record<ChallengeStep, (dialogue: ChallengeState) => Challenge> = {
  code: ({ chosen }) => {
    const device = codeChannels.find(({ id }) => id === chosen);
    return {
      kind: 'code',
      label: device ? `Code sent by: ${device.label}` : 'Code sent to your phone by SMS',
    };
  },
  question: () => ({ kind: 'question', label: 'What is your favorite color?' }),
  choice: () => ({ kind: 'choice', label: 'Where should we send your code?', options: codeChannels }),
  approval: () => ({ kind: 'approval', label: 'Approve this sign-in in the Sandbox app', pollSeconds }),
  denial: () => ({ kind: 'approval', label: 'Approve this sign-in in the Sandbox app', pollSeconds }),
  image: () => ({ kind: 'image', label: 'Type the characters in the picture', image: captchaImage }),
};

/** What an answer is: the way on, a wrong try, or nothing yet. */
type AnswerResult = 'right' | 'wrong' | 'wait';

const checkAnswer = (
  step: ChallengeStep,
  dialogue: ChallengeState,
  answer: string,
  realNow: Date,
): AnswerResult => {
  const typed = answer.trim().toLowerCase();
  switch (step) {
    case 'code':
      return typed.replace(/\s/g, '') === '123456' ? 'right' : 'wrong';
    case 'question':
      return typed === 'blue' ? 'right' : 'wrong';
    case 'choice':
      return codeChannels.some(({ id }) => id === answer) ? 'right' : 'wrong';
    case 'image':
      return typed === captchaText.toLowerCase() ? 'right' : 'wrong';
    case 'approval':
    case 'denial': {
      if (realNow.getTime() - Date.parse(dialogue.startedAt) < approvalMs) return 'wait';
      if (step === 'denial') throw new BankRefused('denied');
      return 'right';
    }
  }
};

/** Asks the first of the user's steps. */
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

/** The next challenge after an answer, or undefined when the user is in. Throws BankRefused when tries are used up. */
export const nextChallenge = (
  steps: readonly ChallengeStep[],
  dialogue: ChallengeState,
  answer: string,
  realNow: Date,
): SignInResult | undefined => {
  const step = steps[dialogue.stepIndex];
  if (!step) throw new BankRefused('user_action_required');
  const verdict = checkAnswer(step, dialogue, answer, realNow);
  if (verdict === 'wait') return toChallengeResult(steps, dialogue);
  if (verdict === 'wrong') {
    const attemptsLeft = dialogue.attemptsLeft - 1;
    if (attemptsLeft <= 0) throw new BankRefused('wrong_answer');
    return { ...toChallengeResult(steps, { ...dialogue, attemptsLeft }), retry: { attemptsLeft } };
  }
  if (dialogue.stepIndex + 1 === steps.length) return undefined;
  return toChallengeResult(steps, {
    ...dialogue,
    stepIndex: dialogue.stepIndex + 1,
    attemptsLeft: attemptsMax,
    startedAt: realNow.toISOString(),
    chosen: step === 'choice' ? answer : dialogue.chosen,
  });
};

const toChallengeResult = (
  steps: readonly ChallengeStep[],
  dialogue: ChallengeState,
): SignInResult & { kind: 'challenge' } => ({
  kind: 'challenge',
  challenge: challengeByStep[steps[dialogue.stepIndex]!](dialogue),
  challengeState: encodeStateToken('dialogue', dialogue),
});

export const decodeChallengeState = (text: string): ChallengeState =>
  decodeStateToken<ChallengeState>('dialogue', text);
