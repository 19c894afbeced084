// The first start creates an organization, a Sandbox application and an API key to try the service with. The demo page
// has an API key of its own, which is signed again from its row at every start.
import { operatorActor } from '../audit/store.ts';
import type { Database } from '../db/open.ts';
import { type ApiKeySigner, createApiKey, signApiKey } from './apiKeys.ts';
import type { Application } from './application.ts';
import { createApplication, createOrganization } from './createApplication.ts';
import {
  findActiveApplication,
  findDemoApiKey,
  findOrganizations,
  insertDemoApiKey,
  lockFirstStart,
  updateApplication,
} from './store.ts';

type DemoDeps = { db: Database; signer: ApiKeySigner; baseUrl: string; now: Date };

/**
 * Creates the demo organization and application if there is no organization; undefined if there is one. If several
 * processes start at the same time, one of them creates them.
 */
export const createDemoApplication = async (
  deps: DemoDeps,
): Promise<{ application: Application; apiKey: string } | undefined> => {
  if ((await findOrganizations(deps.db.read)).length > 0) return undefined;
  return deps.db.transaction(async (trx) => {
    await lockFirstStart(trx, deps.db.dialect);
    const db: Database = { ...deps.db, read: trx, write: trx, transaction: async (run) => run(trx) };
    return createDemoApplicationIn({ ...deps, db });
  });
};

const createDemoApplicationIn = async ({
  db,
  signer,
  baseUrl,
  now,
}: DemoDeps): ReturnType<typeof createDemoApplication> => {
  if ((await findOrganizations(db.read)).length > 0) return undefined;
  const actor = operatorActor;
  const organization = await createOrganization(db, { name: 'Demo organization', now, actor });
  const application = await createApplication(db, {
    organizationId: organization.id,
    name: 'Demo application',
    environment: 'sandbox',
    origins: [baseUrl],
    now,
    actor,
  });
  const key = { applicationId: application.id, now, actor };
  const { apiKey } = await createApiKey(db, signer, { ...key, name: 'First key' });
  const demo = await createApiKey(db, signer, { ...key, name: 'Demo page' });
  await insertDemoApiKey(db.write, demo.keyId);
  return { application, apiKey };
};

/**
 * The application and the API key of the demo page; undefined if its key was revoked or never created, or if its
 * application is archived or not a Sandbox one. A revoked key is not replaced, because revoking it turns the demo off.
 */
export const findDemoApplication = async (
  deps: DemoDeps,
): Promise<{ applicationId: string; apiKey: string } | undefined> => {
  const key = await findDemoApiKey(deps.db.read);
  if (!key || key.revokedAt) return undefined;
  const application = await findActiveApplication(deps.db.read, key.applicationId);
  if (application?.environment !== 'sandbox') return undefined;
  // The base URL may have changed since.
  if (!application.origins.includes(deps.baseUrl)) {
    await updateApplication(deps.db.write, application.id, {
      origins: [...application.origins, deps.baseUrl],
    });
  }
  return { applicationId: application.id, apiKey: await signApiKey(deps.signer, key, application) };
};
