// The audit log: complete, in order, paginated, as CSV, and append-only.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { auditEventsToCsv } from '../../../src/domain/audit/csv.ts';
import type { AuditEvent } from '../../../src/domain/audit/store.ts';
import { seconds } from '../../../src/platform/values/clock.ts';
import { toSlug } from '../../../src/platform/values/text.ts';
import { type DatabaseKind, databases, oneDatabase } from '../../support/databases.ts';
import { startService, type TestService } from '../../support/testService.ts';
import { addOrganization, createMember, type DashboardUser, memberIdOf, readPages } from './users.ts';

const auditPath = '/management/organizations/{organizationId}/audit';

type Fixture = { service: TestService; owner: DashboardUser; organizationId: string; ownerId: string };

/** A service that is closed after the tests, with an organization that has events, and the list of these events. */
const useEvents = (database: DatabaseKind) => {
  const fixture = {} as Fixture;
  beforeAll(async () => {
    const service = await startService({ database, worker: false, limits: { streamChunkRows: 3 } });
    fixture.service = service;
    const organizationId = await addOrganization(service, 'Logged');
    const owner = await createMember(service, { role: 'owner', email: 'owner@example.com', organizationId });
    const ownerId = await memberIdOf(owner);
    const { client } = owner;
    const formula = { name: '=HYPERLINK("https://evil.example")', environment: 'sandbox' as const };
    const listPath = '/management/organizations/{organizationId}/applications';
    const created = await client.POST(listPath, { params: { path: { organizationId } }, body: formula });
    const applicationId = created.data!.id;
    const params = { path: { applicationId } };
    const onePath = '/management/applications/{applicationId}';
    await client.PATCH(onePath, { params, body: { name: 'Shop', origins: ['https://shop.example'] } });
    const key = await client.POST(`${onePath}/api-keys`, { params, body: { name: 'Backend' } });
    const ofKey = { path: { applicationId, keyId: key.data!.apiKey.id } };
    await client.DELETE(`${onePath}/api-keys/{keyId}`, { params: ofKey });
    const wrong = { email: 'owner@example.com', password: 'not the right one' };
    await client.POST('/management/sign-in', { body: wrong });
    Object.assign(fixture, { owner, organizationId, ownerId });
    // The event is written after the response, so that response times reveal nothing.
    await vi.waitUntil(async () => (await actions({}))[0] === 'sign_in_failed', 30_000);
  });
  afterAll(() => fixture.service.close());

  type Query = { action?: 'api_key_revoked'; memberId?: string; from?: string; until?: string };
  const list = (query: Query) =>
    readPages(async (cursor) => {
      const path = { organizationId: fixture.organizationId };
      const params = { path, query: { ...query, limit: 2, cursor } };
      const { events, nextCursor } = (await fixture.owner.client.GET(auditPath, { params })).data!;
      return { items: events, nextCursor };
    });
  const actions = async (query: Query) => (await list(query)).map(({ action }) => action);
  return { fixture, list, actions };
};

describe.each(oneDatabase)('the audit log on $name', (database) => {
  const { fixture, list, actions } = useEvents(database);

  test('all events are listed, newest first, with their actor', async () => {
    const { ownerId } = fixture;
    expect(await actions({})).toEqual([
      ...['sign_in_failed', 'api_key_revoked', 'api_key_created', 'origins_changed', 'application_renamed'],
      ...['application_created', 'signed_in', 'member_joined', 'invitation_created', 'organization_created'],
    ]);
    const events = await list({});
    expect(events[1]).toMatchObject({
      actor: { memberId: ownerId, email: 'owner@example.com' },
      address: '127.0.0.1',
    });
    expect(events[3]?.details).toEqual({ before: '', after: 'https://shop.example' });
    expect(events[0]).toMatchObject({ actor: { memberId: null, email: null }, subject: ownerId });
    expect(events.at(-1)?.actor).toEqual({ memberId: null, tokenId: null, email: null });
  });

  test('an unchanged name or role causes no event', async () => {
    const { owner, organizationId, ownerId } = fixture;
    const before = await list({});
    const renamed = await owner.client.PATCH('/management/organizations/{organizationId}', {
      ...{ params: { path: { organizationId } }, body: { name: 'Logged' } },
    });
    const changed = await owner.client.PATCH(
      '/management/organizations/{organizationId}/members/{memberId}',
      { params: { path: { organizationId, memberId: ownerId } }, body: { role: 'owner' } },
    );
    expect([renamed.data?.name, changed.data?.role]).toEqual(['Logged', 'owner']);
    expect(await list({})).toEqual(before);
  });

  test('events can be filtered', async () => {
    const { ownerId } = fixture;
    expect(await actions({ action: 'api_key_revoked' })).toEqual(['api_key_revoked']);
    expect(await actions({ memberId: ownerId })).toHaveLength(7);
    const all = await list({});
    const middle = all[4]!.at;
    expect([...(await actions({ from: middle })), ...(await actions({ until: middle }))]).toEqual(
      all.map(({ action }) => action),
    );
  });

  test('the CSV has the events of the same filters as the list, regardless of the offset of the times', async () => {
    const { owner, organizationId, ownerId } = fixture;
    const path = auditPath.replace('{organizationId}', organizationId);
    const exportIds = async (query: Parameters<typeof list>[0]) => {
      const response = await owner.fetch(
        `${path}/export?${new URLSearchParams(query as Record<string, string>)}`,
      );
      const [, ...lines] = (await response.text()).trimEnd().split('\r\n');
      return lines.map((line) => line.split('"').at(-2));
    };
    const all = await list({});
    // The same time, as a text that sorts hours later than its UTC form.
    const inOffset = (at: string) =>
      new Date(Date.parse(at) + seconds(7200)).toISOString().replace('Z', '+02:00');
    const [first, end] = [all.at(-3)!.at, all.at(-8)!.at];
    const between = { from: inOffset(first), until: inOffset(end) };
    const ids = all.filter(({ at }) => at >= first && at < end).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(3);
    expect(await exportIds(between)).toEqual(ids);
    for (const query of [between, { until: between.until, memberId: ownerId }])
      expect(await exportIds(query)).toEqual((await list(query)).map(({ id }) => id));
  });
});

describe.each(databases)('the audit log on $name', (database) => {
  const { fixture } = useEvents(database);

  test('the CSV has every event once, and no cell that a spreadsheet would execute', async () => {
    const { owner, organizationId } = fixture;
    const response = await owner.fetch(`${auditPath.replace('{organizationId}', organizationId)}/export`);
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename=audit-log-logged-\d{4}-\d\d-\d\d\.csv$/,
    );
    const lines = (await response.text()).trimEnd().split('\r\n');
    expect(lines[0]).toBe('"at","action","memberId","tokenId","email","subject","address","details","id"');
    // One more event than in the list: that of the export.
    expect(lines).toHaveLength(1 + 11);
    expect(new Set(lines).size).toBe(lines.length);
    const event: AuditEvent = {
      ...{
        organizationId: '',
        id: '1',
        at: '',
        action: 'signed_in',
        memberId: null,
        tokenId: null,
        subject: null,
      },
      ...{ email: '=1+1"', address: '@x', details: {} },
    };
    let text = '';
    for await (const piece of auditEventsToCsv(
      (async function* () {
        yield [event];
      })(),
    ))
      text += piece;
    expect(text.split('\r\n')[1]).toBe(`"","signed_in","","","'=1+1""","","'@x","{}","1"`);
  });

  test('no event can be changed or deleted', async () => {
    const { service } = fixture;
    const { write } = service.service.db;
    const before = await write('audit_events').count({ count: '*' }).first();
    for (const change of [
      write('audit_events').update({ action: 'signed_out' }),
      write('audit_events').delete(),
    ])
      await expect(change).rejects.toThrow('cannot be changed or deleted');
    expect(await write('audit_events').count({ count: '*' }).first()).toEqual(before);
  });
});

test('a name with any letters becomes part of a file name', () => {
  expect(toSlug('Société Générale & Co.')).toBe('societe-generale-co');
  expect(toSlug('../../etc/passwd')).toBe('etc-passwd');
  expect(toSlug('株式会社')).toBe('');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
      expect(toSlug(name)).toMatch(/^(?=.{0,40}$)([a-z0-9]+(-[a-z0-9]+)*)?$/);
    }),
  );
});
