// A password that is chosen: one field, with what it must be, and no rules beyond its length.
import { Field } from '../../parts/Field.tsx';

export const passwordLength = 12;

type NewPasswordProps = { label?: string; value: string; onChange: (value: string) => void };

export const NewPassword = ({ label = 'Password', value, onChange }: NewPasswordProps) => (
  <Field
    label={label}
    type="password"
    name="new-password"
    autoComplete="new-password"
    hint={`At least ${passwordLength} characters. Several words in a row are easy to remember and hard to guess.`}
    isRequired
    minLength={passwordLength}
    maxLength={200}
    value={value}
    onChange={onChange}
  />
);
