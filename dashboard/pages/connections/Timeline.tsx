// The history of a connection, newest first. Consecutive successful refreshes are one item.
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

/** Merges consecutive `refreshed` events. */
const groupEvents = (events: readonly ConnectionEvent[]): TimelineItem[] => {
  const items: TimelineItem[] = [];
  for (const event of events) {
    const previous = items.at(-1);
    if (previous && event.kind === 'refreshed' && previous.newest.kind === 'refreshed') {
      previous.oldest = event;
      previous.count += 1;
    } else items.push({ newest: event, oldest: event, count: 1 });
  }
  return items;
};

export const Timeline = ({ events, now }: { events: readonly ConnectionEvent[]; now: number }) =>
  events.length === 0 ? (
    <p className="muted">No events yet.</p>
  ) : (
    <ol className="timeline">
      {groupEvents(events).map((item, index) => (
        <TimelineRow key={`${item.oldest.at}-${index}`} item={item} now={now} />
      ))}
    </ol>
  );

const TimelineRow = ({ item: { newest, oldest, count }, now }: { item: TimelineItem; now: number }) => {
  const { label, tone } = eventLabel(newest);
  const Icon = eventIcons[newest.kind];
  const reason = reasonLabel(newest.reason);
  return (
    <li>
      <span className={`timeline-icon ${tone}`}>
        <Icon size={15} aria-hidden="true" />
      </span>
      <div className="heading-text">
        <strong>{count > 1 ? `Refreshed ${count} times` : label}</strong>
        {count > 1 && <p className="small muted">Since {formatDateTime(oldest.at)}</p>}
        {reason && <p className="small muted">{reason}</p>}
      </div>
      <time dateTime={newest.at} title={formatDateTime(newest.at)}>
        {relativeTime(newest.at, now)}
      </time>
    </li>
  );
};
