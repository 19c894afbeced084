// The user approves in the bank's own app: nothing to type, so the page asks again as often as the bank wants to
// be asked. After some minutes it stops and leaves it to the user, who may have put the telephone away.
import { useEffect, useState } from 'preact/hooks';
import type { SessionController } from '../sessionController.ts';
import { Alert } from '../components/Alert.tsx';
import { ContinueButton } from '../components/ContinueButton.tsx';
import { Icon } from '../components/Icon.tsx';
import { Screen } from '../components/Screen.tsx';
import type { ScreenProps } from '../screenProps.ts';
import type { LinkSessionView } from '../apiClient.ts';
import { t } from '../texts/texts.ts';

const maxWaitMs = 180_000;

type ApprovalChallenge = Extract<
  Extract<LinkSessionView, { state: 'challenge' }>['challenge'],
  { kind: 'approval' }
>;
type Props = ScreenProps<'challenge'> & {
  challenge: ApprovalChallenge;
  poll: SessionController['pollApproval'];
};

export const Approval = ({ view, submitting, challenge, poll }: Props) => {
  const [until, setUntil] = useState(() => Date.now() + maxWaitMs);
  const [waiting, setWaiting] = useState(true);

  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => {
      if (Date.now() < until) poll();
      else setWaiting(false);
    }, challenge.pollSeconds * 1000);
    return () => clearTimeout(timer);
  }, [view, waiting, until]);

  const ask = () => {
    setUntil(Date.now() + maxWaitMs);
    setWaiting(true);
    poll();
  };
  return (
    <Screen
      title={t.challenge.approval}
      lead={challenge.label}
      top={
        <span class={waiting ? 'badge waiting' : 'badge'}>
          <Icon name="phone" />
        </span>
      }
      centered
      footer={waiting ? undefined : <ContinueButton working={submitting} onClick={ask} />}
    >
      {waiting ? (
        <p class="quiet" role="status">
          <span class="wheel" aria-hidden="true" />
          {t.challenge.waiting}
        </p>
      ) : (
        <Alert>{t.challenge.stillWaiting}</Alert>
      )}
    </Screen>
  );
};
