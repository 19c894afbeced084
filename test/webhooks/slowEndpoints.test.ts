// Endpoints that answer slowly delay no other organization.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createOrganization } from '../../src/applications/createApplication.ts';
import { operatorActor } from '../../src/audit/store.ts';
import { databases } from '../support/databases.ts';
import { link, type TestApplication } from '../support/testService.ts';
import { createEndpoint, startWebhookService, type TestService } from './fixture.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** An application of another organization, with one endpoint. */
const addOrganization = async (service: TestService, url: string): Promise<TestApplication> => {
  const organization = { actor: operatorActor, name: 'Other', now: new Date() };
  const { id: organizationId } = await createOrganization(service.service.db, organization);
  const application = await service.addApplication({ organizationId });
  await createEndpoint(service, url, application.id);
  return application;
};

/** Keeps the requests of a receiver open until they are released; those after that are answered at once. */
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

for (const database of databases) {
  test(`slow endpoints of one organization do not delay the webhooks of another, on ${database.name}`, async () => {
    const service = await startWebhookService({ database, limits: { webhookConcurrency: 4 } });
    const [slow, other] = [await startReceiver(), await startReceiver()];
    holdRequests(slow);
    for (let count = 0; count < 4; count++) await createEndpoint(service, slow.url);
    const { id: applicationId } = await addOrganization(service, other.url);
    await link(service);
    await slow.waitFor(1);
    await link(service, { applicationId });
    await other.waitFor(1);
    expect(slow.received).toHaveLength(1);
  });
}

test('organizations take turns, also when one of them has events that have waited longer', async () => {
  const service = await startWebhookService({ limits: { webhookConcurrency: 1 } });
  const [long, short] = [await startReceiver(), await startReceiver()];
  const { release } = holdRequests(long);
  await createEndpoint(service, long.url);
  const { id: applicationId } = await addOrganization(service, short.url);
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
