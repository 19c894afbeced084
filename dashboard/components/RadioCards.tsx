// Radio buttons as cards, for options with an explanation.
import { useId } from 'react';
import type { SelectProps } from './Select.tsx';

export const RadioCards = <Value extends string>({ label, value, options, onChange }: SelectProps<Value>) => {
  const name = useId();
  return (
    <fieldset className="radio-cards">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="radio-card">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <strong>{option.label}</strong>
          {option.hint && <span className="hint">{option.hint}</span>}
        </label>
      ))}
    </fieldset>
  );
};
