// The bank's challenge: a form for each kind. The label is the bank's text.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Alert, alertId, focusBelowAlert } from '../components/Alert.tsx';
import { Avatar } from '../components/Avatar.tsx';
import { PrimaryButton } from '../components/buttons.tsx';
import { Field } from '../components/Field.tsx';
import { Screen } from '../components/Screen.tsx';
import type { ReturnChannel } from '../returnChannel.ts';
import { labelText, t } from '../texts/texts.ts';
import { Approval } from './Approval.tsx';
import { ChallengeActions } from './ChallengeActions.tsx';
import { Redirect } from './Redirect.tsx';
import type { ScreenProps } from './screenProps.ts';

type Props = ScreenProps<'challenge'> & {
  poll: () => void;
  returnChannel: ReturnChannel;
  resumed: boolean | undefined;
};

/** A different challenge is a new screen; a repeated one keeps its form. */
export const Challenge = (props: Props) => {
  const { challenge } = props.view;
  const key = `${challenge.kind} ${challenge.label}`;
  switch (challenge.kind) {
    case 'approval':
      return <Approval key={key} challenge={challenge} {...props} />;
    case 'redirect':
      return <Redirect key={key} challenge={challenge} {...props} />;
    default:
      return <ChallengeForm key={key} challenge={challenge} {...props} />;
  }
};

type FormChallenge = Extract<Props['view']['challenge'], { kind: 'code' | 'question' | 'choice' | 'image' }>;

/** The typed answer, without spaces between digits. */
const toAnswer = (challenge: FormChallenge, text: string): string =>
  challenge.kind !== 'choice' && challenge.inputMode === 'digits' ? text.replace(/\s/g, '') : text.trim();

/** The error message for an invalid answer, which is not sent to the bank; undefined for a valid one. */
const problemOf = (challenge: FormChallenge, answer: string): string | undefined => {
  if (!answer && challenge.kind === 'choice') return t.challenge.chooseOne;
  if (!answer) return challenge.kind === 'question' ? t.challenge.missingAnswer : t.challenge.missingCode;
  if (challenge.kind === 'choice' || !challenge.length) return undefined;
  const { min, max } = challenge.length;
  if (answer.length >= min && answer.length <= max) return undefined;
  return (challenge.inputMode === 'digits' ? t.challenge.digits : t.challenge.characters)(min, max);
};

/** An image without our label is scanned by the user's device or app, which then shows a code. */
const titleOf = (challenge: FormChallenge): string =>
  challenge.kind === 'image' && challenge.labelKey !== 'picture'
    ? t.challenge.imageCode
    : t.challenge[challenge.kind];

const ChallengeForm = ({ view, challenge, submitting, submitStep }: Props & { challenge: FormChallenge }) => {
  const { error, institution } = view;
  const [problem, setProblem] = useState<string>();
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const input = () => fieldset.current!.querySelector<HTMLInputElement>('input[name=answer]')!;

  // A rejected answer is cleared, because users retype it instead of correcting it.
  useLayoutEffect(() => {
    if (!error) return;
    if (challenge.kind !== 'choice') input().value = '';
    focusBelowAlert(input());
  }, [view.version]);
  useLayoutEffect(() => {
    if (problem) focusBelowAlert(input());
  }, [problem]);

  const submit = (form: HTMLFormElement) => {
    const answer = toAnswer(challenge, String(new FormData(form).get('answer') ?? ''));
    const found = problemOf(challenge, answer);
    setProblem(found);
    if (found) return focusBelowAlert(input());
    submitStep({ kind: 'answer', answer });
  };

  const wrong = problem !== undefined || Boolean(error);
  // This question precedes the sign-in and verifies nobody.
  const isAboutUse = challenge.labelKey === 'choose_account_use';
  return (
    <Screen
      title={isAboutUse ? institution.name : titleOf(challenge)}
      lead={isAboutUse ? '' : t.challenge[view.for === 'reading' ? 'leadReading' : 'lead'](institution.name)}
      top={<Avatar {...institution} large />}
      onSubmit={submit}
      footer={
        <PrimaryButton
          action="continue"
          label={challenge.kind === 'choice' ? t.challenge.next : t.challenge.verify}
          submitting={submitting}
        />
      }
    >
      {!submitting && problem && <Alert>{problem}</Alert>}
      {!submitting && !problem && error && (
        <Alert key={view.version}>
          {t.errors[error.reason](institution.name)}{' '}
          {error.attemptsLeft ? t.errors.attemptsLeft(error.attemptsLeft) : ''}
        </Alert>
      )}
      <fieldset ref={fieldset} class="fields" disabled={submitting}>
        {challenge.kind === 'choice' ? (
          <ChoiceOptions label={labelText(challenge)} options={challenge.options} invalid={wrong} />
        ) : (
          <>
            {challenge.kind === 'image' && (
              <img class="captcha" src={challenge.image} alt={t.challenge.imageAlt} />
            )}
            <Field
              name="answer"
              label={labelText(challenge)}
              hint={challenge.hint}
              first
              autocomplete={challenge.kind === 'code' ? 'one-time-code' : 'off'}
              digits={challenge.inputMode === 'digits'}
              invalid={wrong}
            />
          </>
        )}
      </fieldset>
      <ChallengeActions {...{ view, submitting, submitStep }} />
    </Screen>
  );
};

type ChoiceOptionsProps = {
  label: string;
  options: Extract<FormChallenge, { kind: 'choice' }>['options'];
  invalid: boolean;
};

const ChoiceOptions = ({ label, options, invalid }: ChoiceOptionsProps) => (
  <div role="radiogroup" aria-labelledby="question" aria-describedby={invalid ? alertId : undefined}>
    <p id="question" class="label">
      {label}
    </p>
    <div class="options">
      {options.map((option, index) => (
        <label key={option.id} class="option">
          <input type="radio" name="answer" value={option.id} data-first={index === 0 || undefined} />
          <span class="name">{labelText(option)}</span>
        </label>
      ))}
    </div>
  </div>
);
