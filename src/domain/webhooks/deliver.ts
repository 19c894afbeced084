// Delivers queued events: claims due deliveries, sends each one, and stores the result. A crash loses nothing: the lease
// expires, and the event is sent again with the same id.

import type { Database } from '../../platform/db/open.ts';
import type { WebhookError } from '../../platform/db/tables.ts';
import { keepRenewing, pause } from '../../platform/loops/loop.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import { failSpan, inSpan } from '../../platform/telemetry/tracing.ts';
import { addMilliseconds, type Clock, days, seconds } from '../../platform/values/clock.ts';
import { CorruptData } from '../../platform/values/errors.ts';
import { findActiveApplication } from '../applications/store.ts';
import { type SendWebhook, type WebhookResponse, webhookHeaders } from './sendWebhook.ts';
import type { ClaimedDelivery, DueDelivery, FoundDelivery, WebhookEndpoint } from './store.ts';
import * as store from './store.ts';

/** The URL of an endpoint, and its signing secrets. Throws CorruptData. */
export type OpenEndpoint = (endpoint: WebhookEndpoint, now: Date) => { url: string; secrets: string[] };

export type DeliveryDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  open: OpenEndpoint;
  send: SendWebhook;
  log: DeliveryLog;
};

/** Logs ids, types and codes, never a URL or a body. */
export type DeliveryLog = {
  attempted(delivery: ClaimedDelivery, result: DeliveryResult): void;
  failed(error: unknown): void;
};

/** `state` is the delivery's new state; a rejected attempt may be retried. */
export type DeliveryResult = WebhookResponse & { state: 'pending' | 'delivered' | 'failed' };

export type DeliveryLoop = {
  /** Aborts the running attempts and waits for them. */
  stop(): Promise<void>;
};

/** Delivers until stopped: to one endpoint, or to all except those of listening commands. */
export const startDelivering = (deps: DeliveryDeps, only: { endpointId?: string } = {}): DeliveryLoop => {
  const { db, clock, limits, log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<FoundDelivery, Promise<void>>();
  /** The organizations that have had their turn in this round. */
  const served = new Set<string>();
  const start = (found: FoundDelivery, delivery: ClaimedDelivery): void => {
    const attempt = attemptDelivery(deps, delivery, signal)
      .then((result) => result && log.attempted(delivery, result), log.failed)
      .finally(() => running.delete(found));
    running.set(found, attempt);
  };
  /** Claims one delivery per organization found. Returns false if even a new round finds none. */
  const claimDue = async (): Promise<boolean> => {
    const free = limits.webhookConcurrency - running.size;
    if (free <= 0) return false;
    const due = await store.findDueDeliveries(db.read, clock.real().toISOString(), free, {
      ...only,
      busyEndpoints: atLimit(running.keys(), 'endpointId', limits.webhookConcurrencyPerEndpoint),
      waitingOrganizations: [...served, ...atLimit(running.keys(), 'organizationId', shareOf(limits))],
    });
    if (due.length === 0 || served.size >= organizationsPerRoundMax) {
      const isRoundOver = served.size > 0;
      served.clear();
      return isRoundOver;
    }
    for (const found of due) {
      if (signal.aborted) return false;
      if (served.has(found.organizationId)) continue;
      served.add(found.organizationId);
      const claimed = await store.claimDelivery(db.write, found, leaseEnd(deps));
      if (claimed) start(found, claimed);
    }
    return true;
  };
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const found = await claimDue().catch((error) => {
        log.failed(error);
        return false;
      });
      if (!found) await Promise.race([...running.values(), pause(limits.webhookPollMs, signal)]);
    }
  };
  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
      await Promise.all(running.values());
    },
  };
};

/** A round ends at this many, because one statement binds all its organizations. */
const organizationsPerRoundMax = 1000;

/** The maximum concurrent attempts per organization, so that slow endpoints do not delay other organizations. */
const shareOf = ({ webhookConcurrency }: Limits): number => Math.max(1, Math.floor(webhookConcurrency / 4));

/** The endpoints or organizations with `max` running attempts. */
const atLimit = (
  running: Iterable<FoundDelivery>,
  key: 'endpointId' | 'organizationId',
  max: number,
): string[] =>
  [...Map.groupBy(running, (found) => found[key])]
    .filter(([, { length }]) => length >= max)
    .map(([id]) => id);

const leaseEnd = ({ clock, limits }: DeliveryDeps): string =>
  addMilliseconds(clock.real(), seconds(limits.leaseSeconds)).toISOString();

/** Claims one delivery and attempts it now, due or not. Undefined if another process is attempting it or the endpoint was deleted. */
export const deliverNow = async (
  deps: DeliveryDeps,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<DeliveryResult | undefined> => {
  const claimed = await store.claimDelivery(deps.db.write, delivery, leaseEnd(deps));
  return claimed && attemptDelivery(deps, claimed, signal);
};

/** Makes one attempt while renewing the lease. */
const attemptDelivery = async (
  deps: DeliveryDeps,
  delivery: ClaimedDelivery,
  stop: AbortSignal,
): Promise<DeliveryResult | undefined> => {
  const leaseLost = new AbortController();
  const stopRenewing = keepRenewing(
    deps.limits.leaseSeconds,
    () => store.renewDelivery(deps.db.write, delivery, leaseEnd(deps)),
    () => leaseLost.abort(),
  );
  const signal = AbortSignal.any([stop, leaseLost.signal]);
  try {
    return await inDeliverySpan(delivery, () => sendAndStore(deps, delivery, signal));
  } finally {
    stopRenewing();
  }
};

/** The span's status is the result of this attempt. */
const inDeliverySpan = (
  { type }: ClaimedDelivery,
  deliver: () => Promise<DeliveryResult | undefined>,
): Promise<DeliveryResult | undefined> => {
  const attributes = { 'bank_connection.event': type };
  return inSpan({ name: 'deliver webhook', kind: 'client', attributes }, async (span) => {
    const result = await deliver();
    if (result && 'status' in result) span.setAttribute('http.response.status_code', result.status);
    if (result && !isSuccess(result))
      failSpan(span, 'error' in result ? result.error : String(result.status));
    return result;
  });
};

/** Sends once and stores the result; undefined if aborted, or if nothing is left to deliver. */
const sendAndStore = async (
  deps: DeliveryDeps,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<DeliveryResult | undefined> => {
  const { db, clock, limits } = deps;
  // A deleted endpoint has no deliveries left.
  const endpoint = await store.findEndpoint(db.read, delivery.endpointId);
  if (!endpoint) return undefined;
  const error = await findObstacle(deps, endpoint);
  if (error) {
    await store.releaseDelivery(db.write, delivery, { state: 'failed', dueAt: null, lastError: error });
    return { state: 'failed', error };
  }
  let response: WebhookResponse;
  try {
    const { url, secrets } = deps.open(endpoint, clock.real());
    const headers = webhookHeaders({ id: delivery.eventId, at: clock.real(), body: delivery.body }, secrets);
    const timeoutMs = seconds(limits.webhookTimeoutSeconds);
    response = await deps.send({ url, headers, body: delivery.body, timeoutMs, now: clock.real, signal });
  } catch (error) {
    if (signal.aborted) {
      await store.releaseDelivery(db.write, delivery, {});
      return undefined;
    }
    if (!(error instanceof CorruptData)) throw error;
    response = { error: 'invalid_secret' };
  }
  const state = await storeResult(deps, delivery, response);
  return state && { ...response, state };
};

/** The reason not to send to an endpoint, if any. */
const findObstacle = async (
  { db }: DeliveryDeps,
  { applicationId, disabledAt }: WebhookEndpoint,
): Promise<WebhookError | undefined> => {
  if (disabledAt !== null) return 'endpoint_disabled';
  return (await findActiveApplication(db.read, applicationId)) ? undefined : 'application_archived';
};

const storeResult = async (
  { db, clock, limits }: DeliveryDeps,
  delivery: ClaimedDelivery,
  response: WebhookResponse,
): Promise<DeliveryResult['state'] | undefined> => {
  const real = clock.real();
  const { endpointId } = delivery;
  const attempts = delivery.attempts + 1;
  const at = real.toISOString();
  const isDelivered = isSuccess(response);
  const isGone = 'status' in response && response.status === 410;
  const retryAfterSeconds = 'status' in response ? response.retryAfterSeconds : undefined;
  const next =
    isDelivered || isGone
      ? undefined
      : nextAttemptAt(real, { attempts, retryAfterSeconds }, limits, Math.random());
  const state = isDelivered ? 'delivered' : next ? 'pending' : 'failed';
  const change = {
    state,
    attempts,
    dueAt: next?.toISOString() ?? null,
    lastAttemptAt: at,
    lastStatus: 'status' in response ? response.status : null,
    lastError: 'error' in response ? response.error : null,
  } as const;
  const failingBefore = addMilliseconds(real, -days(limits.webhookFailingDays)).toISOString();
  return db.transaction(async (trx) => {
    if (!(await store.releaseDelivery(trx, delivery, change))) return undefined;
    if (isDelivered) {
      await store.markEndpointWorking(trx, endpointId);
      return state;
    }
    await store.markEndpointFailing(trx, endpointId, at);
    if (isGone) await store.updateEndpoint(trx, endpointId, { disabledAt: at, disabledReason: 'gone' });
    else await store.disableFailingEndpoint(trx, endpointId, failingBefore, at);
    return state;
  });
};

const isSuccess = (response: WebhookResponse): boolean =>
  'status' in response && response.status >= 200 && response.status < 300;

const minute = 60;
const hour = 3600;

/** The pauses after each failed attempt, in seconds. */
export const retryPauses: readonly number[] = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
];

/**
 * When to retry after `attempts` failures; undefined after the last one. Each pause varies by up to 10 %, so that events that
 * failed together are not retried together. A longer `Retry-After` from the endpoint is obeyed up to a maximum.
 */
export const nextAttemptAt = (
  now: Date,
  { attempts, retryAfterSeconds = 0 }: { attempts: number; retryAfterSeconds?: number },
  { webhookRetryAfterHoursMax }: Pick<Limits, 'webhookRetryAfterHoursMax'>,
  random: number,
): Date | undefined => {
  const pause = retryPauses[attempts - 1];
  if (pause === undefined) return undefined;
  const requested = Math.min(retryAfterSeconds, webhookRetryAfterHoursMax * hour);
  return addMilliseconds(now, seconds(Math.max(requested, pause * (0.9 + 0.2 * random))));
};
