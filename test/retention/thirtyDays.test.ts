// Data of a revoked connection is readable for exactly 30 days, even if it is not deleted yet by then.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isExpired } from '../../src/domain/connections/connection.ts';
import { days } from '../../src/platform/values/clock.ts';
import { databases, oneDatabase } from '../support/databases.ts';
import {
  advanceTo,
  type LinkedUser,
  linkAll,
  readStatuses,
  revoke,
  startRetentionService,
  sweepNow,
  type TestService,
} from './fixture.ts';

/** Shares only the smallest account of each login, so that there is less to import. */
const smallest = { accounts: ['Rainy Day Savings'] };
const readable = [200, 200, 200, 200, 200];
const expired = [404, 404, 404, 404, 404];
const forbidden = [404, 403, 403, 403, 403];

test('a connection expires exactly 30 days after it was revoked', () => {
  const revokedAt = '2024-01-31T12:00:00.500Z';
  const connection = { revokedAt, deliveryExpiresAt: null, purgeStartedAt: null };
  const at = (milliseconds: number) => {
    const now = new Date(Date.parse(revokedAt) + days(30) + milliseconds);
    const clock = { now: () => now, real: () => new Date(0), organizationsAhead: () => [] };
    const application = { environment: 'sandbox', organizationId: 'org_a' } as const;
    return isExpired(connection, { clock, application, limits: { retentionDays: 30 } });
  };
  expect([at(-1), at(0)]).toEqual([false, true]);
});

for (const sweeps of [false, true]) {
  for (const database of sweeps ? databases : oneDatabase) {
    describe(`on ${database.name}, ${sweeps ? 'with sweeps' : 'without sweeps'}`, () => {
      let service: TestService;
      let first: LinkedUser;
      let second: LinkedUser;
      let anonymous: LinkedUser;
      beforeAll(async () => {
        service = await startRetentionService(database);
        first = await linkAll(service, { ...smallest, username: 'usd', externalUserId: 'user-1' });
        second = await linkAll(service, {
          ...{ ...smallest, username: 'jpy', externalUserId: 'user-1' },
          scopedToken: first.scopedToken,
        });
        anonymous = await linkAll(service, { ...smallest, username: 'bhd' });
        await service.service.worker!.stop();
      });
      afterAll(() => service.close());

      const sweepIfEnabled = async (): Promise<void> => {
        if (sweeps) await sweepNow(service);
      };

      test('a revoked connection is readable until then, and not found after', async () => {
        const before = await readStatuses(service, first);
        const other = await readStatuses(service, second);
        const end = (await revoke(service, first)).getTime() + days(30);
        advanceTo(service, end - 20_000);
        await sweepIfEnabled();
        expect(await readStatuses(service, first)).toEqual(before);
        advanceTo(service, end + 1000);
        await sweepIfEnabled();
        expect((await readStatuses(service, first)).statuses).toEqual(expired);
        expect(await readStatuses(service, second)).toEqual({ ...other, connections: [second.connectionId] });
      });

      test('a token whose end user has no connection left is forbidden', async () => {
        const before = await readStatuses(service, anonymous);
        expect(before.statuses).toEqual(readable);
        const end = (await revoke(service, anonymous)).getTime() + days(30);
        advanceTo(service, end - 20_000);
        await sweepIfEnabled();
        expect(await readStatuses(service, anonymous)).toEqual(before);
        advanceTo(service, end + 1000);
        await sweepIfEnabled();
        const { list, statuses, transactions } = await readStatuses(service, anonymous);
        expect({ list, statuses, transactions }).toEqual({
          list: 403,
          statuses: forbidden,
          transactions: undefined,
        });
      });
    });
  }
}
