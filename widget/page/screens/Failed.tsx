// Shows why linking failed, and the remedies: trying again, another bank, the bank's own help, starting over, or closing.
import { HelpLink, PrimaryButton, SecondaryButton } from '../components/buttons.tsx';
import { Icon } from '../components/Icon.tsx';
import { Screen } from '../components/Screen.tsx';
import type { FailedReason } from '../failedReason.ts';
import type { PageContent } from '../model.ts';
import { t } from '../texts/texts.ts';
import type { SubmitStep, ViewOf } from './screenProps.ts';

type Props = {
  reason: FailedReason;
  /** Undefined if no link session could be created, or it no longer exists. */
  view?: ViewOf<'failed'>;
  /** For developers, in English. */
  developerText?: string;
  submitting: boolean;
  submitStep: SubmitStep;
  restart: () => void;
  onClose: () => void;
};

const temporaryReasons: FailedReason[] = [
  'institution_down',
  'institution_timeout',
  'institution_incomplete',
  'session_expired',
  'superseded',
];

/** The user must act on the bank's own pages. */
const reasonsWithHelp: FailedReason[] = ['locked', 'wrong_credentials', 'user_action_required'];

const retryLabels: Partial<Record<FailedReason, () => string>> = {
  wrong_credentials: () => t.failed.signInAgain,
  wrong_answer: () => t.failed.signInAgain,
  denied: () => t.failed.signInAgain,
  no_accounts: () => t.failed.otherLogin,
  accounts_mismatch: () => t.failed.otherLogin,
};

type FailedAction = { label: string; action: 'retry' | 'other-bank' | 'close'; run: () => void };

/** Two actions, the more helpful one first. */
const actionsFor = ({ reason, view, submitStep, restart, onClose }: Props): FailedAction[] => {
  const close: FailedAction = { label: t.close, action: 'close', run: onClose };
  if (!view) {
    const isEnded = reason === 'session_expired' || reason === 'internal';
    const again: FailedAction = {
      label: isEnded ? t.failed.restart : t.failed.tryAgain,
      action: 'retry',
      run: restart,
    };
    return isEnded ? [again, close] : [close, again];
  }
  const targets = view.retryTargets.map(
    (target): FailedAction => ({
      label:
        target === 'institution' ? t.failed.otherInstitution : (retryLabels[reason]?.() ?? t.failed.tryAgain),
      action: target === 'institution' ? 'other-bank' : 'retry',
      run: () => submitStep({ kind: 'retry', target }),
    }),
  );
  const restarts: FailedAction = { label: t.failed.restart, action: 'retry', run: restart };
  return [...(targets.length > 0 ? targets : [restarts]), close].slice(0, 2);
};

/** True if the content's screen has a button that closes the widget. */
export const offersClose = (content: PageContent): boolean =>
  content.kind === 'failed' ||
  (content.kind === 'view' && content.view.state === 'failed' && content.view.retryTargets.length < 2);

export const Failed = (props: Props) => {
  const { reason, view, developerText, submitting } = props;
  const { title, text } = t.failed.reasons[reason];
  const [first, second] = actionsFor(props);
  const bank = view?.institution?.name ?? t.failed.yourInstitution;
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
        <>
          <PrimaryButton {...first!} submitting={submitting} onClick={first!.run} />
          <SecondaryButton {...second!} disabled={submitting} onClick={second!.run} />
        </>
      }
    >
      <p class="lead" role="alert">
        {text(bank)}
      </p>
      {developerText && (
        <p class="developer-text" lang="en" dir="ltr">
          {developerText}
        </p>
      )}
      {view?.helpUrl && reasonsWithHelp.includes(reason) && <HelpLink bank={bank} url={view.helpUrl} />}
    </Screen>
  );
};
