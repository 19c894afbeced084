// An event that an endpoint does not accept is retried on a schedule, and finally the endpoint is disabled.
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { archiveApplication, restoreApplication } from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { nextAttemptAt, retryPauses } from '../../src/domain/webhooks/deliver.ts';
import { findReceivingEndpoints, replayDeliveries } from '../../src/domain/webhooks/store.ts';
import { limits } from '../../src/platform/settings/limits.ts';
import { days, seconds } from '../../src/platform/values/clock.ts';
import { databases, oneDatabase } from '../support/databases.ts';
import { link } from '../support/testService.ts';
import {
  createEndpoint,
  startReceiving,
  startWebhookService,
  type TestService,
  webhooksCommand,
} from './fixture.ts';
import { type ReceivedWebhook, type Receiver, startReceiver } from './receiver.ts';

const minutes = (count: number): number => count * 60;
const hours = (count: number): number => count * 3600;

const deliveriesOf = ({ service }: TestService) =>
  service.db.read('webhook_deliveries').orderBy('createdAt').select('*');

const endpointOf = async (service: TestService, id: string) => {
  const { endpoints } = await webhooksCommand(service, 'list', '--application', service.application.id);
  return (endpoints as Record<string, unknown>[]).find(({ endpointId }) => endpointId === id);
};

/** Waits until each delivery, by default of the only event, has had this many attempts, and returns the first. */
const waitForAttempts = async (service: TestService, attempts: number, count = 1) => {
  const counted = async () => (await deliveriesOf(service)).slice(0, count).map((one) => one.attempts);
  await expect.poll(counted, { interval: 20 }).toEqual(Array(count).fill(attempts));
  return (await deliveriesOf(service))[0]!;
};

/** The requests with the first event, because refreshes have their own events. */
const requestsOfFirst = ({ received }: Receiver) =>
  received.filter(({ id, body }) => id === received[0]!.id && body === received[0]!.body);

const refuseWith =
  (status: number, headers: Record<string, string> = {}): Receiver['answer'] =>
  (response) =>
    response.writeHead(status, headers).end();

/** Keeps two deliveries open, and answers one after the result of the other is stored. */
const answerInTurn = (service: TestService, receiver: Receiver, statuses: [number, number]) => {
  const held: [ServerResponse, ReceivedWebhook][] = [];
  // Refreshes have their own events.
  receiver.answer = (response, webhook) =>
    webhook.event.type === 'connection.created' && held.push([response, webhook]);
  const answer = async (index: number, attempts: number) => {
    const [response, { id }] = held[index]!;
    response.writeHead(statuses[index]!).end();
    const attemptsOf = async () =>
      (await deliveriesOf(service)).find(({ eventId }) => eventId === id)?.attempts;
    await expect.poll(attemptsOf, { interval: 20 }).toBe(attempts);
  };
  return async (attempts: number) => {
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(2);
    await answer(0, attempts);
    await answer(1, attempts);
  };
};

describe('the schedule of attempts', () => {
  const at = new Date('2026-03-01T12:00:00.000Z');
  const pauseOf = (attempts: number, random: number, retryAfterSeconds?: number): number | undefined => {
    const next = nextAttemptAt(at, { attempts, retryAfterSeconds }, limits, random);
    return next && (next.getTime() - at.getTime()) / 1000;
  };

  test('pauses for 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and then gives up', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => pauseOf(attempts, 0.5));
    expect(pauses).toEqual([5, minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(10), undefined]);
  });

  test('moves each pause by up to a tenth', () => {
    const attempts = fc.integer({ min: 1, max: retryPauses.length });
    fc.assert(
      fc.property(attempts, fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const ratio = pauseOf(attempt, random)! / retryPauses[attempt - 1]!;
        expect(ratio).toBeGreaterThanOrEqual(0.9 - 1e-3);
        expect(ratio).toBeLessThanOrEqual(1.1 + 1e-3);
      }),
    );
  });

  test('obeys a longer Retry-After, of at most twelve hours', () => {
    expect(pauseOf(1, 0.5, 60)).toBe(60);
    expect(pauseOf(3, 0.5, 60)).toBe(minutes(30));
    expect(pauseOf(1, 0.5, hours(100))).toBe(hours(12));
  });
});

describe.each(oneDatabase)('an endpoint that fails, on $name', (database) => {
  test('gets the event again after each pause, eight times in all', async () => {
    const { service, receiver, endpointId } = await startReceiving({ database }, refuseWith(500));
    await link(service);
    for (const [index, pause] of retryPauses.entries()) {
      const { dueAt, lastAttemptAt, lastStatus } = await waitForAttempts(service, index + 1);
      expect(lastStatus).toBe(500);
      const paused = (Date.parse(dueAt!) - Date.parse(lastAttemptAt!)) / 1000;
      expect(paused).toBeGreaterThanOrEqual(pause * 0.9);
      expect(paused).toBeLessThanOrEqual(pause * 1.1 + 1);
      expect(requestsOfFirst(receiver)).toHaveLength(index + 1);
      service.advance(seconds(pause * 1.2));
    }
    expect(await waitForAttempts(service, 8)).toMatchObject({ state: 'failed', dueAt: null });
    expect(requestsOfFirst(receiver)).toHaveLength(8);
    expect(await endpointOf(service, endpointId)).toMatchObject({ state: 'failing' });
  });

  test('is retried at the time in its Retry-After', async () => {
    const at = new Date(Date.now() + seconds(hours(3)));
    const busy = refuseWith(429, { 'Retry-After': at.toUTCString() });
    const { service } = await startReceiving({ database }, busy);
    await link(service);
    const { dueAt } = await waitForAttempts(service, 1);
    // The header has no milliseconds, and the response takes some time.
    expect(Math.abs(Date.parse(dueAt!) - at.getTime())).toBeLessThan(seconds(60));
  });

  test('is disabled by 410, and gets events again once it is enabled', async () => {
    const { service, receiver, endpointId } = await startReceiving({ database }, refuseWith(410));
    await link(service);
    expect(await waitForAttempts(service, 1)).toMatchObject({ state: 'failed', lastStatus: 410 });
    expect(await endpointOf(service, endpointId)).toMatchObject({
      ...{ state: 'disabled', disabledReason: 'gone' },
    });
    await link(service);
    expect(await deliveriesOf(service)).toHaveLength(1);
    expect(await webhooksCommand(service, 'test', endpointId)).toMatchObject({
      ...{ code: 1, err: 'The endpoint is disabled: enable it first.\n' },
    });

    receiver.answer = refuseWith(204);
    expect(await webhooksCommand(service, 'enable', endpointId)).toMatchObject({ code: 0 });
    await link(service);
    await receiver.waitFor(2);
  });

  test('is disabled after five days without a success', async () => {
    const { service, endpointId } = await startReceiving({ database }, refuseWith(500));
    await link(service);
    await waitForAttempts(service, 1);
    service.advance(days(5) - minutes(10) * 1000);
    await waitForAttempts(service, 2);
    expect(await endpointOf(service, endpointId)).toMatchObject({ state: 'failing' });
    service.advance(minutes(15) * 1000);
    const disabled = { state: 'disabled', disabledReason: 'failing' };
    await expect.poll(() => endpointOf(service, endpointId)).toMatchObject(disabled);
    // Pending deliveries are dropped.
    service.advance(days(1));
    const isGivenUp = async () => (await deliveriesOf(service)).every(({ state }) => state === 'failed');
    await expect.poll(isGivenUp).toBe(true);
  });

  test('fails by a redirect, which is not followed', async () => {
    const other = await startReceiver();
    const { service } = await startReceiving({ database }, refuseWith(307, { Location: other.url }));
    await link(service);
    expect(await waitForAttempts(service, 1)).toMatchObject({ state: 'pending', lastStatus: 307 });
    expect(other.received).toEqual([]);
  });

  test('fails if it does not respond in time, and does not delay other endpoints', async () => {
    expect(limits.webhookTimeoutSeconds).toBe(15);
    const own = { webhookTimeoutSeconds: 1, webhookConcurrency: 8, webhookConcurrencyPerEndpoint: 1 };
    const { service } = await startReceiving({ database, limits: own }, () => {});
    const other = await startReceiver();
    await createEndpoint(service, other.url);
    for (let count = 0; count < 3; count++) await link(service);
    await other.waitFor(3);
    const errors = async () => (await deliveriesOf(service)).map(({ lastError }) => lastError);
    await expect.poll(errors).toContain('timeout');
  });

  test('fails by not listening', async () => {
    const service = await startWebhookService({ database });
    await createEndpoint(service, 'http://127.0.0.1:9/webhooks');
    await link(service);
    expect(await waitForAttempts(service, 1)).toMatchObject({
      ...{ state: 'pending', lastStatus: null, lastError: 'connection_failed' },
    });
  });
});

describe.each(databases)('an endpoint that fails, on $name', (database) => {
  test('is not disabled by a failure just after it has recovered', async () => {
    const { service, receiver, endpointId } = await startReceiving({ database }, refuseWith(500));
    await link(service);
    await link(service);
    await waitForAttempts(service, 1, 2);
    const answer = answerInTurn(service, receiver, [204, 500]);
    service.advance(days(6));
    await answer(2);
    expect(await endpointOf(service, endpointId)).toMatchObject({ state: 'failing' });
  });

  test('is active after a success that was sent before another attempt failed', async () => {
    const { service, receiver, endpointId } = await startReceiving({ database }, () => {});
    const answer = answerInTurn(service, receiver, [500, 204]);
    await link(service);
    await link(service);
    await answer(1);
    expect(await endpointOf(service, endpointId)).toMatchObject({ state: 'active', failingSince: null });
  });
});

test('an archived application gets no webhooks; pending ones fail and can be replayed once it is restored', async () => {
  const { service, receiver, endpointId } = await startReceiving({}, refuseWith(500));
  await link(service);
  await waitForAttempts(service, 1);
  const { db, clock } = service.service;
  const findState = async () => (await deliveriesOf(service))[0];
  const application = (await findApplication(db.read, service.application.id))!;
  const by = () => byOperator(application.organizationId, clock.real());
  await archiveApplication(db, application, by());
  const { id } = service.application;
  expect(await findReceivingEndpoints(db.read, id, clock.real().toISOString())).toEqual([]);
  service.advance(seconds(minutes(1)));
  await expect.poll(findState).toMatchObject({ state: 'failed', lastError: 'application_archived' });
  expect(receiver.received).toHaveLength(1);

  await restoreApplication(db, application, by());
  receiver.answer = refuseWith(204);
  const { eventId } = (await findState())!;
  await replayDeliveries(db.write, endpointId, { eventId }, clock.real().toISOString());
  await expect.poll(findState).toMatchObject({ state: 'delivered' });
});
