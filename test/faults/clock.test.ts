// After the clock is set back by two hours, rate-limit windows restart, users can link, and refreshes continue.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seconds } from '../../src/platform/values/clock.ts';
import { oneDatabase } from '../support/databases.ts';
import { link, startService, type TestService } from '../support/testService.ts';

for (const database of oneDatabase) {
  describe(`a clock that is set back, on ${database.name}`, () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService({ database, limits: { apiRequestsPerMinute: 5 } });
    });
    afterAll(() => service.close());

    const read = async ({ connectionId, scopedToken }: { connectionId: string; scopedToken?: string }) => {
      const { apiKey } = service.application;
      const response = await fetch(`${service.url}/connections/${connectionId}`, {
        headers: { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': scopedToken! },
      });
      const body = (await response.json()) as { connection?: { refreshedAt: string } };
      return { status: response.status, refreshedAt: body.connection?.refreshedAt };
    };

    test('everything continues', async () => {
      // Moves the clock to the middle of a minute, so that all requests are in the same minute.
      service.advance(60_000 - (service.service.clock.real().getTime() % 60_000) + 1);
      const before = await link(service, { externalUserId: 'ada' });
      const statuses: number[] = [];
      for (let at = 0; at < 6; at++) statuses.push((await read(before)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);

      service.advance(-seconds(2 * 3600));
      const { refreshedAt } = await read(before);
      expect(refreshedAt).toBeDefined();
      const after = await link(service, { externalUserId: 'grace' });
      expect((await read(after)).status).toBe(200);
      const findRefreshedAt = async () => {
        const row = await service.service.db.read('connections').where({ id: before.connectionId }).first();
        return row!.refreshedAt;
      };
      // The refresh was due within 6.6 hours of the original time.
      service.advance(seconds(9 * 3600));
      service.service.worker!.wake();
      await vi.waitUntil(async () => (await findRefreshedAt()) !== refreshedAt, {
        timeout: 30_000,
        interval: 50,
      });
    });
  });
}
