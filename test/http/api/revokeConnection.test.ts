// DELETE /connections/{connectionId}.
import { expect, test } from 'vitest';
import { days } from '../../../src/platform/values/clock.ts';
import { describeOperation, expectAuthError } from './commonErrors.ts';
import { type ApiFixture, describeApi, type LinkResult, toRequest, variantsOfEach } from './fixture.ts';
import type { ApiResponse } from './operations.ts';

const revoke = (fixture: ApiFixture, linked: LinkResult): Promise<ApiResponse> =>
  fixture.request('revokeConnection', { ...toRequest(fixture, linked), scopedToken: null });

const read = async (fixture: ApiFixture, linked: LinkResult) =>
  (await fixture.request('getConnection', toRequest(fixture, linked))).body.connection;

/** The stored credentials and the number of jobs of a connection. */
const findStoredState = async ({ service }: ApiFixture, { connectionId }: LinkResult) => {
  const { read } = service.service.db;
  const row = await read('connections').where({ id: connectionId }).first('credentials');
  const jobs = await read('jobs').where({ connectionId });
  return { credentials: row!.credentials, jobs: jobs.length };
};

describeOperation('revokeConnection', (fixture) => {
  test('no request with an error has revoked the connection', async () => {
    expect(await read(fixture, fixture.ada.north)).toMatchObject({ status: 'active' });
  });

  test('204 without a body, and 204 again', async () => {
    const linked = await fixture.link();
    for (const response of [await revoke(fixture, linked), await revoke(fixture, linked)]) {
      expect({ status: response.status, text: response.text }).toEqual({ status: 204, text: '' });
    }
    const revoked = await read(fixture, linked);
    expect(revoked).toMatchObject({ status: 'revoked', revokedAt: expect.any(String) });
    fixture.service.advance(days(1));
    expect((await revoke(fixture, linked)).status).toBe(204);
    expect(await read(fixture, linked)).toEqual(revoked);
  });

  test('the bank credentials and the job are deleted at once, and other connections do not change', async () => {
    const linked = await fixture.link({ externalUserId: 'emil' });
    const other = await fixture.link({ externalUserId: 'emil' });
    const active = { credentials: expect.any(Uint8Array), jobs: 1 };
    expect(await findStoredState(fixture, linked)).toEqual(active);
    await revoke(fixture, linked);
    expect(await findStoredState(fixture, linked)).toEqual({ credentials: null, jobs: 0 });
    expect(await findStoredState(fixture, other)).toEqual(active);
    expect(await read(fixture, other)).toMatchObject({ status: 'active' });
  });

  test('a connection of another application, which does not change', async () => {
    expectAuthError(await revoke(fixture, fixture.cleo.north), 403);
    const { apiKey } = fixture.otherApplication;
    const request = { ...toRequest(fixture, fixture.cleo.north), apiKey };
    expect((await fixture.request('getConnection', request)).body.connection.status).toBe('active');
  });
});

describeApi(
  'revokeConnection',
  (fixture) => {
    test('several requests at the same time give 204 each', async () => {
      const linked = await fixture.link();
      const responses = await Promise.all(Array.from({ length: 5 }, () => revoke(fixture, linked)));
      expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    });
  },
  { only: variantsOfEach },
);
