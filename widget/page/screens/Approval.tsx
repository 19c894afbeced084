// The user approves in the bank's own app: nothing to type, so the page asks again as often as the bank wants to
// be asked. After some minutes it stops and leaves it to the user, who may have put the telephone away.
import { useEffect, useState } from 'preact/hooks';
import type { Conversation } from '../conversation.ts';
import { Alert } from '../parts/Alert.tsx';
import { Continue } from '../parts/Continue.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Screen } from '../parts/Screen.tsx';
import type { Shows } from '../screen.ts';
import type { View } from '../service.ts';
import { t } from '../texts/texts.ts';

const waitAtMostMs = 180_000;

type ApprovalChallenge = Extract<Extract<View, { state: 'challenge' }>['challenge'], { kind: 'approval' }>;
type Props = Shows<'challenge'> & { challenge: ApprovalChallenge; poll: Conversation['poll'] };

export const Approval = ({ view, working, challenge, poll }: Props) => {
  const [until, setUntil] = useState(() => Date.now() + waitAtMostMs);
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
    setUntil(Date.now() + waitAtMostMs);
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
      centred
      foot={waiting ? undefined : <Continue working={working} onClick={ask} />}
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
