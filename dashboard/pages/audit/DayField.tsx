// A day as a boundary: its first moment, or with `isEnd` the first moment after it, in the reader's time zone.
import { Field } from '../../components/Field.tsx';

type DayFieldProps = {
  label: string;
  /** The boundary, as the service takes it. */
  day: string | undefined;
  isEnd?: boolean;
  onChange: (moment: string | undefined) => void;
};

export const DayField = ({ label, day, isEnd, onChange }: DayFieldProps) => (
  <Field
    label={label}
    type="date"
    value={day ? toInputDate(day, isEnd) : ''}
    onChange={(text) => onChange(toBoundary(text, isEnd))}
  />
);

const toBoundary = (text: string, isEnd: boolean | undefined): string | undefined => {
  const [year, month, date] = text.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date + (isEnd ? 1 : 0)).toISOString();
};

const toInputDate = (moment: string, isEnd: boolean | undefined): string => {
  const at = new Date(moment);
  if (isEnd) at.setDate(at.getDate() - 1);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
};
