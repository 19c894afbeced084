// A switch that takes effect immediately.
import type { ReactNode } from 'react';

type SwitchProps = {
  isSelected: boolean;
  isDisabled?: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
};

export const Switch = ({ isSelected, isDisabled, onChange, children }: SwitchProps) => (
  <label className="switch">
    <input
      type="checkbox"
      role="switch"
      checked={isSelected}
      aria-checked={isSelected}
      disabled={isDisabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span>{children}</span>
  </label>
);
