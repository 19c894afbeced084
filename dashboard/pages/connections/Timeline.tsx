// What happened to a connection, the newest first. Refreshes that went well one after the other are one line.

import type { ConnectionEvent } from '../../api/connections.ts';
import {
  Check,
  CircleAlert,
  CircleSlash,
  Hammer,
  type Icon,
  Link2,
  RefreshCw,
  RotateCcw,
} from '../../components/icons.tsx';
import { formatDateTime, relativeTime } from '../../components/Timestamp.tsx';
import { eventLabel, reasonLabel } from '../../labels/connections.ts';

const eventIcons: Record<ConnectionEvent['kind'], Icon> = {
  linked: Link2,
  refreshed: Check,
  refresh_failed: RotateCcw,
  refresh_refused: CircleAlert,
  refresh_requested: RefreshCw,
  reconnected: Link2,
  reconnect_failed: CircleAlert,
  credentials_broken: Hammer,
  revoked: CircleSlash,
};

type TimelineItem = { newest: ConnectionEvent; oldest: ConnectionEvent; count: number };

/** Quiet days would push everything worth reading off the page. */
const groupEvents = (events: readonly ConnectionEvent[]): TimelineItem[] => {
  const entries: TimelineItem[] = [];
  for (const event of events) {
    const last = entries.at(-1);
    if (last && event.kind === 'refreshed' && last.newest.kind === 'refreshed') {
      last.oldest = event;
      last.count += 1;
    } else entries.push({ newest: event, oldest: event, count: 1 });
  }
  return entries;
};

export const Timeline = ({ events, now }: { events: readonly ConnectionEvent[]; now: number }) =>
  events.length === 0 ? (
    <p className="soft">Nothing has been written down yet.</p>
  ) : (
    <ol className="timeline">
      {groupEvents(events).map((entry, place) => (
        <TimelineRow key={`${entry.oldest.at}-${place}`} entry={entry} now={now} />
      ))}
    </ol>
  );

const TimelineRow = ({ entry: { newest, oldest, count }, now }: { entry: TimelineItem; now: number }) => {
  const { label, tone } = eventLabel(newest);
  const Picture = eventIcons[newest.kind];
  const reason = reasonLabel(newest.reason);
  return (
    <li>
      <span className={`bead ${tone}`}>
        <Picture size={15} aria-hidden="true" />
      </span>
      <div className="words">
        <strong>{count > 1 ? `Refreshed ${count} times` : label}</strong>
        {count > 1 && <p className="small soft">Since {formatDateTime(oldest.at)}</p>}
        {reason && <p className="small soft">{reason}</p>}
      </div>
      <time dateTime={newest.at} title={formatDateTime(newest.at)}>
        {relativeTime(newest.at, now)}
      </time>
    </li>
  );
};
