// Why it did not work, what can be done about it, and the button that does it.
import type { FailedReason } from '../sessionController.ts';
import { Icon } from '../components/Icon.tsx';
import { Screen } from '../components/Screen.tsx';
import type { SubmitStep, ViewOf } from '../screenProps.ts';
import { t } from '../texts/texts.ts';

type Props = {
  reason: FailedReason;
  /** There when the session itself says so, rather than the service about the session. */
  view?: ViewOf<'failed'>;
  retry?: { to: 'credentials' | 'institution'; working: boolean; take: SubmitStep };
  restart?: () => void;
  onClose: () => void;
};

const temporaryReasons: FailedReason[] = [
  'institution_down',
  'institution_timeout',
  'session_expired',
  'superseded',
];

export const Failed = ({ reason, view, retry, restart, onClose }: Props) => {
  const { title, text } = t.failed.reasons[reason];
  const action = retry
    ? {
        label: retry.to === 'institution' ? t.failed.otherBank : t.failed.tryAgain,
        run: () => retry.take({ kind: 'retry' }),
      }
    : restart
      ? { label: t.failed.startAgain, run: restart }
      : { label: t.close, run: onClose };
  return (
    <Screen
      title={title}
      top={
        <span class="badge bad">
          <Icon name={temporaryReasons.includes(reason) ? 'clock' : 'warning'} />
        </span>
      }
      centered
      footer={
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
