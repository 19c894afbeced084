// Moments in the reader's own words and time zone; the exact moment is a hover or a screen reader's step away.
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

/** "3 minutes ago", "in 2 hours", "just now". */
export const relativeTime = (moment: string, now: number): string => {
  const seconds = (new Date(moment).getTime() - now) / 1000;
  const step = relativeUnits.find(([, length]) => Math.abs(seconds) >= length);
  return step ? relativeTimeFormat.format(Math.round(seconds / step[1]), step[0]) : 'just now';
};

export const formatDateTime = (moment: string): string => dateTimeFormat.format(new Date(moment));

type TimestampProps = {
  at: string | null;
  /** What to say where it never was. */
  fallback?: string;
  /** What the clock says where this happened; without it the real time. */
  now?: number;
  /** The full date and time instead of how long ago. */
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
  if (!at) return <span className="soft">{fallback}</span>;
  const words = absolute
    ? formatDateTime(at)
    : dateOnly
      ? dateFormat.format(new Date(at))
      : relativeTime(at, now);
  return (
    <time dateTime={at} title={formatDateTime(at)} className="nowrap">
      {words}
    </time>
  );
};
