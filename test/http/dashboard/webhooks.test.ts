// Webhook endpoints in the dashboard: adding, testing, rotating, enabling, and the deliveries with replays.
import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../../client/index.ts';
import type { components } from '../../../generated/management.ts';
import { days, seconds } from '../../../src/platform/values/clock.ts';
import { cliSettingsOf, runInCliServer } from '../../support/cli.ts';
import { type DatabaseKind, databases, oneDatabase } from '../../support/databases.ts';
import { holdRow, untilWaiting } from '../../support/holdRow.ts';
import { link } from '../../support/testService.ts';
import { startWebhookService, type TestService } from '../../webhooks/fixture.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { auditEvents, createMember, type DashboardUser, readPages, wrongCursors } from './users.ts';

type Delivery = components['schemas']['WebhookDelivery'];
type DeliveryQuery = { state?: Delivery['state']; cursor?: string; limit?: number };

const listPath = '/management/applications/{applicationId}/webhook-endpoints';
const onePath = `${listPath}/{endpointId}` as const;

/** The operations on the endpoints of an application, as a developer. */
const operationsOf = ({ client }: DashboardUser, applicationId: string) => {
  const ofEndpoint = (endpointId: string) => ({ params: { path: { applicationId, endpointId } } });
  return {
    create: (url: string) => client.POST(listPath, { params: { path: { applicationId } }, body: { url } }),
    list: async () => {
      const { data } = await client.GET(listPath, { params: { path: { applicationId } } });
      return data!.webhookEndpoints;
    },
    remove: (id: string) => client.DELETE(onePath, ofEndpoint(id)),
    enable: (id: string) => client.POST(`${onePath}/enable`, ofEndpoint(id)),
    rotate: (id: string) => client.POST(`${onePath}/rotate-secret`, ofEndpoint(id)),
    sendTest: (id: string) => client.POST(`${onePath}/test`, ofEndpoint(id)),
    replayFailed: (id: string) => client.POST(`${onePath}/replay-failed`, ofEndpoint(id)),
    replay: (endpointId: string, eventId: string) =>
      client.POST(`${onePath}/deliveries/{eventId}/replay`, {
        params: { path: { applicationId, endpointId, eventId } },
      }),
    deliveries: (endpointId: string, query: DeliveryQuery = {}) =>
      client.GET(`${onePath}/deliveries`, { params: { path: { applicationId, endpointId }, query } }),
    overview: async () => {
      const path = '/management/applications/{applicationId}/overview';
      const { data } = await client.GET(path, { params: { path: { applicationId } } });
      return data!.webhooks;
    },
  };
};

type Operations = ReturnType<typeof operationsOf>;

/** Adds an endpoint that the service accepts. */
const add = async ({ create }: Operations, url: string) => {
  const { data, error } = await create(url);
  if (!data) throw new Error(JSON.stringify(error));
  return { id: data.webhookEndpoint.id, secret: data.secret };
};

/** Sends a test event and waits for its first attempt. */
const testAndWait = async ({ sendTest, deliveries }: Operations, id: string): Promise<Delivery> => {
  const { eventId } = (await sendTest(id)).data!;
  const findAttempted = async () => {
    const page = (await deliveries(id)).data!.deliveries;
    return page.find((delivery) => delivery.eventId === eventId && delivery.attempts > 0);
  };
  return vi.waitUntil(findAttempted, { timeout: 30_000, interval: 20 });
};

/** Responses of a receiver. */
const accept = (response: ServerResponse) => response.writeHead(200).end();
const gone = (response: ServerResponse) => response.writeHead(410).end();
const failForAnHour = (response: ServerResponse) => response.writeHead(500, { 'Retry-After': '3600' }).end();

const refreshStatus = async ({ service }: TestService, ...args: string[]): Promise<string> =>
  (await runInCliServer(cliSettingsOf(service.config), 'refresh', 'status', ...args)).out;

const startOn = async (database: DatabaseKind) => {
  const service = await startWebhookService({ database });
  const developer = await createMember(service, { role: 'developer', email: 'dev@example.com' });
  return { service, developer, operations: operationsOf(developer, service.application.id) };
};

/** The same, with an endpoint at which a receiver listens. */
const startReceiving = async (database: DatabaseKind) => {
  const started = await startOn(database);
  const receiver = await startReceiver();
  return { ...started, receiver, ...(await add(started.operations, receiver.url)) };
};

describe.each(oneDatabase)('webhook endpoints on $name', (database) => {
  test('one is added, gets a test event and is deleted; its secret is returned once', async () => {
    const { service, developer, operations } = await startOn(database);
    const receiver = await startReceiver();
    const { data: created } = await operations.create(receiver.url);
    expect(created?.webhookEndpoint).toEqual({
      id: expect.stringMatching(/^whe_/),
      url: receiver.url,
      ...{ state: 'active', failingSince: null, disabledAt: null, disabledReason: null },
      ...{ createdAt: expect.any(String), deliveries: { pending: 0, delivered: 0, failed: 0 } },
    });
    const { id } = created!.webhookEndpoint;
    expect(await testAndWait(operations, id)).toMatchObject({
      ...{ type: 'webhook.test', connectionId: null, state: 'delivered', attempts: 1 },
      ...{ nextAttemptAt: null, lastStatus: 204, lastError: null },
    });
    const [received] = await receiver.waitFor(1);
    expect(verifyWebhook(created!.secret, received!.headers, received!.body)).toEqual(received!.event);
    const listed = await operations.list();
    expect(listed).toMatchObject([{ id, deliveries: { pending: 0, delivered: 1, failed: 0 } }]);
    expect(JSON.stringify(listed)).not.toContain('whsec_');
    const { id: otherId } = await service.addApplication();
    expect(await operationsOf(developer, otherId).list()).toEqual([]);

    expect((await operations.remove(id)).response.status).toBe(204);
    expect(await operations.list()).toEqual([]);
    expect((await operations.remove(id)).response.status).toBe(404);
    const logged = await auditEvents(service, { subject: id });
    expect(logged).toMatchObject([
      { action: 'webhook_endpoint_created', email: 'dev@example.com' },
      { action: 'webhook_endpoint_deleted', email: 'dev@example.com' },
    ]);
    expect(JSON.stringify(logged)).not.toContain('/webhooks');
  });

  test('a forbidden address is refused at its field', async () => {
    const { service, developer, operations } = await startOn(database);
    const production = await service.addApplication({ environment: 'production' });
    for (const { create, url, message } of [
      { ...operations, url: 'http://10.0.0.1/', message: /^must not be an address in a private network/ },
      {
        ...operationsOf(developer, production.id),
        url: 'http://shop.example',
        message: /^must begin with https/,
      },
    ]) {
      const errors = [{ path: '/body/url', message: expect.stringMatching(message) }];
      expect((await create(url)).error).toMatchObject({ code: 'invalid_request', errors });
    }
  });

  test('a rotated secret is returned once, with the expiry of the previous one', async () => {
    const { service, operations, receiver, id, secret } = await startReceiving(database);
    const { data: rotated } = await operations.rotate(id);
    expect(rotated!.secret).not.toBe(secret);
    const expiresIn = Date.parse(rotated!.previousSecretExpiresAt) - service.service.clock.real().getTime();
    expect(Math.abs(expiresIn - days(1))).toBeLessThan(60_000);
    await testAndWait(operations, id);
    const { headers, body, event } = (await receiver.waitFor(1))[0]!;
    for (const key of [secret, rotated!.secret]) expect(verifyWebhook(key, headers, body)).toEqual(event);
  });

  test('deliveries are listed newest first, by state, in pages of any size', async () => {
    const { service, operations, receiver, id } = await startReceiving(database);
    const { connectionId } = await link(service);
    await receiver.waitFor(1);
    for (let at = 0; at < 4; at++) await testAndWait(operations, id);
    receiver.answer = failForAnHour;
    const refused = await testAndWait(operations, id);
    expect(refused).toMatchObject({ state: 'pending', attempts: 1, lastStatus: 500 });
    const dueIn = Date.parse(refused.nextAttemptAt!) - Date.parse(refused.lastAttemptAt!);
    expect(dueIn).toBe(seconds(3600));
    receiver.answer = gone;
    await testAndWait(operations, id);

    const listAll = (query: DeliveryQuery) =>
      readPages(async (cursor) => {
        const page = (await operations.deliveries(id, { ...query, cursor })).data!;
        return { items: page.deliveries, nextCursor: page.nextCursor };
      });
    const all = await listAll({ limit: 200 });
    expect(all.map(({ state }) => state)).toEqual(['failed', 'pending', ...Array(5).fill('delivered')]);
    expect(all.at(-1)).toMatchObject({ type: 'connection.created', connectionId });
    for (const limit of [1, 3, 7]) expect(await listAll({ limit })).toEqual(all);
    for (const state of ['pending', 'delivered', 'failed'] as const) {
      expect(await listAll({ state, limit: 2 })).toEqual(all.filter((one) => one.state === state));
    }
    const counts = { pending: 1, delivered: 5, failed: 1 };
    const disabled = { state: 'disabled', disabledReason: 'gone', deliveries: counts };
    expect(await operations.list()).toMatchObject([disabled]);
    for (const cursor of wrongCursors(all[0]!.eventId))
      expect((await operations.deliveries(id, { cursor })).error).toMatchObject({ code: 'invalid_cursor' });
  });

  test('a disabled one is enabled, and then its events can be replayed', async () => {
    const { service, operations, receiver, id } = await startReceiving(database);
    receiver.answer = failForAnHour;
    const waiting = await testAndWait(operations, id);
    expect(await operations.list()).toMatchObject([{ state: 'failing', failingSince: expect.any(String) }]);
    expect(await operations.overview()).toEqual({ failing: 1, disabled: 0 });
    receiver.answer = gone;
    const failed = await testAndWait(operations, id);
    expect(await operations.overview()).toEqual({ failing: 0, disabled: 1 });
    expect(await refreshStatus(service)).toMatch(/^Webhooks +0 failing, 1 disabled$/m);

    for (const { error } of [
      await operations.sendTest(id),
      await operations.replay(id, failed.eventId),
      await operations.replayFailed(id),
    ]) {
      expect(error).toMatchObject({ code: 'conflict', detail: expect.stringContaining('enable it first') });
    }
    receiver.answer = accept;
    expect((await operations.enable(id)).response.status).toBe(204);
    expect(await operations.list()).toMatchObject([{ state: 'active', disabledReason: null }]);
    expect(await operations.overview()).toEqual({ failing: 0, disabled: 0 });
    expect(await refreshStatus(service)).not.toContain('Webhooks');
    const { webhooks } = JSON.parse(await refreshStatus(service, '--json'));
    expect(webhooks).toEqual({ failing: 0, disabled: 0 });

    expect((await operations.replayFailed(id)).data).toEqual({ count: 1 });
    // The next attempt is due in an hour, but the replay is immediate.
    expect((await operations.replay(id, waiting.eventId)).response.status).toBe(204);
    const countDelivered = async () =>
      (await operations.deliveries(id, { state: 'delivered' })).data!.deliveries.length;
    await expect.poll(countDelivered).toBe(2);
    expect((await operations.replay(id, failed.eventId)).response.status).toBe(204);
    await receiver.waitFor(5);
    const ids = receiver.received.map((one) => one.id);
    expect(ids.filter((one) => one === failed.eventId)).toHaveLength(3);
    expect((await operations.replay(id, 'evt_0000000000000000000000')).response.status).toBe(404);
  });

  test('an event that is replayed while an attempt runs is resent, regardless of the outcome of that attempt', async () => {
    const { operations, receiver, id } = await startReceiving(database);
    const held = Promise.withResolvers<ServerResponse>();
    receiver.answer = held.resolve;
    const { eventId } = (await operations.sendTest(id)).data!;
    const running = await held.promise;
    receiver.answer = accept;
    expect((await operations.replay(id, eventId)).response.status).toBe(204);
    running.writeHead(204).end();
    await receiver.waitFor(2);
    const delivered = async () => (await operations.deliveries(id, { state: 'delivered' })).data!.deliveries;
    await expect.poll(delivered).toMatchObject([{ eventId, attempts: 1, lastStatus: 200 }]);
  });

  test('a replayed event begins its attempts again', async () => {
    const { operations, receiver, id } = await startReceiving(database);
    receiver.answer = gone;
    const { eventId } = await testAndWait(operations, id);
    await operations.enable(id);
    receiver.answer = failForAnHour;
    await operations.replay(id, eventId);
    const replayed = async () => (await operations.deliveries(id)).data!.deliveries[0]!;
    const waiting = { state: 'pending', attempts: 1, nextAttemptAt: expect.any(String), lastStatus: 500 };
    await expect.poll(replayed).toMatchObject({ eventId, ...waiting });
  });
});

describe.each(databases)('webhook endpoints on $name', (database) => {
  test('of 20 concurrent additions, ten are accepted', async () => {
    const { operations } = await startOn(database);
    const adding = Array.from({ length: 20 }, () => operations.create('https://shop.example/webhooks'));
    const statuses = (await Promise.all(adding)).map(({ response }) => response.status);
    expect(statuses.sort()).toEqual([...Array(10).fill(201), ...Array(10).fill(409)]);
    expect(await operations.list()).toHaveLength(10);
  });

  test('when two rotations run concurrently, the second keeps the secret of the first', async () => {
    const { service, operations, receiver, id, secret } = await startReceiving(database);
    const release = await holdRow(service.service.db, 'webhook_endpoints', { id });
    const rotations = [operations.rotate(id), operations.rotate(id)];
    await untilWaiting(service.service.db, 2);
    await release();
    const rotated = (await Promise.all(rotations)).map(({ data }) => data!.secret);
    await testAndWait(operations, id);
    const { headers, body, event } = (await receiver.waitFor(1))[0]!;
    for (const key of rotated) expect(verifyWebhook(key, headers, body)).toEqual(event);
    expect(() => verifyWebhook(secret, headers, body)).toThrow(WebhookVerificationError);
  });
});
