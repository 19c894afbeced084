// Endpoints with slow or endless responses do not delay other organizations, and need little memory.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import { seconds } from '../../src/platform/values/clock.ts';
import { addOrganization } from '../http/dashboard/users.ts';
import { databases, oneDatabase } from '../support/databases.ts';
import { link, type TestApplication } from '../support/testService.ts';
import { createEndpoint, startReceiving, startWebhookService, type TestService } from './fixture.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** An application of another organization, with one endpoint. */
const addForeign = async (service: TestService, url: string): Promise<TestApplication> => {
  const organizationId = await addOrganization(service, 'Other');
  const application = await service.addApplication({ organizationId });
  await createEndpoint(service, url, application.id);
  return application;
};

/** Holds the requests to a receiver until they are released; later ones get an immediate response. */
const holdRequests = (receiver: Receiver): { release(): void } => {
  const held: ServerResponse[] = [];
  receiver.answer = (response) => held.push(response);
  return {
    release: () => {
      receiver.answer = (response) => response.writeHead(204).end();
      for (const response of held) response.writeHead(204).end();
    },
  };
};

for (const database of oneDatabase) {
  test(`slow endpoints of one organization do not delay the webhooks of another, on ${database.name}`, async () => {
    const service = await startWebhookService({ database, limits: { webhookConcurrency: 4 } });
    const [slow, other] = [await startReceiver(), await startReceiver()];
    holdRequests(slow);
    for (let count = 0; count < 4; count++) await createEndpoint(service, slow.url);
    const { id: applicationId } = await addForeign(service, other.url);
    await link(service);
    await slow.waitFor(1);
    await link(service, { applicationId });
    await other.waitFor(1);
    expect(slow.received).toHaveLength(1);
  });
}

test('organizations take turns, even if one of them has older events', async () => {
  const service = await startWebhookService({ limits: { webhookConcurrency: 1 } });
  const [long, short] = [await startReceiver(), await startReceiver()];
  const { release } = holdRequests(long);
  await createEndpoint(service, long.url);
  const { id: applicationId } = await addForeign(service, short.url);
  for (let count = 0; count < 3; count++) await link(service);
  await long.waitFor(1);
  await link(service, { applicationId });
  let before: number | undefined;
  short.answer = (response) => {
    before = long.received.length;
    response.writeHead(204).end();
  };
  release();
  await short.waitFor(1);
  expect(before).toBe(1);
  await long.waitFor(3);
});

for (const database of databases) {
  test(`an endpoint slower than the lease gets the event once from two workers, on ${database.name}`, async () => {
    const leaseSeconds = 4;
    const limits = { leaseSeconds, webhookTimeoutSeconds: 300 };
    const { service, receiver } = await startReceiving({ database, limits });
    const { databaseUrl, secretsDir } = service.service.config;
    await startWebhookService({ existing: { databaseUrl, secretsDir }, limits });
    const { release } = holdRequests(receiver);
    await link(service);
    await receiver.waitFor(1);
    const delivery = async () => (await service.service.db.read('webhook_deliveries').first('*'))!;
    const leaseEnd = async () => Date.parse((await delivery()).leaseExpiresAt!);
    const first = await leaseEnd();
    // The first lease has expired by then.
    await expect.poll(leaseEnd, { timeout: 60_000 }).toBeGreaterThanOrEqual(first + seconds(leaseSeconds));
    release();
    await expect.poll(delivery).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(receiver.received).toHaveLength(1);
  });
}

test('an endpoint that switches the protocol fails, and does not keep its delivery', async () => {
  const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
  const { service } = await startReceiving({}, ({ socket }) => socket!.write(switching));
  await link(service);
  const delivery = () => service.service.db.read('webhook_deliveries').first('*');
  await expect.poll(delivery).toMatchObject({ attempts: 1, state: 'pending', lastStatus: 101 });
});

describe('the status decides a delivery, regardless of the body', () => {
  const sendToBody = async (writeBody: (response: ServerResponse) => void) => {
    // Only the limits on the body can end the request during the test.
    const { service, receiver } = await startReceiving({ limits: { webhookTimeoutSeconds: 300 } });
    const closed = new Promise<void>((resolve) => {
      receiver.answer = (response) => {
        response.on('close', resolve);
        response.writeHead(200).flushHeaders();
        writeBody(response);
      };
    });
    await link(service);
    await closed;
    const delivery = () => service.service.db.read('webhook_deliveries').first('*');
    await expect.poll(delivery).toMatchObject({ attempts: 1, state: 'delivered', lastStatus: 200 });
  };

  test('of an endless body, only the buffers of the connection are read', async () => {
    const chunk = Buffer.alloc(64 * 1024);
    // More than the buffers of the connection can hold.
    const bytesMax = 64 * 1024 * 1024;
    let bytes = 0;
    const chunks = function* () {
      for (; bytes < bytesMax; bytes += chunk.length) yield chunk;
    };
    await sendToBody((response) => {
      pipeline(Readable.from(chunks()), response).catch(() => {});
    });
    expect(bytes).toBeLessThan(bytesMax);
  });

  test('a body that never begins is not waited for', () => sendToBody(() => {}));
});
