// What the first start makes, so that a newcomer has something to try: an organization, a Sandbox application
// and its key. The demo page has a key of its own, whose text is made anew from its row at every start.

import type { Database } from '../db/open.ts';
import { type ApiKeySigner, createApiKey, signApiKey } from './apiKeys.ts';
import type { Application } from './application.ts';
import { createApplication, createOrganization } from './createApplication.ts';
import {
  findApiKeysByName,
  findApplication,
  findOrganizations,
  lockFirstStart,
  updateOrigins,
} from './store.ts';

const demoKeyName = 'Demo page';

type DemoDeps = { db: Database; signer: ApiKeySigner; baseUrl: string; now: Date };

/**
 * Makes the demo organization and application where there is no organization yet; the key is shown once. Of several
 * processes that start at the same time one makes them, and the others find them made.
 */
export const createDemoApplication = async (
  tools: DemoDeps,
): Promise<{ application: Application; apiKey: string } | undefined> => {
  if ((await findOrganizations(tools.db.read)).length > 0) return undefined;
  return tools.db.transaction(async (trx) => {
    await lockFirstStart(trx, tools.db.dialect);
    const db: Database = { ...tools.db, read: trx, write: trx, transaction: async (work) => work(trx) };
    return createDemoApplicationIn({ ...tools, db });
  });
};

const createDemoApplicationIn = async ({
  db,
  signer,
  baseUrl,
  now,
}: DemoDeps): ReturnType<typeof createDemoApplication> => {
  if ((await findOrganizations(db.read)).length > 0) return undefined;
  const organization = await createOrganization(db, { name: 'Demo organization', now });
  const application = await createApplication(db, {
    organizationId: organization.id,
    name: 'Demo application',
    environment: 'sandbox',
    origins: [baseUrl],
    now,
  });
  const { apiKey } = await createApiKey(db, signer, {
    applicationId: application.id,
    name: 'First key',
    now,
  });
  await createApiKey(db, signer, { applicationId: application.id, name: demoKeyName, now });
  return { application, apiKey };
};

/** The demo page's application and key; undefined where its key was revoked or never made. */
export const findDemoApplication = async (
  tools: DemoDeps,
): Promise<{ applicationId: string; apiKey: string } | undefined> => {
  const [key] = await findApiKeysByName(tools.db.read, demoKeyName);
  const application = key && (await findApplication(tools.db.read, key.applicationId));
  if (!application) return undefined;
  // The service may have moved to another address since.
  if (!application.origins.includes(tools.baseUrl)) {
    await updateOrigins(tools.db.write, application.id, [...application.origins, tools.baseUrl]);
  }
  return { applicationId: application.id, apiKey: await signApiKey(tools.signer, key, application) };
};
