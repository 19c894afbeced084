// Text fields with label, hint and validation message, connected for screen readers.
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import {
  FieldError,
  Input,
  Label,
  SearchField,
  Text,
  TextArea,
  TextField,
  type TextFieldProps,
} from 'react-aria-components';
import { Search } from './icons.tsx';

type FieldProps = Omit<TextFieldProps, 'className' | 'children' | 'style'> & {
  label: string;
  hint?: ReactNode;
  placeholder?: string;
  multiline?: boolean;
  mono?: boolean;
};

export const Field = ({ label, hint, placeholder, multiline, mono, ...props }: FieldProps) => {
  const className = mono ? 'input mono' : 'input';
  return (
    <TextField {...props} className="field">
      <Label>{label}</Label>
      {multiline ? (
        <TextArea className={className} placeholder={placeholder} spellCheck={false} />
      ) : (
        <Input className={className} placeholder={placeholder} />
      )}
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <ErrorLine />
    </TextField>
  );
};

/**
 * The place of the validation message. It has a line from the beginning and never becomes lower: a message goes when the field
 * loses the focus, which is when the mouse button goes down on the form's button, and the button must not move away from under it.
 */
const ErrorLine = () => {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current!;
    const observer = new ResizeObserver(() => {
      element.style.minBlockSize = `${element.offsetHeight}px`;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className="error-line">
      <FieldError className="field-error" />
    </div>
  );
};

type SearchProps = { label: string; placeholder?: string; value: string; onChange: (value: string) => void };

/** A search field; Escape clears it. */
export const SearchInput = ({ label, placeholder, value, onChange }: SearchProps) => (
  <SearchField className="field search grow" value={value} onChange={onChange}>
    <Label>{label}</Label>
    <Search size={16} aria-hidden="true" />
    <Input className="input" placeholder={placeholder} maxLength={255} />
  </SearchField>
);
