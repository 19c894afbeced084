// Queries for the link sessions of an application: pages and counts.
import type { Queries } from '../../platform/db/open.ts';
import { newestFirst } from '../../platform/db/queries.ts';
import type { LinkSessionRow } from '../../platform/db/tables.ts';
import type { ListRange } from '../../platform/values/listPage.ts';

export type LinkSessionOutcome = 'connected' | 'failed' | 'left' | 'open';
export type LinkSessionFailure = Exclude<LinkSessionRow['failure'], 'cancelled' | null>;

export type ListedLinkSession = Pick<
  LinkSessionRow,
  'id' | 'createdAt' | 'reconnectConnectionId' | 'institutionId' | 'reached' | 'connectionId'
> & { outcome: LinkSessionOutcome; reason: LinkSessionFailure | null };

// An importing session does not expire: the worker finishes or fails it.
const outcomeOf = (db: Queries, now: string) =>
  db.raw(
    `case when state = 'ended' then 'connected'
      when state = 'failed' then case when failure = 'cancelled' then 'left' else 'failed' end
      when state = 'importing' or expires_at > ? then 'open'
      else 'left' end`,
    [now],
  );

const reason = "case when state = 'failed' and failure <> 'cancelled' then failure end as reason";

export type LinkSessionFilter = {
  outcome?: LinkSessionOutcome;
  institutionId?: string;
  linkSessionId?: string;
};

export type LinkSessionPageRequest = ListRange & {
  applicationId: string;
  now: string;
  filter: LinkSessionFilter;
};

/** One page of an application's matching link sessions, newest first. */
export const findListedLinkSessions = async (
  db: Queries,
  { applicationId, now, filter, ...page }: LinkSessionPageRequest,
): Promise<ListedLinkSession[]> => {
  const { outcome, institutionId, linkSessionId } = filter;
  const query = db('link_sessions').where({
    applicationId,
    ...(institutionId !== undefined && { institutionId }),
    ...(linkSessionId !== undefined && { id: linkSessionId }),
  });
  if (outcome !== undefined) query.whereRaw('? = ?', [outcomeOf(db, now), outcome]);
  return newestFirst(query, page).select(
    ...(['id', 'createdAt', 'reconnectConnectionId', 'institutionId', 'reached', 'connectionId'] as const),
    db.raw('? as outcome', [outcomeOf(db, now)]),
    db.raw(reason),
  );
};

type CountRange = { applicationId: string; from: string };

const openedSince = (db: Queries, { applicationId, from }: CountRange) =>
  db('link_sessions').where({ applicationId }).where('createdAt', '>=', from);

export type ReachedCount = Pick<LinkSessionRow, 'reached'> & {
  sessions: number;
  reconnects: number;
  connected: number;
};

/** Link sessions opened since a time, then deleted and counted by the sweep, by furthest state. */
const countAbandoned = async (db: Queries, { applicationId, from }: CountRange): Promise<ReachedCount[]> => {
  const rows: { subject: string; sessions: unknown }[] = await db('metrics_per_minute')
    .where({ applicationId, kind: 'abandoned_link_session' })
    .where('minute', '>=', from)
    .groupBy('subject')
    .select('subject', db.raw('sum(total) as sessions'));
  return rows.map(({ subject, sessions }) => ({
    reached: subject as ReachedCount['reached'],
    sessions: Number(sessions),
    reconnects: 0,
    connected: 0,
  }));
};

/** The number of link sessions opened since a time, by furthest state, including deleted ones. */
export const countByReached = async (db: Queries, range: CountRange): Promise<ReachedCount[]> => {
  const rows: Record<keyof ReachedCount, unknown>[] = await openedSince(db, range)
    .groupBy('reached')
    .select(
      'reached',
      db.raw('count(*) as sessions'),
      db.raw('count(reconnect_connection_id) as reconnects'),
      db.raw("count(case when state = 'ended' then 1 end) as connected"),
    );
  // PostgreSQL returns counts as text.
  const counts = rows.map((row) => ({
    reached: row.reached as ReachedCount['reached'],
    sessions: Number(row.sessions),
    reconnects: Number(row.reconnects),
    connected: Number(row.connected),
  }));
  return [...counts, ...(await countAbandoned(db, range))];
};

export type InstitutionCount = Pick<ListedLinkSession, 'outcome' | 'reason'> & {
  institutionId: string;
  sessions: number;
};

/** The number of link sessions opened since a time, by last selected institution, outcome and reason. */
export const countByInstitution = async (
  db: Queries,
  { now, ...range }: CountRange & { now: string },
): Promise<InstitutionCount[]> => {
  const rows: InstitutionCount[] = await openedSince(db, range)
    .whereNotNull('institutionId')
    .groupBy('institutionId', 'outcome', 'reason')
    .select(
      'institutionId',
      db.raw('? as outcome', [outcomeOf(db, now)]),
      db.raw(reason),
      db.raw('count(*) as sessions'),
    );
  return rows.map((row) => ({ ...row, sessions: Number(row.sessions) }));
};
