// The user approves in the bank's app. The page polls at the bank's interval, stops after a few minutes, and then shows a button
// that polls again.
import { useLayoutEffect, useState } from 'preact/hooks';
import type { LinkSessionView } from '../apiClient.ts';
import { Alert } from '../components/Alert.tsx';
import { PrimaryButton } from '../components/buttons.tsx';
import { Icon } from '../components/Icon.tsx';
import { Screen } from '../components/Screen.tsx';
import { labelText, t } from '../texts/texts.ts';
import { ChallengeActions } from './ChallengeActions.tsx';
import type { ScreenProps } from './screenProps.ts';

const maxWaitMs = 180_000;

type ApprovalChallenge = Extract<
  Extract<LinkSessionView, { state: 'challenge' }>['challenge'],
  { kind: 'approval' }
>;
type Props = ScreenProps<'challenge'> & {
  challenge: ApprovalChallenge;
  poll: () => void;
};

export const Approval = ({ view, submitting, submitStep, challenge, poll }: Props) => {
  const [deadline, setDeadline] = useState(() => Date.now() + maxWaitMs);
  const [waiting, setWaiting] = useState(true);

  // A layout effect: other effects are cleaned up only after the next screen is painted, which would get the empty answer.
  useLayoutEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => {
      if (Date.now() < deadline) poll();
      else setWaiting(false);
    }, challenge.pollSeconds * 1000);
    return () => clearTimeout(timer);
  }, [view, waiting, deadline]);

  const pollAgain = () => {
    setDeadline(Date.now() + maxWaitMs);
    setWaiting(true);
    poll();
  };
  return (
    <Screen
      title={t.challenge.approval}
      lead={labelText(challenge)}
      top={
        <span class={waiting ? 'badge waiting' : 'badge'}>
          <Icon name="phone" />
        </span>
      }
      centered
      footer={
        waiting ? undefined : (
          <PrimaryButton
            action="continue"
            label={t.challenge.checkAgain}
            submitting={submitting}
            onClick={pollAgain}
          />
        )
      }
    >
      {waiting ? (
        <p class="muted" role="status">
          <span class="spinner-icon" aria-hidden="true" />
          {t.challenge.waiting}
        </p>
      ) : (
        <Alert>{t.challenge.stillWaiting}</Alert>
      )}
      <ChallengeActions {...{ view, submitting, submitStep }} />
    </Screen>
  );
};
