// A switch that takes effect at once.
import type { ReactNode } from 'react';
import { Switch as AriaSwitch } from 'react-aria-components';

type SwitchProps = {
  isSelected: boolean;
  isDisabled?: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
};

export const Switch = ({ children, ...props }: SwitchProps) => (
  <AriaSwitch {...props} className="switch">
    <span className="track" />
    <span>{children}</span>
  </AriaSwitch>
);
