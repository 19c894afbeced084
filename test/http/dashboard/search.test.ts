// The dashboard's search: its results for each kind of text, limited to an organization, and its indexes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../../support/databases.ts';
import { link, startService, type TestService } from '../../support/testService.ts';
import { addOrganization, createMember, type DashboardUser } from './users.ts';

describe.each(databases)('the search of the dashboard on $name', (database) => {
  let service: TestService;
  let viewer: DashboardUser;
  beforeAll(async () => {
    service = await startService({ database });
    viewer = await createMember(service, { role: 'viewer', email: 'view@example.com' });
  });
  afterAll(() => service.close());

  const search = async (
    text: string,
    by = viewer,
    { organizationId }: { organizationId: string } = service,
  ) => {
    const params = { path: { organizationId }, query: { text } };
    const path = '/management/organizations/{organizationId}/search';
    return (await by.client.GET(path, { params })).data!;
  };

  test('finds connections by the beginning of the user id or of their own id', async () => {
    const { connectionId } = await link(service, { externalUserId: 'user-7%_ü-1' });
    for (let number = 2; number <= 7; number++)
      await link(service, { externalUserId: `user-7%_ü-${number}` });
    const byUser = (await search(' user-7%_ü ')).connections;
    expect(byUser.map(({ connection }) => connection.externalUserId)).toEqual(
      [1, 2, 3, 4, 5].map((number) => `user-7%_ü-${number}`),
    );
    expect(byUser[0]).toMatchObject({
      applicationId: service.application.id,
      connection: { id: connectionId, state: 'active' },
    });
    expect((await search('user-7%_ü-1')).connections).toHaveLength(1);
    expect((await search('ser-7')).connections).toEqual([]);
    expect((await search('user-7xx')).connections).toEqual([]);

    const ids = async (text: string) =>
      (await search(text)).connections.map(({ connection }) => connection.id);
    expect(await ids(connectionId)).toEqual([connectionId]);
    expect(await ids(connectionId.slice(0, 8))).toEqual([connectionId]);
    // Too short: the lookup would read many rows of an index that all organizations share.
    expect(await ids(connectionId.slice(0, 7))).toEqual([]);
  });

  test('finds applications and API keys by name and id, and requests by the beginning of their id', async () => {
    const { id, apiKey } = service.application;
    const params = { path: { applicationId: id } };
    const path = '/management/applications/{applicationId}';
    const { name } = (await viewer.client.GET(path, { params })).data!;
    const named = await search(name.slice(1, 6).toUpperCase());
    expect(named.applications.map((one) => one.id)).toEqual([id]);
    expect((await search(id)).applications).toHaveLength(1);
    const { data } = await viewer.client.GET(`${path}/api-keys`, { params });
    const key = data!.apiKeys[0]!;
    expect((await search(key.id)).apiKeys).toEqual([{ applicationId: id, apiKey: key }]);
    expect((await search(key.name)).apiKeys).toHaveLength(1);

    const response = await fetch(`${service.apiUrl}/accounts/acc_0000000000000000000000`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    const requestId = response.headers.get('Request-Id')!;
    const found = async () => {
      await service.service.requestLog.flush();
      return (await search(requestId.slice(0, 8))).requests[0];
    };
    const { status } = response;
    await expect.poll(found).toMatchObject({ applicationId: id, requestId, operation: 'getAccount', status });
    expect((await search(requestId.slice(0, 7))).requests).toEqual([]);
  });

  test('finds nothing of another organization', async () => {
    const { connectionId } = await link(service, { externalUserId: 'somebody' });
    const organizationId = await addOrganization(service, 'Other');
    const member = { role: 'viewer', email: 'other@example.com', organizationId } as const;
    const stranger = await createMember(service, member);
    const nothing = { applications: [], connections: [], apiKeys: [], requests: [] };
    for (const text of ['somebody', connectionId, connectionId.slice(0, 10), service.application.id])
      expect(await search(text, stranger, { organizationId })).toEqual(nothing);
  });

  test('looks connections and requests up by ranges of indexes', async () => {
    const { db } = service.service;
    // The statements include those of the service's own jobs, some without bindings.
    const queries: { sql: string; bindings: readonly unknown[] }[] = [];
    const unwatch = db.watch((sql, bindings) => queries.push({ sql, bindings }));
    const texts = ['user-', 'con_0000', 'abcdef0123'];
    for (const text of texts) await search(text);
    unwatch();
    const searched = queries.filter(({ bindings }) => texts.some((text) => bindings.includes(text)));
    const plans: string[] = [];
    for (const { sql, bindings } of searched) {
      const plan = await db.transaction(async (trx) => {
        // Reading and sorting a few rows is faster than any index.
        for (const way of db.dialect === 'postgres' ? ['seqscan', 'sort'] : [])
          await trx.raw(`set local enable_${way} = off`);
        const explain = db.dialect === 'postgres' ? 'explain (costs off)' : 'explain query plan';
        return JSON.stringify((await trx.run({ text: `${explain} ${sql}` }, bindings)).rows);
      });
      plans.push(plan);
    }
    const table = (name: string) => plans.filter((plan) => plan.includes(name));
    expect(table('connections').length).toBeGreaterThan(0);
    expect(table('resource_owners')).toHaveLength(1);
    expect(table('request_log')).toHaveLength(1);
    for (const plan of plans) {
      if (db.dialect === 'postgres') {
        expect(plan).toMatch(/Index Cond: .*(external_user_id|request_id|\(id) .*>=.*</);
      } else expect(plan).toMatch(/SEARCH \w+ USING .*(external_user_id|request_id|id)>\? AND \w+<\?/);
    }
  });
});
