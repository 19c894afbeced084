// The webhook endpoints of the fixture's applications: one server that records the requests to each endpoint, and whether they
// were signed with its secret.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../../client/index.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { createWebhookEndpoint, rotateWebhookSecret } from '../../src/domain/webhooks/endpoints.ts';
import type { TestService } from '../support/testService.ts';
import type { OrganizationName } from './fixtureTypes.ts';
import type { Tenant } from './tenants.ts';

/** A request to an endpoint of an organization; `signed` if signed with the secret of that endpoint. */
export type ReceivedWebhook = {
  organization: OrganizationName;
  environment: string;
  body: string;
  signed: boolean;
};

export type Webhooks = {
  /** The setting that allows a service to reach the endpoints. */
  networks: string;
  received: ReceivedWebhook[];
  /** Adds an endpoint to both applications of an organization, and replaces its secret once. */
  addEndpoints(service: TestService, tenant: Tenant): Promise<void>;
  /** `refuse`: with 500. `disconnect`: without a response. */
  setAnswer(answer: 'accept' | 'refuse' | 'disconnect'): void;
  close(): Promise<void>;
};

export const startWebhooks = async (): Promise<Webhooks> => {
  const received: ReceivedWebhook[] = [];
  const secrets = new Map<string, string>();
  let answer: Parameters<Webhooks['setAnswer']>[0] = 'accept';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (answer === 'disconnect') return response.destroy();
    const body = Buffer.concat(chunks).toString();
    const [, organization, environment] = request.url!.split('/');
    const at = new Date(Number(request.headers['webhook-timestamp']) * 1000);
    const isSigned = (): boolean => {
      try {
        return Boolean(verifyWebhook(secrets.get(request.url!)!, request.headers, body, { at }));
      } catch {
        return false;
      }
    };
    const endpoint = { organization: organization as OrganizationName, environment: environment! };
    received.push({ ...endpoint, body, signed: isSigned() });
    response.writeHead(answer === 'accept' ? 204 : 500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    networks: '127.0.0.1',
    received,
    addEndpoints: async ({ service }, tenant) => {
      const { db, clock, webhookEndpoints: deps } = service;
      for (const environment of ['production', 'sandbox'] as const) {
        const path = `/${tenant.name}/${environment}`;
        const application = (await findApplication(db.read, tenant[environment].id))!;
        const by = byOperator(application.organizationId, clock.real());
        const request = { applicationId: application.id, url: base + path };
        const { endpoint } = await createWebhookEndpoint(deps, request, by);
        const { secret } = await rotateWebhookSecret(deps, endpoint, by);
        secrets.set(path, secret);
      }
    },
    setAnswer: (value) => {
      answer = value;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
