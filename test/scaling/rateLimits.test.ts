// Rate limits across several processes: after a flush, each process counts the requests of the others.
import { describe, expect, onTestFinished, test } from 'vitest';
import { hashOpaqueToken } from '../../src/platform/vault/keys.ts';
import { databases } from '../support/databases.ts';
import { startService, type TestService } from '../support/testService.ts';

const limits = { apiRequestsPerMinute: 40, rateLimitFlushMs: 3_600_000 };

/** Two services on one database, which exchange their counts when a test flushes them. */
const startTwo = async (kind: (typeof databases)[number]): Promise<[TestService, TestService]> => {
  const database = await kind.create();
  onTestFinished(database.drop);
  const first = await startService({ existing: { databaseUrl: database.url }, worker: false, limits });
  onTestFinished(first.close);
  const { secretsDir } = first.service.config;
  const existing = { databaseUrl: database.url, secretsDir };
  const second = await startService({ existing, worker: false, limits });
  onTestFinished(second.close);
  return [first, second];
};

/** The statuses of `times` requests for a connection that does not exist. */
const sendRequests = async (service: TestService, apiKey: string, times: number): Promise<number[]> => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const statuses: number[] = [];
  for (let at = 0; at < times; at++) {
    const response = await fetch(`${service.url}/connections/con_0000000000000000000000`, { headers });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
};

const countAllowed = (statuses: number[]): number => statuses.filter((status) => status !== 429).length;

/** Moves the services' clocks to the start of a minute, so that all requests of a test are in the same minute. */
const atStartOfMinute = (services: TestService[]): void => {
  const elapsed = Date.now() % 60_000;
  for (const service of services) service.advance(60_000 - elapsed + 1);
};

for (const kind of databases) {
  describe(kind.name, () => {
    test('two processes together allow no more than the limit after a flush', async () => {
      const [first, second] = await startTwo(kind);
      atStartOfMinute([first, second]);
      const { apiKey } = first.application;
      expect(countAllowed(await sendRequests(first, apiKey, 25))).toBe(25);
      await first.service.rateLimiter.flush();
      expect(countAllowed(await sendRequests(second, apiKey, 10))).toBe(10);
      await second.service.rateLimiter.flush();
      // 25 and 10 of 40 are used: the second process has five left, and the first none after its next flush.
      expect(countAllowed(await sendRequests(second, apiKey, 20))).toBe(5);
      await second.service.rateLimiter.flush();
      expect(countAllowed(await sendRequests(first, apiKey, 1))).toBe(1);
      await first.service.rateLimiter.flush();
      expect(countAllowed(await sendRequests(first, apiKey, 20))).toBe(0);
    });

    test('each application and each minute has its own limit', async () => {
      const [first, second] = await startTwo(kind);
      atStartOfMinute([first, second]);
      await sendRequests(first, first.application.apiKey, 50);
      await first.service.rateLimiter.flush();
      const other = await first.addApplication();
      expect(countAllowed(await sendRequests(first, other.apiKey, 1))).toBe(1);
      const [refused] = await sendRequests(first, first.application.apiKey, 1);
      expect(refused).toBe(429);
      for (const service of [first, second]) service.advance(60_000);
      expect(countAllowed(await sendRequests(first, first.application.apiKey, 1))).toBe(1);
      await first.service.rateLimiter.flush();
      const stored = await first.service.db.read('rate_limit_counters').select('key', 'count');
      // Counts older than the previous minute are deleted.
      expect(stored.map(({ count }) => count).sort()).toEqual([1, 40]);
    });

    test('a window of several minutes is also shared, and so are releases in another process', async () => {
      const [first, second] = await startTwo(kind);
      const elapsed = Date.now() % (15 * 60_000);
      for (const service of [first, second]) service.advance(15 * 60_000 - elapsed + 1);
      const [one, two] = [first.service.rateLimiter, second.service.rateLimiter];
      one.consume('x', 3, 15);
      await one.flush();
      two.consume('x', 3, 15);
      await two.flush();
      for (const service of [first, second]) service.advance(13 * 60_000);
      expect(two.consume('x', 3, 15)).toMatchObject({ allowed: true, remaining: 0 });
      const { allowed, resetSeconds } = two.consume('x', 3, 15);
      expect(allowed).toBe(false);
      expect(resetSeconds).toBeGreaterThan(60);
      expect(resetSeconds).toBeLessThanOrEqual(120);
      for (const _counted of [1, 2, 3]) two.release(second.service.clock.real(), 'x', 3, 15);
      await two.flush();
      expect([1, 2, 3, 4].map(() => two.consume('x', 3, 15).allowed)).toEqual([true, true, true, false]);
      for (const service of [first, second]) service.advance(2 * 60_000);
      expect(two.consume('x', 3, 15)).toMatchObject({ allowed: true, remaining: 2 });
    });

    test('the count of one process is released by another that has counted nothing', async () => {
      const [first, second] = await startTwo(kind);
      atStartOfMinute([first, second]);
      const [one, two] = [first.service.rateLimiter, second.service.rateLimiter];
      for (const _counted of [1, 2]) one.consume('x', 3);
      await one.flush();
      for (const _released of [1, 2]) two.release(second.service.clock.real(), 'x', 3);
      await two.flush();
      expect(one.consume('x', 3).allowed).toBe(true);
      await one.flush();
      expect([1, 2, 3].map(() => one.consume('x', 3).allowed)).toEqual([true, true, false]);
    });

    test('without the secrets of the service, stored keys can neither be read nor guessed', async () => {
      const storedKeys: string[] = [];
      for (const service of await Promise.all([1, 2].map(() => startService({ database: kind, limits })))) {
        onTestFinished(service.close);
        service.service.rateLimiter.consume('dashboard 203.0.113.7', 1);
        await service.service.rateLimiter.flush();
        const rows = await service.service.db.read('rate_limit_counters').select('key');
        storedKeys.push(...rows.map(({ key }) => key));
      }
      expect(storedKeys).toHaveLength(2);
      expect(new Set(storedKeys).size).toBe(2);
      expect(storedKeys.join()).not.toContain('203.0.113.7');
      expect(storedKeys).not.toContain(hashOpaqueToken('dashboard 203.0.113.7'));
    });
  });
}

test('a key below 1 % of its limit is not written, and a refusal has the time to retry', async () => {
  const service = await startService({
    worker: false,
    limits: { apiRequestsPerMinute: 1000, rateLimitFlushMs: 3_600_000 },
  });
  onTestFinished(service.close);
  atStartOfMinute([service]);
  await sendRequests(service, service.application.apiKey, 9);
  await service.service.rateLimiter.flush();
  expect(await service.service.db.read('rate_limit_counters').select('key')).toEqual([]);
  const { rateLimiter } = service.service;
  expect([1, 2, 3].map(() => rateLimiter.consume('x', 2))).toEqual([
    { allowed: true, remaining: 1, resetSeconds: expect.any(Number) },
    { allowed: true, remaining: 0, resetSeconds: expect.any(Number) },
    { allowed: false, remaining: 0, resetSeconds: expect.any(Number) },
  ]);
  const { resetSeconds } = rateLimiter.consume('x', 2);
  expect(resetSeconds).toBeGreaterThan(50);
  expect(resetSeconds).toBeLessThanOrEqual(60);
});

test('many new keys do not reset the count of a key in use', async () => {
  const service = await startService({ worker: false, limits: { rateLimitFlushMs: 3_600_000 } });
  onTestFinished(service.close);
  atStartOfMinute([service]);
  const { rateLimiter } = service.service;
  rateLimiter.consume('x', 1);
  for (const round of [1, 2]) {
    for (let at = 0; at < 60_000; at++) rateLimiter.consume(`new ${round} ${at}`, 1000);
    expect(rateLimiter.consume('x', 1).allowed).toBe(false);
  }
});
