// A database with rows in all tables: two organizations with their applications, members and sandboxes, and end users whose
// data contains their name, so that a test can identify the owner of data. It is copied for each change.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { findDueJobs } from '../../src/flows/refresh/jobs.ts';
import { schemaVersion } from '../../src/platform/db/migrations/migrations.ts';
import { openDatabase } from '../../src/platform/db/open.ts';
import { seconds } from '../../src/platform/values/clock.ts';
import { toBase62 } from '../../src/platform/values/ids.ts';
import { addOrganization } from '../http/dashboard/users.ts';
import { eventually } from '../linking/fixture.ts';
import type { DatabaseKind, TestDatabase } from '../support/databases.ts';
import { freePort } from '../support/freePort.ts';
import { southBank } from '../support/scriptedConnector.ts';
import { startService, type TestApplication, type TestService } from '../support/testService.ts';
import { type Banks, makeBanks } from './banks.ts';
import {
  countRequests,
  failOne,
  linkSandboxUser,
  linkUser,
  openSessions,
  readEverything,
  reconnect,
  revokeOne,
} from './endUsers.ts';
import { type Fixture, limits, type User } from './fixtureTypes.ts';
import { openRawDatabase, type Row } from './rawDatabase.ts';
import { addTenant, changePlainData, openSignIns, type Tenant } from './tenants.ts';
import { startWebhooks, type Webhooks } from './webhooks.ts';

const hours = (count: number): number => seconds(count * 3600);

/** Fills a fresh database, and closes the service. */
export const makeFixture = async (kind: DatabaseKind): Promise<Fixture> => {
  const database = await kind.create();
  const secretsDir = await mkdtemp(join(tmpdir(), 'tampering-secrets-'));
  const port = await freePort();
  const start = Date.now() - hours(3);
  const banks = makeBanks(new Date());
  const webhooks = await startWebhooks();
  const service = await startService({
    existing: { databaseUrl: database.url, secretsDir },
    env: { PORT: String(port), DEMO: 'off', ALLOWED_NETWORKS: webhooks.networks },
    connectors: banks.modules,
    // Every refresh stages its texts, and refreshes that run when the service is closed leave them behind.
    limits: { ...limits, mergeMemoryBytes: 0, blockSortBytes: 1, shutdownTimeoutSeconds: 0.2 },
  });
  service.advance(start - Date.now());
  const filled = await fill(service, { banks, webhooks, database }).finally(() => service.close());
  banks.release();
  const rows = await readTables(database);
  const transactionIds = rows.get('transactions')!.map(({ id }) => `txn_${toBase62(id as Buffer)}`);
  const ids = new Set([
    ...transactionIds,
    ...JSON.stringify([...rows]).match(/\b[a-z]{3}_[0-9A-Za-z]{22}\b/g)!,
  ]);
  const at = service.service.clock.real().getTime();
  await addRows(database, filled.organizations[0]!.sandbox, new Date(at).toISOString());
  banks.received.length = 0;
  webhooks.received.length = 0;
  webhooks.setAnswer('accept');
  return {
    ...{ kind, database, secretsDir, port, banks, webhooks, at, ids, ...filled },
    close: async () => {
      await webhooks.close();
      await database.drop();
      await rm(secretsDir, { recursive: true, force: true });
    },
  };
};

/** The row of a killed process, and the row of the demo's key, which only `serve` creates. */
const addRows = async ({ url }: TestDatabase, demo: TestApplication, now: string): Promise<void> => {
  const db = await openDatabase(url);
  const ids = JSON.stringify(await db.read('service_secrets').pluck('keyId'));
  const process = { id: 'killed', kind: 'worker', host: 'localhost', startedAt: now, seenAt: now } as const;
  await db.write('processes').insert({ ...process, loadedKeyIds: ids, usedKeyIds: ids, schemaVersion });
  await db.write('demo_api_key').insert({ id: demo.keyId });
  await db.close();
};

/** Waits until no refresh is due and no job runs. */
const settle = ({ service: { db, clock } }: TestService) =>
  eventually(async () => {
    expect(await findDueJobs(db, clock, 1)).toEqual([]);
    expect(await db.read('jobs').whereNotNull('leaseToken')).toEqual([]);
  });

const readTables = async ({ url }: TestDatabase): Promise<Map<string, Row[]>> => {
  const raw = await openRawDatabase(url);
  const tables = await raw.tables();
  const rows = new Map<string, Row[]>();
  for (const { name } of tables) rows.set(name, await raw.rows(name));
  await raw.close();
  return rows;
};

const fill = async (
  service: TestService,
  { banks, webhooks, database }: { banks: Banks; webhooks: Webhooks; database: TestDatabase },
) => {
  const organizations = [
    await addTenant(service, 'Acmecorp', service.organizationId),
    await addTenant(service, 'Globexinc', await addOrganization(service, 'Globexinc')),
  ];
  const [acme, globex] = organizations as [Tenant, Tenant];
  for (const tenant of organizations) await webhooks.addEndpoints(service, tenant);
  const users = [
    await linkUser(service, 'adelheid', acme),
    await linkUser(service, 'benedikt', acme),
    await linkUser(service, 'cleopatra', globex),
    await linkSandboxUser(service, 'samantha', acme),
    await linkSandboxUser(service, 'susannah', globex),
  ];
  const [adelheid, benedikt, cleopatra] = users as [User, User, User];
  await revokeOne(service, adelheid);
  await failOne(service, banks, benedikt, acme);
  for (const tenant of organizations) await changePlainData(tenant, 'older');
  await readEverything(service, users);
  const before = await readTables(database);

  service.advance(hours(4 / 3));
  banks.setState(1);
  // Some of these events wait for a retry, with different results.
  webhooks.setAnswer('refuse');
  service.service.linking.wakeWorker();
  await settle(service);
  for (const tenant of organizations) await changePlainData(tenant, 'newer');
  await reconnect(service, benedikt);
  await readEverything(service, users);
  webhooks.setAnswer('disconnect');
  banks.setLagging(southBank);
  service.advance(hours(5 / 3));
  service.service.linking.wakeWorker();
  await settle(service);
  banks.setLagging(undefined);
  await readEverything(service, [adelheid]);
  const signIns = [];
  for (const tenant of organizations) signIns.push({ ...tenant, ...(await openSignIns(service, tenant)) });
  await countRequests(service, users);
  banks.setState(2);
  const sessions = await openSessions(service, banks, { adelheid, benedikt, cleopatra, globex });
  return { organizations: signIns, users, sessions, before };
};
