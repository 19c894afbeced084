// Queries for webhook endpoints and the deliveries to them.
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { DbTransaction, Queries } from '../../platform/db/open.ts';
import { newestFirst } from '../../platform/db/queries.ts';
import { readReachable } from '../../platform/db/reachableNodes.ts';
import type { WebhookDeliveryRow, WebhookEndpointRow } from '../../platform/db/tables.ts';
import { toBase62 } from '../../platform/values/ids.ts';
import type { ListRange } from '../../platform/values/listPage.ts';

export type WebhookEndpoint = WebhookEndpointRow;

export const insertEndpoint = async (db: Queries, endpoint: WebhookEndpoint): Promise<void> => {
  await db('webhook_endpoints').insert(endpoint);
};

export const findEndpoint = async (db: Queries, id: string): Promise<WebhookEndpoint | undefined> =>
  db('webhook_endpoints').where({ id }).first('*');

/** An application's endpoints except those of listening commands, oldest first. */
export const findEndpoints = async (db: Queries, applicationId: string): Promise<WebhookEndpoint[]> =>
  db('webhook_endpoints')
    .where({ applicationId })
    .whereNull('listenerExpiresAt')
    .orderBy(['createdAt', 'id'])
    .select('*');

export type UnhealthyEndpoints = { failing: number; disabled: number };

/** The numbers of failing and disabled endpoints, in one application or in all. */
export const countUnhealthyEndpoints = async (
  db: Queries,
  applicationId?: string,
): Promise<UnhealthyEndpoints> => {
  const query = db('webhook_endpoints').whereNull('listenerExpiresAt');
  if (applicationId !== undefined) query.where({ applicationId });
  const row: Record<keyof UnhealthyEndpoints, number | string> = await query.first(
    db.raw('count(case when disabled_at is null then failing_since end) as failing'),
    db.raw('count(disabled_at) as disabled'),
  );
  return { failing: Number(row.failing), disabled: Number(row.disabled) };
};

/** The ids of the endpoints that receive an application's events; none while it is archived. */
export const findReceivingEndpoints = async (
  db: Queries,
  applicationId: string,
  now: string,
): Promise<string[]> =>
  db('webhook_endpoints')
    .where({ applicationId })
    .whereNotExists(db('applications').where({ id: applicationId }).whereNotNull('archivedAt'))
    .whereNull('disabledAt')
    .where((listens) => listens.whereNull('listenerExpiresAt').orWhere('listenerExpiresAt', '>', now))
    .pluck('id');

export const updateEndpoint = async (db: Queries, id: string, change: EndpointChange): Promise<void> => {
  await db('webhook_endpoints').where({ id }).update(change);
};

/** Replaces the sealed secret and keeps the previous one. Returns false if there is no such endpoint. */
export const replaceSecret = async (
  db: Queries,
  id: string,
  change: { secret: Buffer; replacedSecretExpiresAt: string },
): Promise<boolean> =>
  (await db('webhook_endpoints')
    .where({ id })
    .update({ ...change, replacedSecret: db.raw('secret') })) === 1;

type EndpointChange = Partial<Omit<WebhookEndpoint, 'id'>>;

/** Reads first, because a write to a reference table waits for all nodes of a cluster, even if nothing changes. */
const changeIfFound = async (endpoint: Knex.QueryBuilder, change: EndpointChange): Promise<void> => {
  if (await endpoint.clone().first('id')) await endpoint.update(change);
};

/** Stores when attempts began to fail, unless an earlier time is already stored. */
export const markEndpointFailing = (db: Queries, id: string, since: string): Promise<void> =>
  changeIfFound(db('webhook_endpoints').where({ id }).whereNull('failingSince'), { failingSince: since });

/** Stores that an attempt succeeded. Other attempts may have failed since this one was sent. */
export const markEndpointWorking = (db: Queries, id: string): Promise<void> =>
  changeIfFound(db('webhook_endpoints').where({ id }).whereNotNull('failingSince'), { failingSince: null });

/**
 * Disables an endpoint that has been failing since `before`. The condition is part of the update, because another attempt may
 * just have succeeded.
 */
export const disableFailingEndpoint = (
  db: Queries,
  id: string,
  before: string,
  disabledAt: string,
): Promise<void> =>
  changeIfFound(db('webhook_endpoints').where({ id }).where('failingSince', '<=', before), {
    disabledAt,
    disabledReason: 'failing',
  });

/** Deletes an endpoint with its deliveries. Returns false if it was already deleted. */
export const deleteEndpoint = async (trx: DbTransaction, id: string): Promise<boolean> => {
  await trx('webhook_deliveries').where({ endpointId: id }).delete();
  return (await trx('webhook_endpoints').where({ id }).delete()) === 1;
};

const sealed = { table: 'webhook_endpoints', key: ['id'], kind: 'webhookEndpoint' } as const;

/** The columns sealed to the worker. */
export const sealedToWorker = [
  { ...sealed, column: 'secret' },
  { ...sealed, column: 'replacedSecret' },
] as const;

export type DeliveryKey = Pick<WebhookDeliveryRow, 'endUserId' | 'eventId' | 'endpointId'>;

const keyOf = ({ endUserId, eventId, endpointId }: DeliveryKey): DeliveryKey => ({
  endUserId,
  eventId,
  endpointId,
});

/** Inserts an event for each of these endpoints, due when it was created. */
export const insertDeliveries = async (
  trx: DbTransaction,
  endpointIds: readonly string[],
  event: Pick<WebhookDeliveryRow, 'endUserId' | 'eventId' | 'connectionId' | 'type' | 'body' | 'createdAt'>,
): Promise<void> => {
  if (endpointIds.length === 0) return;
  const delivery = { ...event, state: 'pending' as const, attempts: 0, dueAt: event.createdAt };
  await trx('webhook_deliveries').insert(endpointIds.map((endpointId) => ({ ...delivery, endpointId })));
};

/** Restricts the deliveries that a process looks for. */
export type DeliveryFilter = {
  /** Only this endpoint; by default all endpoints except those of listening commands. */
  endpointId?: string;
  /** Endpoints at their limit of concurrent attempts. */
  busyEndpoints: readonly string[];
  /** Organizations that must wait: they are at their limit of concurrent attempts, or others have their turn. */
  waitingOrganizations: readonly string[];
};

export type DueDelivery = DeliveryKey & Pick<WebhookDeliveryRow, 'dueAt' | 'leaseToken'>;

export type FoundDelivery = DueDelivery & { organizationId: string };

/** Due deliveries that no process has claimed, longest overdue first. */
export const findDueDeliveries = async (
  db: Queries,
  now: string,
  limit: number,
  { endpointId, busyEndpoints, waitingOrganizations }: DeliveryFilter,
): Promise<FoundDelivery[]> => {
  const query = db('webhook_deliveries')
    .join('webhook_endpoints', 'webhook_endpoints.id', 'endpointId')
    .join('applications', 'applications.id', 'applicationId')
    .where('dueAt', '<=', now)
    .where((free) => free.whereNull('leaseExpiresAt').orWhere('leaseExpiresAt', '<=', now))
    .whereNotIn('endpointId', busyEndpoints)
    .whereNotIn('organizationId', waitingOrganizations)
    .orderBy('dueAt')
    .limit(limit)
    .select('endUserId', 'eventId', 'endpointId', 'dueAt', 'leaseToken', 'organizationId');
  if (endpointId === undefined) query.whereNull('listenerExpiresAt');
  else query.where({ endpointId });
  return readReachable(db, 'webhook_deliveries', [query]);
};

/** A delivery that this process has claimed. The token proves the lease when the result is stored. */
export type ClaimedDelivery = WebhookDeliveryRow & { leaseToken: string };

/** Claims a delivery, unless another process has claimed or attempted it since it was found. */
export const claimDelivery = async (
  db: Queries,
  due: DueDelivery,
  leaseExpiresAt: string,
): Promise<ClaimedDelivery | undefined> => {
  const leaseToken = toBase62(randomBytes(16));
  const [claimed] = await db('webhook_deliveries')
    .where({ ...keyOf(due), dueAt: due.dueAt, leaseToken: due.leaseToken })
    .update({ leaseToken, leaseExpiresAt })
    .returning('*');
  return claimed && { ...claimed, leaseToken };
};

const leased = (db: Queries, delivery: ClaimedDelivery) =>
  db('webhook_deliveries').where({ ...keyOf(delivery), leaseToken: delivery.leaseToken });

/** Extends a lease; false if it was lost. */
export const renewDelivery = async (
  db: Queries,
  delivery: ClaimedDelivery,
  leaseExpiresAt: string,
): Promise<boolean> => (await leased(db, delivery).update({ leaseExpiresAt })) === 1;

/** Stores the result of an attempt and ends the lease; false if the lease was lost. */
export const releaseDelivery = async (
  db: Queries,
  delivery: ClaimedDelivery,
  change: Partial<Omit<WebhookDeliveryRow, keyof DeliveryKey>>,
): Promise<boolean> => {
  const released = { ...change, leaseToken: null, leaseExpiresAt: null };
  return (await leased(db, delivery).update(released)) === 1;
};

export type WebhookDelivery = WebhookDeliveryRow;

export type DeliveryState = WebhookDelivery['state'];

/** One page of the deliveries to an endpoint, newest first, optionally in one state. */
export const findDeliveries = async (
  db: Queries,
  endpointId: string,
  page: ListRange & { state?: DeliveryState },
): Promise<WebhookDelivery[]> => {
  const query = db('webhook_deliveries').where({ endpointId }).select('*');
  if (page.state !== undefined) query.where({ state: page.state });
  return newestFirst(query, page, 'eventId');
};

export type DeliveryCounts = Record<DeliveryState, number>;

/** The number of deliveries in each state by endpoint, read from one covering index. */
export const countDeliveries = async (
  db: Queries,
  endpointIds: readonly string[],
): Promise<Map<string, DeliveryCounts>> => {
  const counts = new Map(endpointIds.map((id) => [id, { pending: 0, delivered: 0, failed: 0 }]));
  const rows: { endpointId: string; state: DeliveryState; count: number | string }[] = await db(
    'webhook_deliveries',
  )
    .whereIn('endpointId', endpointIds)
    .groupBy('endpointId', 'state')
    .select('endpointId', 'state')
    .count({ count: '*' });
  for (const { endpointId, state, count } of rows) counts.get(endpointId)![state] = Number(count);
  return counts;
};

/**
 * Makes deliveries to an endpoint due now, as if never attempted: one event, even while it waits for a retry, or all failed
 * events. A running attempt loses its lease, so that its result does not end the replay. Returns the number of deliveries.
 */
export const replayDeliveries = async (
  db: Queries,
  endpointId: string,
  which: { eventId: string } | { state: 'failed' },
  now: string,
): Promise<number> =>
  db('webhook_deliveries')
    .where({ endpointId, ...which })
    .update({ state: 'pending', attempts: 0, dueAt: now, leaseToken: null, leaseExpiresAt: null });

/** Deletes at most `limit` deliveries older than a time. Returns the number deleted. */
export const deleteDeliveriesBefore = async (db: Queries, time: string, limit: number): Promise<number> => {
  const old = await db('webhook_deliveries')
    .where('createdAt', '<', time)
    .limit(limit)
    .select('endUserId', 'eventId', 'endpointId');
  for (const key of old) await db('webhook_deliveries').where(keyOf(key)).delete();
  return old.length;
};

/** The endpoints of commands that have stopped listening. */
export const findExpiredListeners = async (db: Queries, now: string): Promise<string[]> =>
  db('webhook_endpoints').where('listenerExpiresAt', '<=', now).pluck('id');
