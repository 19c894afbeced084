// One field to type in, under the label that the bank gave it. It keeps nothing: what was typed is read from the
// form when it is sent. Secret ones can be shown, and pasting and password managers are left to do their work.
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
  const [shown, setShown] = useState(false);
  const id = `field-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="box">
        <input
          id={id}
          name={name}
          {...(secret && !shown ? ({ type: 'password' } as const) : ({ type: 'text' } as const))}
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
          // Named by its text alone: the field it belongs to is the one before it.
          <button type="button" class="show" aria-controls={id} onClick={() => setShown(!shown)}>
            {shown ? t.credentials.hide : t.credentials.show}
          </button>
        )}
      </span>
    </div>
  );
};
