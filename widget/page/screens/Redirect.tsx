// The user signs in on the bank's own page, in a new window or in the device's browser. It ends at our return page, which passes
// its code to this page, or shows it for the user to type here.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Alert } from '../components/Alert.tsx';
import { Avatar } from '../components/Avatar.tsx';
import { LinkButton, PrimaryButton } from '../components/buttons.tsx';
import { Field } from '../components/Field.tsx';
import { Icon } from '../components/Icon.tsx';
import { Screen } from '../components/Screen.tsx';
import type { ReturnChannel } from '../returnChannel.ts';
import { t } from '../texts/texts.ts';
import type { ScreenProps, ViewOf } from './screenProps.ts';

export type RedirectChallenge = Extract<ViewOf<'challenge'>['challenge'], { kind: 'redirect' }>;
type Props = ScreenProps<'challenge'> & {
  challenge: RedirectChallenge;
  returnChannel: ReturnChannel;
  resumed: boolean | undefined;
};
/** Undefined before the first click; `earlier` if a previous page opened the window. */
type Opened = ReturnType<ReturnChannel['openBank']> | 'earlier' | undefined;

const closedPollMs = 500;

/** True if the opened window is closed, or appears closed because another site severed its connection to this page. */
const useClosed = (opened: Opened): boolean => {
  const [closed, setClosed] = useState(false);
  useEffect(() => {
    setClosed(false);
    if (!opened || typeof opened === 'string') return;
    const timer = setInterval(() => setClosed(opened.closed), closedPollMs);
    return () => clearInterval(timer);
  }, [opened]);
  return closed;
};

export const Redirect = ({ view, challenge, submitting, submitStep, returnChannel, resumed }: Props) => {
  const { institution, error } = view;
  const [opened, setOpened] = useState<Opened>(resumed ? 'earlier' : undefined);
  const [missing, setMissing] = useState(false);
  const closed = useClosed(opened);

  // A layout effect, because other effects are cleaned up only after the next screen is painted, from which a code would be sent.
  useLayoutEffect(
    () => returnChannel.listenForReturn((code) => submitStep({ kind: 'returned', code })),
    [returnChannel, submitStep],
  );

  const openBank = () => setOpened(returnChannel.openBank(challenge.url));
  const submit = (form: HTMLFormElement) => {
    const code = String(new FormData(form).get('code') ?? '').trim();
    setMissing(!code);
    if (code) submitStep({ kind: 'returned', code });
  };

  const top = <Avatar {...institution} large />;
  if (opened === undefined) {
    return (
      <Screen
        title={t.redirect.title(institution.name)}
        lead={t.redirect.lead(institution.name)}
        top={top}
        footer={
          <PrimaryButton
            action="continue"
            label={t.redirect.open(institution.name)}
            first
            onClick={openBank}
          />
        }
      />
    );
  }
  return (
    <Screen
      title={t.redirect.waiting(institution.name)}
      lead={t.redirect.waitingLead}
      top={top}
      onSubmit={submit}
      footer={<PrimaryButton action="continue" label={t.challenge.verify} submitting={submitting} />}
    >
      {!submitting && (closed || opened === null) && (
        <p class="hint" role="status">
          <Icon name="warning" />
          {closed ? t.redirect.closed : t.redirect.blocked}
        </p>
      )}
      <LinkButton label={t.redirect.openAgain} disabled={submitting} onClick={openBank} />
      {!submitting && (missing || error) && (
        <Alert key={view.version}>{missing ? t.redirect.missing : t.redirect.wrongCode}</Alert>
      )}
      <fieldset class="fields" disabled={submitting}>
        <Field
          name="code"
          label={t.redirect.code}
          hint={t.redirect.codeHint}
          first={false}
          autocomplete="off"
          invalid={missing || Boolean(error)}
        />
      </fieldset>
    </Screen>
  );
};
