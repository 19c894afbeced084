// A field for a new password, which only needs to be long enough.
import { Field } from '../../components/Field.tsx';

export const minPasswordLength = 12;

type NewPasswordFieldProps = { label?: string; value: string; onChange: (value: string) => void };

export const NewPasswordField = ({ label = 'Password', value, onChange }: NewPasswordFieldProps) => (
  <Field
    label={label}
    type="password"
    name="new-password"
    autoComplete="new-password"
    hint={`At least ${minPasswordLength} characters. Several words in a row are easy to remember and hard to guess.`}
    isRequired
    minLength={minPasswordLength}
    maxLength={200}
    value={value}
    onChange={onChange}
  />
);
