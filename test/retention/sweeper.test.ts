// The sweeper runs soon after the start, and again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLinkSession, startService, type TestService } from '../support/testService.ts';
import { findInTables } from './leftoverRows.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({
    limits: { sweepInitialDelaySeconds: 0.05, sweepEveryMinutes: 0.002, sweepGraceSeconds: 0 },
  });
});
afterAll(() => service.close());

test('expired link sessions are deleted, each time', async () => {
  for (let round = 1; round <= 2; round++) {
    const { id } = await openLinkSession(service);
    expect(await findInTables(service.service, [id])).toEqual([`link_sessions: ${id}`]);
    service.advance(31 * 60_000);
    await expect.poll(() => findInTables(service.service, [id]), { timeout: 20_000 }).toEqual([]);
  }
});
