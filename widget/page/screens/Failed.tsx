// Why linking failed and the one action that may help: retry, restart or close.

import type { SubmitStep, ViewOf } from '../components.tsx';
import { Icon, Screen } from '../components.tsx';
import type { FailedReason } from '../sessionController.ts';
import { t } from '../texts/texts.ts';

type Props = {
  reason: FailedReason;
  /** Undefined if no link session could be created or it no longer exists. */
  view?: ViewOf<'failed'>;
  retry?: { target: 'credentials' | 'institution'; submitting: boolean; submitStep: SubmitStep };
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
        label: retry.target === 'institution' ? t.failed.otherInstitution : t.failed.tryAgain,
        run: () => retry.submitStep({ kind: 'retry' }),
      }
    : restart
      ? { label: t.failed.restart, run: restart }
      : { label: t.close, run: onClose };
  return (
    <Screen
      title={title}
      top={
        <span class="badge danger">
          <Icon name={temporaryReasons.includes(reason) ? 'clock' : 'warning'} />
        </span>
      }
      centered
      footer={
        <button type="button" class="primary-button" disabled={retry?.submitting} onClick={action.run}>
          {action.label}
        </button>
      }
    >
      <p class="lead" role="alert">
        {text(view?.institution?.name ?? t.failed.yourInstitution)}
      </p>
    </Screen>
  );
};
