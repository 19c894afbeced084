// Moments in the reader's own words and time zone; the exact moment is a hover or a screen reader's step away.
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "3 minutes ago", "in 2 hours", "just now". */
export const since = (moment: string, now: number): string => {
  const seconds = (new Date(moment).getTime() - now) / 1000;
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  return step ? relative.format(Math.round(seconds / step[1]), step[0]) : 'just now';
};

export const exactly = (moment: string): string => exact.format(new Date(moment));

type WhenProps = {
  at: string | null;
  /** What to say where it never was. */
  never?: string;
  /** What the clock says where this happened; without it the real time. */
  now?: number;
  /** The full date and time instead of how long ago. */
  full?: boolean;
  dateOnly?: boolean;
};

export const When = ({ at, never = 'Never', now = Date.now(), full, dateOnly }: WhenProps) => {
  if (!at) return <span className="soft">{never}</span>;
  const words = full ? exactly(at) : dateOnly ? day.format(new Date(at)) : since(at, now);
  return (
    <time dateTime={at} title={exactly(at)} className="nowrap">
      {words}
    </time>
  );
};
