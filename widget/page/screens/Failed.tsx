// Why it did not work, what can be done about it, and the button that does it.
import type { FailedReason } from '../conversation.ts';
import { Icon } from '../parts/Icon.tsx';
import { Screen } from '../parts/Screen.tsx';
import type { Take, ViewOf } from '../screen.ts';
import { t } from '../texts/texts.ts';

type Props = {
  reason: FailedReason;
  /** There when the session itself says so, rather than the service about the session. */
  view?: ViewOf<'failed'>;
  retry?: { to: 'credentials' | 'bank'; working: boolean; take: Take };
  startAgain?: () => void;
  onClose: () => void;
};

const timely: FailedReason[] = ['bank_down', 'bank_timeout', 'session_expired', 'superseded'];

export const Failed = ({ reason, view, retry, startAgain, onClose }: Props) => {
  const { title, text } = t.failed.reasons[reason];
  const action = retry
    ? {
        label: retry.to === 'bank' ? t.failed.otherBank : t.failed.tryAgain,
        run: () => retry.take({ kind: 'retry' }),
      }
    : startAgain
      ? { label: t.failed.startAgain, run: startAgain }
      : { label: t.close, run: onClose };
  return (
    <Screen
      title={title}
      top={
        <span class="badge bad">
          <Icon name={timely.includes(reason) ? 'clock' : 'warning'} />
        </span>
      }
      centred
      foot={
        <button type="button" class="main" disabled={retry?.working} onClick={action.run}>
          {action.label}
        </button>
      }
    >
      <p class="lead" role="alert">
        {text(view?.institution?.name ?? t.failed.yourBank)}
      </p>
    </Screen>
  );
};
