// Selects one of several options.
import { useId } from 'react';
import { ChevronDown } from './icons.tsx';

export type Option<Value extends string> = { value: Value; label: string; hint?: string };

/** The options of a filter: "any", then the labels in their order. */
export const filterOptions = <Value extends string>(
  any: string,
  labels: Readonly<Record<Value, string | { label: string }>>,
): Option<Value | 'any'>[] => [
  { value: 'any', label: any },
  ...(Object.entries(labels) as [Value, string | { label: string }][]).map(([value, label]) => ({
    value,
    label: typeof label === 'string' ? label : label.label,
  })),
];

export type SelectProps<Value extends string> = {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
};

type ListProps<Value extends string> = SelectProps<Value> & {
  /** Only screen readers get the label. */
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
