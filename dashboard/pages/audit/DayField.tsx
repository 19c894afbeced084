// A field for a day, formatted as in tables. Its boundary is the start of the day or, with `isEnd`, of the next day, in local
// time.
import { useState } from 'react';
import { Field } from '../../components/Field.tsx';
import { formatDate } from '../../components/Timestamp.tsx';
import { parseDay } from './parseDay.ts';

type DayFieldProps = {
  label: string;
  /** The boundary as an ISO timestamp. */
  day: string | undefined;
  isEnd?: boolean;
  onChange: (timestamp: string | undefined) => void;
};

const validate = (text: string): string | null =>
  text.trim() === '' || parseDay(text) ? null : 'Enter a date such as 21 Nov 2026.';

/** Reports complete days, and undefined for an empty field. On blur, rewrites the day in the usual format. */
export const DayField = ({ label, day, isEnd, onChange }: DayFieldProps) => {
  const [text, setText] = useState<string>();
  const change = (next: string) => {
    setText(next);
    const [year, month, date] = parseDay(next) ?? [];
    if (next.trim() === '') onChange(undefined);
    else if (year !== undefined) onChange(new Date(year, month! - 1, date! + (isEnd ? 1 : 0)).toISOString());
  };
  return (
    <Field
      label={label}
      placeholder="21 Nov 2026"
      value={text ?? (day ? formatDay(day, isEnd) : '')}
      onChange={change}
      onBlur={() => setText(text && !parseDay(text) ? text : undefined)}
      validate={validate}
    />
  );
};

const formatDay = (timestamp: string, isEnd: boolean | undefined): string => {
  const at = new Date(timestamp);
  if (isEnd) at.setDate(at.getDate() - 1);
  return formatDate(at.toISOString());
};
