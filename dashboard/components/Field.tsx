// Text fields with a label, hint and validation message, connected for screen readers.
import {
  type HTMLInputAutoCompleteAttribute,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { ErrorLine } from './ErrorLine.tsx';
import { Search } from './icons.tsx';
import { useAutoFocus } from './useAutoFocus.ts';

type FieldProps = {
  label: string;
  hint?: ReactNode;
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  type?: 'text' | 'email' | 'password' | 'url';
  name?: string;
  placeholder?: string;
  inputMode?: 'numeric';
  autoComplete?: HTMLInputAutoCompleteAttribute;
  autoFocus?: boolean;
  multiline?: boolean;
  mono?: boolean;
  isRequired?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  /** The error message for an invalid value; null for a valid one. */
  validate?: (value: string) => string | null;
};

type Control = HTMLInputElement | HTMLTextAreaElement;

/** A form with an invalid field is not submitted; the first invalid field gets focus. */
export const Field = (props: FieldProps) => {
  const { label, hint, multiline, mono, value, onChange, onBlur, validate, isRequired, autoFocus, ...rest } =
    props;
  const id = useId();
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [message, setMessage] = useState('');
  const check = (element: Control) => {
    element.setCustomValidity(validate?.(element.value) ?? '');
    return element.validationMessage;
  };
  useEffect(() => void check(control.current!));
  useAutoFocus(control, autoFocus);
  const shared = {
    ...rest,
    id,
    value,
    required: isRequired,
    className: mono ? 'input mono' : 'input',
    'aria-describedby': `${id}-hint ${id}-error`,
    'aria-invalid': message !== '' || undefined,
    onChange: ({ currentTarget }: { currentTarget: Control }) => {
      onChange(currentTarget.value);
      if (message) setMessage(check(currentTarget));
    },
    onBlur: ({ currentTarget }: { currentTarget: Control }) => {
      if (currentTarget.value || message) setMessage(check(currentTarget));
      onBlur?.();
    },
    onInvalid: (event: { currentTarget: Control; preventDefault(): void }) => {
      event.preventDefault();
      setMessage(event.currentTarget.validationMessage);
      if (isFirstInvalid(event.currentTarget)) event.currentTarget.focus();
    },
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {multiline ? (
        <textarea {...shared} ref={control} spellCheck={false} />
      ) : (
        <input {...shared} ref={control} />
      )}
      {hint && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
      <ErrorLine id={`${id}-error`} message={message} />
    </div>
  );
};

const isFirstInvalid = (control: Control): boolean =>
  control.form?.querySelector(':is(input, textarea):invalid') === control;

type SearchProps = { label: string; placeholder?: string; value: string; onChange: (value: string) => void };

/** A search field; Escape clears it. */
export const SearchInput = ({ label, placeholder, value, onChange }: SearchProps) => {
  const id = useId();
  return (
    <div className="field search grow">
      <label htmlFor={id}>{label}</label>
      <Search size={16} aria-hidden="true" />
      <input
        id={id}
        type="search"
        className="input"
        placeholder={placeholder}
        maxLength={255}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onChange('')}
      />
    </div>
  );
};
