// Error messages.
import type { ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';

export const alertId = 'alert';

/**
 * An error message above the fields that it concerns. A repeated error needs a new `key`, so that screen readers announce it
 * again.
 */
export const Alert = ({ children }: { children: ComponentChildren }) => (
  <p id={alertId} class="alert" role="alert">
    <Icon name="warning" />
    <span>{children}</span>
  </p>
);
