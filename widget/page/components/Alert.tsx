// What went wrong, above the fields that can put it right. Drawn anew for each mistake, so that it is read out
// again when the same one is made twice.
import type { ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';

export const alertId = 'alert';

export const Alert = ({ children }: { children: ComponentChildren }) => (
  <p id={alertId} class="alert" role="alert">
    <Icon name="warning" />
    <span>{children}</span>
  </p>
);
