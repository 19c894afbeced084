// The bank's challenge: a form for each kind. The label is the bank's text.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ScreenProps } from '../components.tsx';
import { Alert, Avatar, alertId, ContinueButton, Field, Screen } from '../components.tsx';
import type { SessionController } from '../sessionController.ts';
import { t } from '../texts/texts.ts';
import { Approval } from './Approval.tsx';

type Props = ScreenProps<'challenge'> & { poll: SessionController['pollApproval'] };

/** A different challenge is a new screen; a repeated one keeps its form. */
export const Challenge = (props: Props) => {
  const { challenge } = props.view;
  const key = `${challenge.kind} ${challenge.label}`;
  return challenge.kind === 'approval' ? (
    <Approval key={key} challenge={challenge} {...props} />
  ) : (
    <ChallengeForm key={key} {...props} />
  );
};

const ChallengeForm = ({ view, submitting, submitStep }: Props) => {
  const { challenge, error, institution } = view;
  const [missing, setMissing] = useState(false);
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const input = () => fieldset.current!.querySelector<HTMLInputElement>('input[name=answer]')!;

  // A rejected answer is cleared, because users type it again instead of correcting it.
  useLayoutEffect(() => {
    if (!error) return;
    if (challenge.kind !== 'choice') input().value = '';
    input().focus();
  }, [view.version]);

  const submit = (form: HTMLFormElement) => {
    const answer = String(new FormData(form).get('answer') ?? '').trim();
    setMissing(!answer);
    if (!answer) return input().focus();
    submitStep({ kind: 'answer', answer });
  };

  const wrong = missing || Boolean(error);
  return (
    <Screen
      title={t.challenge[challenge.kind]}
      lead={t.challenge.lead(institution.name)}
      top={<Avatar name={institution.name} large />}
      onSubmit={submit}
      footer={<ContinueButton submitting={submitting} />}
    >
      {!submitting && missing && (
        <Alert>
          {challenge.kind === 'choice' ? t.challenge.chooseOne : t.credentials.missing(challenge.label)}
        </Alert>
      )}
      {!submitting && !missing && error && (
        <Alert key={view.version}>
          {t.errors[error.reason](institution.name)}{' '}
          {error.attemptsLeft && t.errors.attemptsLeft(error.attemptsLeft)}
        </Alert>
      )}
      <fieldset ref={fieldset} class="fields" disabled={submitting}>
        {challenge.kind === 'choice' ? (
          <ChoiceOptions label={challenge.label} options={challenge.options} invalid={wrong} />
        ) : (
          <>
            {challenge.kind === 'image' && (
              <img class="captcha" src={challenge.image} alt={t.challenge.imageAlt} />
            )}
            <Field
              name="answer"
              label={challenge.label}
              first
              autocomplete={challenge.kind === 'code' ? 'one-time-code' : 'off'}
              invalid={wrong}
            />
          </>
        )}
      </fieldset>
    </Screen>
  );
};

type ChoiceOptionsProps = { label: string; options: { id: string; label: string }[]; invalid: boolean };

const ChoiceOptions = ({ label, options, invalid }: ChoiceOptionsProps) => (
  <div role="radiogroup" aria-labelledby="question" aria-describedby={invalid ? alertId : undefined}>
    <p id="question" class="label">
      {label}
    </p>
    <div class="options">
      {options.map((option, index) => (
        <label key={option.id} class="option">
          <input type="radio" name="answer" value={option.id} data-first={index === 0 || undefined} />
          <span class="name">{option.label}</span>
        </label>
      ))}
    </div>
  </div>
);
