// What the bank asks before it lets the user in, each kind in its own form. The bank's words are the label.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionController } from '../sessionController.ts';
import { Alert, alertId } from '../components/Alert.tsx';
import { ContinueButton } from '../components/ContinueButton.tsx';
import { Field } from '../components/Field.tsx';
import { Avatar } from '../components/Avatar.tsx';
import { Screen } from '../components/Screen.tsx';
import type { ScreenProps } from '../screenProps.ts';
import { t } from '../texts/texts.ts';
import { Approval } from './Approval.tsx';

type Props = ScreenProps<'challenge'> & { poll: SessionController['pollApproval'] };

/** The screen for one challenge. Another challenge is another screen, the same one again keeps its place. */
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
  const typed = () => fieldset.current!.querySelector<HTMLInputElement>('input[name=answer]')!;

  // A refused answer is typed anew, not corrected.
  useLayoutEffect(() => {
    if (!error) return;
    if (challenge.kind !== 'choice') typed().value = '';
    typed().focus();
  }, [view.version]);

  const submit = (form: HTMLFormElement) => {
    const answer = String(new FormData(form).get('answer') ?? '').trim();
    setMissing(!answer);
    if (!answer) return typed().focus();
    submitStep({ kind: 'answer', answer });
  };

  const wrong = missing || Boolean(error);
  return (
    <Screen
      title={t.challenge[challenge.kind]}
      lead={t.challenge.lead(institution.name)}
      top={<Avatar name={institution.name} large />}
      onSubmit={submit}
      footer={<ContinueButton working={submitting} />}
    >
      {!submitting && missing && (
        <Alert>
          {challenge.kind === 'choice' ? t.challenge.chooseOne : t.credentials.missing(challenge.label)}
        </Alert>
      )}
      {!submitting && !missing && error && (
        <Alert key={view.version}>
          {t.errors[error.reason](institution.name)}{' '}
          {error.attemptsLeft && t.errors.tries(error.attemptsLeft)}
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
    <div class="rows">
      {options.map((option, at) => (
        <label key={option.id} class="row">
          <input type="radio" name="answer" value={option.id} data-first={at === 0 || undefined} />
          <span class="name">{option.label}</span>
        </label>
      ))}
    </div>
  </div>
);
