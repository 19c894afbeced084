// The card around every screen: title, back button, close button, and the sandbox notice.
import type { ComponentChildren } from 'preact';
import { t } from '../texts/texts.ts';
import { Icon } from './Icon.tsx';

type Props = {
  /** Undefined if the screen has no back button. */
  onBack?: () => void;
  /** Undefined if the screen itself has a button that closes the widget. */
  onClose?: () => void;
  /** A step is being submitted. */
  submitting?: boolean;
  offline?: boolean;
  isSandbox: boolean;
  children: ComponentChildren;
};

export const Card = ({ onBack, onClose, submitting, offline, isSandbox, children }: Props) => (
  <div class="card" role="dialog" aria-modal="true" aria-labelledby="title">
    <header class="header">
      {onBack && (
        <button
          type="button"
          class="icon-button back"
          data-action="back"
          aria-label={t.back}
          disabled={submitting ?? false}
          onClick={onBack}
        >
          <Icon name="back" />
        </button>
      )}
      <h1 id="title" class={offline ? 'visually-hidden' : undefined}>
        {t.title}
      </h1>
      {offline && (
        <p class="offline" role="status">
          {t.offline}
        </p>
      )}
      {onClose && (
        <button
          type="button"
          class="icon-button close"
          data-action="close"
          aria-label={t.close}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      )}
    </header>
    {children}
    {isSandbox && <p class="sandbox-notice">{t.sandbox}</p>}
  </div>
);
