// A text field with the bank's label. It is uncontrolled: the form reads its value on submit. A secret field has a
// button that shows its text; pasting and password managers work.
import { useState } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { alertId } from './Alert.tsx';
import { headingId } from './Screen.tsx';

type Props = {
  name: string;
  label: string;
  secret?: boolean;
  first: boolean;
  autocomplete: 'username' | 'current-password' | 'one-time-code' | 'off';
  invalid: boolean;
};

export const Field = ({ name, label, secret, first, autocomplete, invalid }: Props) => {
  const [visible, setVisible] = useState(false);
  const id = `field-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="input-group">
        <input
          id={id}
          name={name}
          {...(secret && !visible ? ({ type: 'password' } as const) : ({ type: 'text' } as const))}
          autocomplete={autocomplete}
          autocapitalize="none"
          autocorrect="off"
          spellcheck={false}
          required
          maxLength={1000}
          aria-invalid={invalid}
          aria-describedby={invalid ? alertId : first ? headingId : undefined}
          data-first={first || undefined}
        />
        {secret && (
          <button type="button" class="toggle-secret" aria-controls={id} onClick={() => setVisible(!visible)}>
            {visible ? t.credentials.hide : t.credentials.show}
          </button>
        )}
      </span>
    </div>
  );
};
