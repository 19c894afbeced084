// The commands that manage webhook endpoints, on SQLite: their output, and that listening needs no endpoint.
import { describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../client/index.ts';
import { cliSettingsOf, startLongRunning } from '../support/cli.ts';
import { link } from '../support/testService.ts';
import {
  createEndpoint,
  startReceiving,
  startWebhookService,
  type TestService,
  webhooksCommand,
} from './fixture.ts';
import { startReceiver } from './receiver.ts';

const listEndpoints = async (service: TestService) => {
  const { endpoints } = await webhooksCommand(service, 'list', '--application', service.application.id);
  return endpoints as Record<string, unknown>[];
};

describe('the webhooks commands', () => {
  test('create shows the secret once, list does not, and each change is in the audit log without the path of the URL', async () => {
    const service = await startWebhookService();
    const { id } = service.application;
    const url = 'http://127.0.0.1:4000/private?key=1';
    const created = await webhooksCommand(service, 'create', '--application', id, '--url', url);
    expect(created).toMatchObject({
      ...{ code: 0, applicationId: id, url },
      endpointId: expect.stringMatching(/^whe_/),
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    });
    const endpointId = String(created.endpointId);
    const listed = await listEndpoints(service);
    expect(listed).toMatchObject([{ endpointId, url, state: 'active' }]);
    expect(JSON.stringify(listed)).not.toContain('whsec_');
    await webhooksCommand(service, 'rotate-secret', endpointId);
    await webhooksCommand(service, 'enable', endpointId);
    expect(await webhooksCommand(service, 'delete', endpointId)).toMatchObject({ code: 0 });
    const events = await service.service.db.read('audit_events').where({ subject: endpointId }).orderBy('id');
    expect(events.map(({ action }) => action)).toEqual([
      ...['webhook_endpoint_created', 'webhook_secret_rotated'],
      ...['webhook_endpoint_enabled', 'webhook_endpoint_deleted'],
    ]);
    expect(JSON.stringify(events)).toContain('127.0.0.1:4000');
    expect(JSON.stringify(events)).not.toContain('private');
  });

  test('delete drops the endpoint and its pending deliveries', async () => {
    const service = await startWebhookService();
    const { endpointId } = await createEndpoint(service, 'http://127.0.0.1:9/');
    await link(service);
    expect(await webhooksCommand(service, 'delete', endpointId)).toMatchObject({ code: 0 });
    expect(await listEndpoints(service)).toEqual([]);
    expect(await service.service.db.read('webhook_deliveries').select('eventId')).toEqual([]);
    expect(await webhooksCommand(service, 'delete', endpointId)).toMatchObject({
      ...{ code: 1, err: `There is no webhook endpoint ${endpointId}.\n` },
    });
  });

  test('test sends an event and shows the answer', async () => {
    const { service, receiver, endpointId, secret } = await startReceiving({ worker: false });
    expect(await webhooksCommand(service, 'test', endpointId)).toMatchObject({
      ...{ code: 0, state: 'delivered', status: 204 },
    });
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(verifyWebhook(secret, headers, body)).toMatchObject({ type: 'webhook.test', data: {} });
    receiver.answer = (response) => response.writeHead(404).end();
    expect(await webhooksCommand(service, 'test', endpointId)).toMatchObject({ code: 1, status: 404 });
  });
});

describe('webhooks listen', () => {
  test('forwards events until it is stopped, and leaves nothing', async () => {
    // No private network is allowed: the operator's own machine needs no setting.
    const service = await startWebhookService({ env: { ALLOWED_NETWORKS: '' } });
    const receiver = await startReceiver();
    const args = ['--application', service.application.id, '--forward-to', receiver.url];
    const listening = await startLongRunning(
      cliSettingsOf(service.service.config),
      'webhooks',
      'listen',
      ...args,
    );
    await link(service);
    const [{ headers, body } = { headers: {}, body: '' }] = await receiver.waitFor(1);
    const secret = String(listening.result.secret);
    expect(verifyWebhook(secret, headers, body)).toMatchObject({ type: 'connection.created' });
    expect(await listEndpoints(service)).toEqual([]);
    await listening.stop();
    await expect.poll(() => service.service.db.read('webhook_endpoints').select('id')).toEqual([]);
    await link(service);
    expect(await service.service.db.read('webhook_deliveries').select('eventId')).toEqual([]);
  });
});
