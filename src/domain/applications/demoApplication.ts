// Creates an organization at first start and, for the demo, a Sandbox application with an API key to try the service. The demo
// page has its own API key, which is re-created from its row at every start.

import type { Database } from '../../platform/db/open.ts';
import { byOperator, operatorActor } from '../audit/by.ts';
import { type ApiKeySigner, createApiKey, signApiKey } from './apiKeys.ts';
import type { Organization } from './application.ts';
import { createApplication, createOrganization } from './applications.ts';
import * as store from './store.ts';

type DemoDeps = { db: Database; signer: ApiKeySigner; baseUrl: string; now: Date };

/** Returns the oldest organization; creates one if none exists. */
export const ensureOrganization = async (
  { db, now }: Pick<DemoDeps, 'db' | 'now'>,
  name: string,
): Promise<Organization> => {
  const [oldest] = await store.findOrganizations(db.read);
  return oldest ?? createOrganization(db, name, { actor: operatorActor, now });
};

/** Creates the demo application unless any application exists. */
export const createDemoApplication = async (
  { db, signer, baseUrl, now }: DemoDeps,
  organizationId: string,
): Promise<{ applicationId: string; apiKey: string } | undefined> => {
  if (await store.hasAnyApplication(db.read)) return undefined;
  const by = byOperator(organizationId, now);
  const request = { name: 'Northwind Budget', environment: 'sandbox' as const, origins: [baseUrl] };
  const { id: applicationId } = await createApplication(db, request, by);
  const { apiKey } = await createApiKey(db, signer, { applicationId, name: 'First key' }, by);
  const demo = await createApiKey(db, signer, { applicationId, name: 'Demo page' }, by);
  await store.insertDemoApiKey(db.write, demo.keyId);
  return { applicationId, apiKey };
};

/**
 * The demo page's application and API key; undefined if its key was revoked or never created, or if its application is archived
 * or not in Sandbox. A revoked key is not replaced, because revoking it turns the demo off.
 */
export const findDemoApplication = async (
  deps: DemoDeps,
): Promise<{ applicationId: string; apiKey: string } | undefined> => {
  const key = await store.findDemoApiKey(deps.db.read);
  if (!key || key.revokedAt) return undefined;
  const application = await store.findActiveApplication(deps.db.read, key.applicationId);
  if (application?.environment !== 'sandbox') return undefined;
  // The base URL may have changed since the last start.
  if (!application.origins.includes(deps.baseUrl)) {
    await store.updateApplication(deps.db.write, application.id, {
      origins: [...application.origins, deps.baseUrl],
    });
  }
  return { applicationId: application.id, apiKey: await signApiKey(deps.signer, key, application) };
};
