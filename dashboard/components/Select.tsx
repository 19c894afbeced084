// Selecting one of several options from a list.
import { useId } from 'react';
import { ChevronDown } from './icons.tsx';

export type Option<Value extends string> = { value: Value; label: string; hint?: string };

export type SelectProps<Value extends string> = {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
};

type ListProps<Value extends string> = SelectProps<Value> & {
  /** Show the label to screen readers only. */
  hideLabel?: boolean;
};

export const Select = <Value extends string>(props: ListProps<Value>) => {
  const { label, value, options, onChange, hideLabel } = props;
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <div className="select">
        <select
          id={id}
          className="input"
          value={value}
          onChange={(event) => onChange(options[event.currentTarget.selectedIndex]!.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown size={16} aria-hidden="true" />
      </div>
    </div>
  );
};
