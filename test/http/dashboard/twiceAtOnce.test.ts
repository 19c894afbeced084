// Two concurrent requests that remove the same resource: it is removed once, with one audit event.
import { expect, test } from 'vitest';
import { createSetupToken } from '../../simplefin/fixture.ts';
import { databases } from '../../support/databases.ts';
import { holdRow, untilWaiting } from '../../support/holdRow.ts';
import { link } from '../../support/testService.ts';
import { createEndpoint, startWebhookService, type TestService } from '../../webhooks/fixture.ts';
import { createMember } from './users.ts';

type Removal = {
  table: 'api_keys' | 'simplefin_accesses' | 'webhook_endpoints';
  /** The path below that of the application. */
  path: string;
  /** Creates the resource to remove, and returns its id. */
  make(service: TestService): Promise<string>;
  action: string;
  statuses: number[];
};

const removals: Record<string, Removal> = {
  'an API key': {
    table: 'api_keys',
    path: 'api-keys',
    make: async (service) => (await service.addKey(service.application.id)).keyId,
    action: 'api_key_revoked',
    statuses: [204, 204],
  },
  'a SimpleFIN access': {
    table: 'simplefin_accesses',
    path: 'simplefin-accesses',
    make: async (service) => {
      const { scopedToken } = await link(service);
      const { url, application } = service;
      await createSetupToken({ url, apiKey: application.apiKey, scopedToken: scopedToken! });
      return (await service.service.db.read('simplefin_accesses').first('id'))!.id;
    },
    action: 'simplefin_access_revoked',
    statuses: [204, 404],
  },
  'a webhook endpoint': {
    table: 'webhook_endpoints',
    path: 'webhook-endpoints',
    make: async (service) => (await createEndpoint(service, 'https://hooks.example/')).endpointId,
    action: 'webhook_endpoint_deleted',
    statuses: [204, 404],
  },
};

for (const database of databases) {
  test.for(Object.entries(removals))(`%s, on ${database.name}`, async ([, removal]) => {
    const service = await startWebhookService({ database });
    const owner = await createMember(service, { role: 'owner', email: 'owner@example.com' });
    const { db } = service.service;
    const id = await removal.make(service);
    const remove = () =>
      owner.fetch(`/management/applications/${service.application.id}/${removal.path}/${id}`, {
        method: 'DELETE',
      });
    const release = await holdRow(db, removal.table, { id });
    const removing = [remove(), remove()];
    await untilWaiting(db, 2);
    await release();
    const statuses = (await Promise.all(removing)).map(({ status }) => status);
    expect(statuses.sort()).toEqual(removal.statuses);
    expect(await db.read('audit_events').where({ action: removal.action as never })).toHaveLength(1);
  });
}
