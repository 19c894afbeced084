// The bank's sign-in form. Credentials are sent only to the service. Secret fields are cleared on submit, and the host page
// cannot read the frame.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Alert, focusBelowAlert } from '../components/Alert.tsx';
import { Avatar } from '../components/Avatar.tsx';
import { HelpLink, PrimaryButton } from '../components/buttons.tsx';
import { Field } from '../components/Field.tsx';
import { Icon } from '../components/Icon.tsx';
import { Screen } from '../components/Screen.tsx';
import { labelText, t } from '../texts/texts.ts';
import type { ScreenProps, ViewOf } from './screenProps.ts';

type CredentialField = ViewOf<'credentials'>['fields'][number];

type Props = ScreenProps<'credentials'> & {
  retryAfterSeconds: number | undefined;
  /** The user's previous input on this screen, without secrets. */
  typed: Record<string, string> | undefined;
};

export const Credentials = ({ view, submitting, submitStep, retryAfterSeconds, typed }: Props) => {
  const { fields, error, institution, helpUrl } = view;
  const [missing, setMissing] = useState<CredentialField>();
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const input = (name: string) => fieldset.current!.elements.namedItem(name) as HTMLInputElement;

  // After rejected credentials, the username stays, and the secret field gets focus.
  useLayoutEffect(() => {
    const field = fields.find(({ secret }) => secret) ?? fields[0];
    if (field && (error || retryAfterSeconds)) focusBelowAlert(input(field.name));
  }, [view.version, retryAfterSeconds]);
  useLayoutEffect(() => {
    if (missing) focusBelowAlert(input(missing.name));
  }, [missing]);

  const submit = () => {
    const typed = fields.map(({ name }) => [name, input(name).value] as const);
    const values: Record<string, string> = Object.fromEntries(typed.filter(([, value]) => value));
    const empty = fields.find(({ name, optional }) => !optional && !values[name]);
    // A new object each time, so that the effect runs and the field gets focus.
    setMissing(empty && { ...empty });
    if (empty) return;
    submitStep({ kind: 'credentials', values });
    for (const { name, secret } of fields) if (secret) input(name).value = '';
  };

  const isElsewhere = fields.length === 0;
  const usualLead = isElsewhere ? t.credentials.ownPage(institution.name) : t.credentials.lead;
  const lead = view.reconnect ? t.credentials.reconnect(institution.name) : usualLead;
  const submitLabel = isElsewhere ? t.credentials.toOwnPage(institution.name) : t.credentials.signIn;
  return (
    <Screen
      title={t.credentials.title(institution.name)}
      lead={lead}
      top={<Avatar {...institution} large />}
      onSubmit={submit}
      footer={<PrimaryButton action="continue" label={submitLabel} submitting={submitting} />}
    >
      {!submitting && missing && (
        <Alert key={missing.name}>{t.credentials.missing(labelText(missing))}</Alert>
      )}
      {!submitting && !missing && retryAfterSeconds && (
        <Alert>{t.errors.tooManySignIns(Math.ceil(retryAfterSeconds / 60))}</Alert>
      )}
      {!submitting && !missing && !retryAfterSeconds && error && (
        <Alert key={view.version}>
          {t.errors[error.reason](institution.name)}{' '}
          {error.attemptsLeft ? t.errors.attemptsLeft(error.attemptsLeft) : ''}
        </Alert>
      )}
      <fieldset ref={fieldset} class="fields" disabled={submitting}>
        {fields.map(({ name, secret, optional, hint, inputMode, ...label }, index) => (
          <Field
            key={name}
            name={name}
            label={optional ? `${labelText(label)} (${t.credentials.optional})` : labelText(label)}
            secret={secret}
            optional={optional}
            hint={hint}
            digits={inputMode === 'digits'}
            value={secret ? undefined : typed?.[name]}
            first={index === 0}
            autocomplete={secret ? 'current-password' : index === 0 ? 'username' : 'off'}
            invalid={missing ? missing.name === name : Boolean(error)}
          />
        ))}
      </fieldset>
      {helpUrl && <HelpLink bank={institution.name} url={helpUrl} />}
      {fields.length > 0 && (
        <p class="privacy-note">
          <Icon name="lock" />
          {t.credentials.private(institution.name, view.operator)}
        </p>
      )}
    </Screen>
  );
};
