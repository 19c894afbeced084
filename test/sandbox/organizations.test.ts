// Each organization has its own sandbox: its loaded logins, the bank's state and the clock. The developers of one
// organization cannot change the sandbox of another.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { days } from '../../src/platform/values/clock.ts';
import {
  addOrganization,
  createMember,
  type DashboardUser,
  onlyOrganization,
} from '../http/dashboard/users.ts';
import { findInTables } from '../retention/leftoverRows.ts';
import { oneDatabase } from '../support/databases.ts';
import {
  driveToImport,
  type LinkOptions,
  link,
  openLinkSession,
  startService,
  type TestApplication,
  type TestService,
} from '../support/testService.ts';

type Tenant = { organizationId: string; application: TestApplication; developer: DashboardUser };

for (const database of oneDatabase) {
  describe(`the sandboxes of two organizations on ${database.name}`, () => {
    let service: TestService;
    let acme: Tenant;
    let globex: Tenant;

    beforeAll(async () => {
      service = await startService({ database, systemTime: true, limits: { sweepGraceSeconds: 0 } });
      acme = await addTenant(await onlyOrganization(service), 'acme');
      globex = await addTenant(await addOrganization(service, 'Globex'), 'globex');
    });
    afterAll(() => service.close());

    const addTenant = async (organizationId: string, name: string): Promise<Tenant> => ({
      organizationId,
      application: await service.addApplication({ organizationId }),
      developer: await createMember(service, {
        organizationId,
        role: 'developer',
        email: `${name}@example.com`,
      }),
    });

    const pathOf = ({ organizationId }: Tenant) => ({ params: { path: { organizationId } } });

    const load = async (tenant: Tenant, login: string, descriptions: string[]): Promise<void> => {
      const heading = 'login,account,date,transaction,amount,balance,description,reference\n';
      const rows = descriptions.map(
        (text, at) => `${login},1,2024-01-0${at + 1},t${at},-1.00,9.00,${text},\n`,
      );
      const path = `/management/organizations/${tenant.organizationId}/sandbox/files?name=rows.csv`;
      const headers = { 'Content-Type': 'application/octet-stream' };
      const body = heading + rows.join('');
      const response = await tenant.developer.fetch(path, { method: 'POST', headers, body });
      expect(response.status).toBe(200);
    };

    const advance = async (tenant: Tenant, milliseconds: number): Promise<void> => {
      const { response } = await tenant.developer.client.POST(
        '/management/organizations/{organizationId}/sandbox/clock',
        { ...pathOf(tenant), body: { seconds: milliseconds / 1000 } },
      );
      expect(response.status).toBe(200);
    };

    const offsetOf = async (tenant: Tenant): Promise<number> => {
      const path = '/management/organizations/{organizationId}/sandbox';
      const { data } = await tenant.developer.client.GET(path, pathOf(tenant));
      return data!.clock.offsetSeconds * 1000;
    };

    const linkAt = ({ application }: Tenant, options: LinkOptions) =>
      link({ url: service.url, application }, options);

    const readDescriptions = async (tenant: Tenant, linked: Awaited<ReturnType<typeof link>>) => {
      const client = service.client(linked.scopedToken, tenant.application.apiKey);
      const path = { accountId: linked.accounts[0]!.id };
      const { data } = await client.GET('/accounts/{accountId}/transactions', { params: { path } });
      return data!.transactions.map(({ description }) => description);
    };

    const readConnection = async (tenant: Tenant, connectionId: string) => {
      const path = { applicationId: tenant.application.id, connectionId };
      const operation = '/management/applications/{applicationId}/connections/{connectionId}';
      const { data } = await tenant.developer.client.GET(operation, { params: { path } });
      return data!;
    };

    test('each links its own data of a login that both have loaded, even if one reloads it', async () => {
      await load(acme, 'shared', ['ACME ONE', 'ACME TWO']);
      await load(globex, 'shared', ['OLD']);
      await load(globex, 'shared', ['GLOBEX']);
      const atAcme = await linkAt(acme, { username: 'shared' });
      const atGlobex = await linkAt(globex, { username: 'shared' });
      expect(await readDescriptions(acme, atAcme)).toEqual(['ACME TWO', 'ACME ONE']);
      expect(await readDescriptions(globex, atGlobex)).toEqual(['GLOBEX']);
    });

    test('a login that one has loaded does not exist for the other', async () => {
      await load(acme, 'private', ['ACME']);
      await linkAt(acme, { username: 'private' });
      const { application } = globex;
      const session = await openLinkSession({ url: service.url, application });
      const view = await driveToImport(session, { username: 'private' });
      expect(view).toMatchObject({ state: 'credentials', error: { reason: 'wrong_credentials' } });
    });

    test('wrong passwords are counted for each', async () => {
      const attemptsLeft = async ({ application }: Tenant) => {
        const session = await openLinkSession({ url: service.url, application });
        const view = await driveToImport(session, { username: 'good', password: 'wrong' });
        return view.state === 'credentials' && view.error;
      };
      expect(await attemptsLeft(acme)).toMatchObject({ attemptsLeft: 2 });
      expect(await attemptsLeft(acme)).toMatchObject({ attemptsLeft: 1 });
      expect(await attemptsLeft(globex)).toMatchObject({ attemptsLeft: 2 });
    });

    test('advancing the clock of one refreshes its connections, and no others', async () => {
      const { connectionId } = await linkAt(acme, {});
      const other = await linkAt(globex, {});
      const before = await readConnection(globex, other.connectionId);
      await advance(acme, days(1));
      const refreshedAt = async () =>
        Date.parse((await readConnection(acme, connectionId)).connection.refreshedAt!);
      await expect.poll(refreshedAt).toBeGreaterThan(Date.now() + days(0.9));
      expect([await offsetOf(acme), await offsetOf(globex)]).toEqual([days(1), 0]);
      const after = await readConnection(globex, other.connectionId);
      expect(after).toEqual(before);
      expect(Date.parse(after.nextRefreshAt!)).toBeLessThan(Date.now() + days(0.5));
    });

    test('a user who links after the clock of their organization was advanced does not wait', async () => {
      await advance(globex, days(2));
      const clock = { environment: 'sandbox', organizationId: globex.organizationId } as const;
      const seenAt = () => service.service.clock.now(clock).getTime();
      await expect.poll(seenAt).toBeGreaterThan(Date.now() + days(1.9));
      const { connectionId } = await linkAt(globex, {});
      const { connection } = await readConnection(globex, connectionId);
      expect(Date.parse(connection.createdAt)).toBeGreaterThan(Date.now() + days(1.9));
    });

    test('advancing the clock of one deletes its revoked connections, and no others', async () => {
      const linked = [await linkAt(acme, {}), await linkAt(globex, {})] as const;
      const [atAcme, atGlobex] = linked.map(({ connectionId }) => connectionId) as [string, string];
      const clients = [acme, globex].map(({ application }, at) =>
        service.client(linked[at]!.scopedToken, application.apiKey),
      );
      const params = linked.map(({ connectionId }) => ({ path: { connectionId } }));
      for (const [at, client] of clients.entries()) {
        const { response } = await client.DELETE('/connections/{connectionId}', { params: params[at]! });
        expect(response.status).toBe(204);
      }
      const statusOf = async (client: (typeof clients)[number], at: number) =>
        (await client.GET('/connections/{connectionId}', { params: params[at]! })).response.status;
      const statuses = () => Promise.all(clients.map(statusOf));
      expect(await statuses()).toEqual([200, 200]);
      await advance(acme, days(31));
      await expect.poll(() => findInTables(service.service, [atAcme])).toEqual([]);
      expect(await statuses()).toEqual([404, 200]);
      expect(await findInTables(service.service, [atGlobex])).not.toEqual([]);
    });
  });
}
