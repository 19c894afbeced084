// The sweeper runs soon after the start, and then repeatedly.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLinkSession, startService, type TestService } from '../support/testService.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({
    limits: { sweepInitialDelaySeconds: 0.05, sweepEveryMinutes: 0.002, sweepGraceSeconds: 0 },
  });
});
afterAll(() => service.close());

test('expired link sessions are closed, each time', async () => {
  for (let round = 1; round <= 2; round++) {
    const { id } = await openLinkSession(service);
    const isClosed = async () =>
      (await service.service.db.read('link_sessions').where({ id }).first('closedAt'))?.closedAt !== null;
    expect(await isClosed()).toBe(false);
    service.advance(31 * 60_000);
    await expect.poll(isClosed, { timeout: 20_000 }).toBe(true);
  }
});
