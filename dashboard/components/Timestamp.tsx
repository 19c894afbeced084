// Times relative to now, in the browser's time zone, with the full date and time as a tooltip.
const dateTimeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const relativeTimeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const relativeUnits: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** For example "3 minutes ago", "in 2 hours" or "just now". */
export const relativeTime = (timestamp: string, now: number): string => {
  const seconds = (new Date(timestamp).getTime() - now) / 1000;
  const unit = relativeUnits.find(([, length]) => Math.abs(seconds) >= length);
  return unit ? relativeTimeFormat.format(Math.round(seconds / unit[1]), unit[0]) : 'just now';
};

export const formatDateTime = (timestamp: string): string => dateTimeFormat.format(new Date(timestamp));

export const formatDate = (timestamp: string): string => dateFormat.format(new Date(timestamp));

type TimestampProps = {
  at: string | null;
  /** Shown if `at` is null. */
  fallback?: string;
  /** The environment's current time in milliseconds; by default real time. */
  now?: number;
  /** Shows date and time instead of relative time. */
  absolute?: boolean;
  dateOnly?: boolean;
};

export const Timestamp = ({
  at,
  fallback = 'Never',
  now = Date.now(),
  absolute,
  dateOnly,
}: TimestampProps) => {
  if (!at) return <span className="muted">{fallback}</span>;
  const text = absolute ? formatDateTime(at) : dateOnly ? formatDate(at) : relativeTime(at, now);
  return (
    <time dateTime={at} title={formatDateTime(at)} className="nowrap">
      {text}
    </time>
  );
};
