// Text fields.
import { useState } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { alertId } from './Alert.tsx';
import { headingId } from './Screen.tsx';

type FieldProps = {
  name: string;
  label: string;
  /** More text from the bank, below the field. */
  hint?: string;
  secret?: boolean;
  optional?: boolean;
  /** Shows a numeric keyboard. */
  digits?: boolean;
  first: boolean;
  value?: string;
  autocomplete: 'username' | 'current-password' | 'one-time-code' | 'off';
  invalid: boolean;
};

// Preact would set the property, which is a boolean: the text "off" would turn it on.
const switchOffCorrection = (input: HTMLInputElement | null) => input?.setAttribute('autocorrect', 'off');

/**
 * A text field with the bank's label. It is uncontrolled: the form reads its value on submit. A secret field has a button that
 * reveals its text; pasting and password managers work.
 */
export const Field = ({
  name,
  label,
  hint,
  secret,
  optional,
  digits,
  first,
  value,
  autocomplete,
  invalid,
}: FieldProps) => {
  const [visible, setVisible] = useState(false);
  const id = `field-${name}`;
  const hintId = `hint-${name}`;
  const described = [invalid ? alertId : first ? headingId : '', hint ? hintId : ''];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="input-group">
        <input
          id={id}
          name={name}
          {...(secret && !visible ? ({ type: 'password' } as const) : ({ type: 'text' } as const))}
          autocomplete={autocomplete}
          inputMode={digits ? 'numeric' : undefined}
          autocapitalize="none"
          ref={switchOffCorrection}
          spellcheck={false}
          defaultValue={value}
          required={!optional}
          maxLength={1000}
          aria-invalid={invalid}
          aria-describedby={described.filter(Boolean).join(' ') || undefined}
          data-first={first || undefined}
        />
        {secret && (
          <button type="button" class="toggle-secret" aria-controls={id} onClick={() => setVisible(!visible)}>
            {visible ? t.credentials.hide : t.credentials.show}
          </button>
        )}
      </span>
      {hint && (
        <span id={hintId} class="hint">
          {hint}
        </span>
      )}
    </div>
  );
};
