// Buttons, and links that look like buttons. Automation uses their `data-action`, which does not depend on the language.
import { t } from '../texts/texts.ts';

/** docs/widget.md lists them. */
export type Action =
  | 'continue'
  | 'back'
  | 'close'
  | 'done'
  | 'retry'
  | 'other-bank'
  | 'reconnect'
  | 'send-again'
  | 'other-way'
  | 'stay'
  | 'leave';

type ButtonProps = {
  label: string;
  action: Action;
  disabled?: boolean;
  /** Without it, the button submits the surrounding form. */
  onClick?: () => void;
};

/** Disabled while a step is being submitted; screen readers announce that. */
export const PrimaryButton = ({
  label,
  action,
  submitting = false,
  first,
  onClick,
}: Omit<ButtonProps, 'disabled'> & { submitting?: boolean; first?: true }) => (
  <>
    <button
      type={onClick ? 'button' : 'submit'}
      class="primary-button"
      data-action={action}
      data-first={first}
      disabled={submitting}
      onClick={onClick}
    >
      {submitting && <span class="spinner-icon" aria-hidden="true" />}
      {label}
    </button>
    <span class="visually-hidden" role="status">
      {submitting && t.loading}
    </span>
  </>
);

export const SecondaryButton = ({ label, action, disabled, onClick }: ButtonProps) => (
  <button
    type="button"
    class="secondary-button"
    data-action={action}
    disabled={disabled ?? false}
    onClick={onClick}
  >
    {label}
  </button>
);

/** A button within the content that looks like a link. */
export const LinkButton = ({
  label,
  action,
  disabled,
  onClick,
}: Omit<ButtonProps, 'action'> & { action?: Action }) => (
  <button
    type="button"
    class="link-button"
    data-action={action}
    disabled={disabled ?? false}
    onClick={onClick}
  >
    {label}
  </button>
);

/** Opens the bank's help page in a new window. */
export const HelpLink = ({ bank, url }: { bank: string; url: string }) => (
  <a class="link-button" href={url} target="_blank" rel="noreferrer">
    {t.credentials.help(bank)}
  </a>
);
