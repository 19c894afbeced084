// The bank's sign-in form. The credentials are sent to the service only. Secret fields are cleared on submit, and the
// host page cannot read the frame.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ScreenProps, ViewOf } from '../components.tsx';
import { Alert, Avatar, ContinueButton, Field, Icon, Screen } from '../components.tsx';
import { labelText, t } from '../texts/texts.ts';

type CredentialField = ViewOf<'credentials'>['fields'][number];

type Props = ScreenProps<'credentials'> & { retryAfterSeconds: number | undefined };

export const Credentials = ({ view, submitting, submitStep, retryAfterSeconds }: Props) => {
  const { fields, error, application, institution, helpUrl } = view;
  const [missing, setMissing] = useState<CredentialField>();
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const input = (name: string) => fieldset.current!.elements.namedItem(name) as HTMLInputElement;

  // After rejected credentials the username stays and the focus moves to the secret field.
  useLayoutEffect(() => {
    const field = fields.find(({ secret }) => secret) ?? fields[0];
    if (field && (error || retryAfterSeconds)) input(field.name).focus();
  }, [view.version, retryAfterSeconds]);
  useLayoutEffect(() => {
    if (missing) input(missing.name).focus();
  }, [missing]);

  const submit = () => {
    const values = Object.fromEntries(fields.map(({ name }) => [name, input(name).value]));
    const empty = fields.find(({ name }) => !values[name]);
    // A new object each time, so that the effect runs and the field gets the focus.
    setMissing(empty && { ...empty });
    if (empty) return;
    submitStep({ kind: 'credentials', values });
    for (const { name, secret } of fields) if (secret) input(name).value = '';
  };

  const usualLead = fields.length === 0 ? t.credentials.ownPage(institution.name) : t.credentials.lead;
  const lead = view.reconnect ? t.credentials.reconnect(application.name) : usualLead;
  return (
    <Screen
      title={t.credentials.title(institution.name)}
      lead={lead}
      top={<Avatar {...institution} large />}
      onSubmit={submit}
      footer={<ContinueButton submitting={submitting} />}
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
          {error.attemptsLeft && t.errors.attemptsLeft(error.attemptsLeft)}
        </Alert>
      )}
      <fieldset ref={fieldset} class="fields" disabled={submitting}>
        {fields.map(({ name, secret, ...label }, index) => (
          <Field
            key={name}
            name={name}
            label={labelText(label)}
            secret={secret}
            first={index === 0}
            autocomplete={secret ? 'current-password' : index === 0 ? 'username' : 'off'}
            invalid={missing ? missing.name === name : Boolean(error)}
          />
        ))}
      </fieldset>
      {helpUrl && (
        <a class="link-button" href={helpUrl} target="_blank" rel="noreferrer">
          {t.credentials.help(institution.name)}
        </a>
      )}
      {fields.length > 0 && (
        <p class="privacy-note">
          <Icon name="lock" />
          {t.credentials.private(application.name)}
        </p>
      )}
    </Screen>
  );
};
