// Error messages.
import type { ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';

export const alertId = 'alert';

/** Focuses a field and scrolls the error above it into view, or the error's start if it is taller than the screen. */
export const focusBelowAlert = (field: HTMLElement): void => {
  field.focus();
  const alert = document.getElementById(alertId);
  const isHigher = alert && alert.offsetHeight > alert.closest('.screen')!.clientHeight;
  alert?.scrollIntoView({ block: isHigher ? 'start' : 'nearest' });
};

/** An error message above its fields. A repeated error needs a new `key`, so that screen readers announce it again. */
export const Alert = ({ children }: { children: ComponentChildren }) => (
  <p id={alertId} class="alert" role="alert">
    <Icon name="warning" />
    <span>{children}</span>
  </p>
);
