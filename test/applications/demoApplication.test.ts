// The demo keeps its application and API key when the service restarts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findApplications } from '../../src/domain/applications/store.ts';
import { type RunningServer, startServer } from '../../src/interfaces/commands/serve.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { anonymousUser, type DashboardUser, password, signIn, tokenOf } from '../http/dashboard/users.ts';
import { type Settings, temporaryDirectory } from '../support/cli.ts';
import { oneDatabase } from '../support/databases.ts';

const email = 'owner@example.com';

describe.each(oneDatabase)('the demo on $name', (database) => {
  let settings: Settings;
  let server: RunningServer;
  let organizationId: string;
  let demoApplicationId: string;
  let removeAll: () => Promise<void>;

  // Each start uses a new port, so that no request reuses a connection to the previous server.
  const start = async (changes: Settings = {}): Promise<void> => {
    server = await startServer(readConfig({ ...settings, ...changes }), { worker: false });
  };
  const restart = async (changes: Settings = {}): Promise<void> => {
    await server.close();
    await start(changes);
  };
  const url = (path: string): string => `http://localhost:${server.port}${path}`;
  const readDemo = async (): Promise<{ status: number; applicationId?: string }> => {
    const response = await fetch(url('/demo/api/setup'));
    const { applicationId } = (await response.json()) as { applicationId?: string };
    return { status: response.status, applicationId };
  };
  const signInOwner = () => signIn({ url: url('') }, { email });
  const keysPath = '/management/applications/{applicationId}/api-keys';
  const nameKeyDemoPage = async (owner: DashboardUser, applicationId: string): Promise<void> => {
    const params = { path: { applicationId } };
    const { response } = await owner.client.POST(keysPath, { params, body: { name: 'Demo page' } });
    expect(response.status).toBe(201);
  };

  beforeAll(async () => {
    const directory = await temporaryDirectory();
    const created = await database.create();
    settings = { PORT: '0', DATA_DIR: directory.path, DATABASE_URL: created.url, LOG_LEVEL: 'silent' };
    await start();
    demoApplicationId = server.firstStart!.applicationId;
    const body = { token: tokenOf(server.firstOwner!), name: 'Owner', email, password };
    const { data } = await anonymousUser(url('')).client.POST('/management/invitation/accept', { body });
    organizationId = data!.organizations[0]!.id;
    removeAll = async () => {
      await server.close();
      await created.drop();
      await directory.remove();
    };
  });
  afterAll(() => removeAll());

  test('uses its own application after a member has named the API key of another one "Demo page"', async () => {
    const owner = await signInOwner();
    const path = '/management/organizations/{organizationId}/applications';
    const params = { path: { organizationId } };
    const body = { name: 'Shop', environment: 'production' as const, origins: ['https://shop.example'] };
    const { data: shop } = await owner.client.POST(path, { params, body });
    await nameKeyDemoPage(owner, shop!.id);
    await restart();
    expect(await readDemo()).toEqual({ status: 200, applicationId: demoApplicationId });
    const { data } = await (await signInOwner()).client.GET(path, { params });
    const origins = data?.applications.find(({ id }) => id === shop!.id)?.origins;
    expect(origins).toEqual(['https://shop.example']);
  });

  test('is made by the first start that has it on', async () => {
    const directory = await temporaryDirectory();
    const created = await database.create();
    const empty = { ...settings, DATA_DIR: directory.path, DATABASE_URL: created.url };
    const startEmpty = (demo: string) => startServer(readConfig({ ...empty, DEMO: demo }), { worker: false });
    const without = await startEmpty('off');
    expect(without).toMatchObject({ firstStart: undefined, firstOwner: expect.any(String) });
    expect(await findApplications(without.service.db.read)).toEqual([]);
    await without.close();
    const withDemo = await startEmpty('on');
    expect(withDemo).toMatchObject({ hasDemo: true, firstStart: { applicationId: expect.any(String) } });
    await withDemo.close();
    await created.drop();
    await directory.remove();
  });

  test('is off by default at an https address', async () => {
    await restart({ BASE_URL: 'https://bank.example.com' });
    expect((await readDemo()).status).toBe(404);
    await restart();
    expect((await readDemo()).status).toBe(200);
  });

  test('is off while its application is not a Sandbox one', async () => {
    // The service never changes the environment of an application, but someone may write to the database.
    const setEnvironment = (environment: 'sandbox' | 'production') =>
      server.service.db.write('applications').where({ id: demoApplicationId }).update({ environment });
    await setEnvironment('production');
    await restart();
    expect((await readDemo()).status).toBe(404);
    await setEnvironment('sandbox');
    await restart();
    expect((await readDemo()).status).toBe(200);
  });

  test('is off after its API key was revoked, even if another key of its application has the same name', async () => {
    const owner = await signInOwner();
    const path = { applicationId: demoApplicationId };
    const { data } = await owner.client.GET(keysPath, { params: { path } });
    const { id: keyId } = data!.apiKeys.find(({ name }) => name === 'Demo page')!;
    await nameKeyDemoPage(owner, demoApplicationId);
    await owner.client.DELETE(`${keysPath}/{keyId}`, { params: { path: { ...path, keyId } } });
    await restart();
    expect((await readDemo()).status).toBe(404);
    expect(server.hasDemo).toBe(false);
  });
});
