// SimpleFIN accesses in the dashboard: the fields that members see, the pages of the list, and revoking.
import { beforeAll, expect, test } from 'vitest';

import { seconds } from '../../../src/platform/values/clock.ts';
import { claim, describeSimplefin, splitAccessUrl, statusWith } from '../../simplefin/fixture.ts';
import { scriptedAccount } from '../../support/scriptedConnector.ts';
import { auditEvents, createMember, type DashboardUser, readPages, wrongCursors } from './users.ts';

type Query = { externalUserId?: string; cursor?: string; limit?: number };

const path = '/management/applications/{applicationId}/simplefin-accesses';

const list = ({ client }: DashboardUser, applicationId: string, query: Query = {}) =>
  client.GET(path, { params: { path: { applicationId }, query } });

const listAll = (user: DashboardUser, applicationId: string, query: Query = {}) =>
  readPages(async (cursor) => {
    const { accesses, nextCursor } = (await list(user, applicationId, { ...query, cursor })).data!;
    return { items: accesses, nextCursor };
  });

const revoke = async ({ client }: DashboardUser, applicationId: string, accessId: string) => {
  const { response } = await client.DELETE(`${path}/{accessId}`, {
    params: { path: { applicationId, accessId } },
  });
  return response.status;
};

describeSimplefin('SimpleFIN accesses in the dashboard', (fixture) => {
  let owner: DashboardUser;
  let scopedToken: string;
  let anonymousToken: string;
  beforeAll(async () => {
    owner = await createMember(fixture.service, { role: 'owner', email: 'owner@example.com' });
    const accounts = (number: string) => [scriptedAccount({ id: number, name: 'Main', number })];
    const user = await fixture.link('ada', accounts('1111'), { externalUserId: 'user-1' });
    ({ scopedToken } = user);
    anonymousToken = (await fixture.link('bo', accounts('2222'))).scopedToken;
  });

  test('are listed with user, state and last use, but never with their accounts', async () => {
    const { id: applicationId } = fixture.application;
    await fixture.createSetupToken(anonymousToken, { label: 'Ledger', allAccounts: true });
    fixture.service.advance(seconds(1));
    const accessUrl = await fixture.createAccessUrl(scopedToken, {
      ...{ label: 'Budget', allAccounts: true, postedOnly: true },
    });
    const { user: id } = splitAccessUrl(accessUrl);
    const unused = {
      ...{ id, label: 'Budget', externalUserId: 'user-1', postedOnly: true, state: 'active' },
      ...{ createdAt: expect.any(String), lastUsedAt: null },
    };
    const unclaimed = {
      ...{ id: expect.any(String), label: 'Ledger', externalUserId: null, postedOnly: false },
      ...{ state: 'unclaimed', createdAt: expect.any(String), lastUsedAt: null },
    };
    expect(await listAll(owner, applicationId)).toEqual([unused, unclaimed]);
    expect(await statusWith(accessUrl)).toBe(200);
    const used = { ...unused, lastUsedAt: expect.any(String) };
    expect(await listAll(owner, applicationId, { externalUserId: 'user-1' })).toEqual([used]);
    expect(await listAll(owner, applicationId, { externalUserId: 'user' })).toEqual([]);
  });

  test('are listed newest first in pages of any size', async () => {
    const { id: applicationId } = fixture.application;
    for (const label of ['First', 'Second', 'Third']) {
      fixture.service.advance(seconds(1));
      await fixture.createSetupToken(scopedToken, { label, allAccounts: true });
    }
    const all = await listAll(owner, applicationId);
    expect(all.slice(0, 3).map(({ label }) => label)).toEqual(['Third', 'Second', 'First']);
    for (const limit of [1, 2, all.length]) {
      expect(await listAll(owner, applicationId, { limit })).toEqual(all);
    }
    for (const cursor of wrongCursors(all[0]!.id)) {
      expect((await list(owner, applicationId, { cursor })).error).toMatchObject({ code: 'invalid_cursor' });
    }
  });

  test('are revoked, claimed or not; the application reads nothing from then on, and it is audited', async () => {
    const { id: applicationId } = fixture.application;
    const accessUrl = await fixture.createAccessUrl(scopedToken, { label: 'Sheet', allAccounts: true });
    const { user: id } = splitAccessUrl(accessUrl);
    expect(await statusWith(accessUrl)).toBe(200);
    expect(await revoke(owner, applicationId, id)).toBe(204);
    expect(await statusWith(accessUrl)).toBe(403);
    expect(await revoke(owner, applicationId, id)).toBe(404);

    fixture.service.advance(seconds(1));
    const setupToken = await fixture.createSetupToken(scopedToken, { label: 'Late', allAccounts: true });
    const [unclaimed] = await listAll(owner, applicationId);
    expect(await revoke(owner, applicationId, unclaimed!.id)).toBe(204);
    expect((await claim(setupToken)).status).toBe(403);
    const left = await listAll(owner, applicationId);
    expect(left.map((access) => access.id)).not.toContain(id);

    const revoked = await auditEvents(fixture.service, { action: 'simplefin_access_revoked' });
    expect(revoked).toMatchObject([
      { email: 'owner@example.com', details: { label: 'Sheet', application: applicationId } },
      { email: 'owner@example.com', details: { label: 'Late', application: applicationId } },
    ]);
  });

  test('are those of one application only', async () => {
    const accessUrl = await fixture.createAccessUrl(scopedToken);
    const { id: otherId } = fixture.service.application;
    expect(await listAll(owner, otherId)).toEqual([]);
    expect(await revoke(owner, otherId, splitAccessUrl(accessUrl).user)).toBe(404);
    expect(await statusWith(accessUrl)).toBe(200);
  });
});
