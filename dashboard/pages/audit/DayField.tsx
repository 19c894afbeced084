// A date field for a time boundary: the start of the day, or with `isEnd` the start of the next day, in local time.
import { Field } from '../../components/Field.tsx';

type DayFieldProps = {
  label: string;
  /** The boundary as an ISO timestamp. */
  day: string | undefined;
  isEnd?: boolean;
  onChange: (timestamp: string | undefined) => void;
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

const toInputDate = (timestamp: string, isEnd: boolean | undefined): string => {
  const at = new Date(timestamp);
  if (isEnd) at.setDate(at.getDate() - 1);
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${String(at.getFullYear()).padStart(4, '0')}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
};
